import BoardSupport
import CommandLineSupport
import Glibc
import Simulation
import TrackerCore

/// `tracker-sim bench --races N`: the time of N races of `traces/race.nmea` with N seeds, as many
/// at once as there are processors.
enum RaceBench {
  private static let path = "traces/race.nmea"

  static func run(_ count: Int) throws {
    guard let trace = PackageFolder.path(of: path) else {
      throw FileProblem(
        "cannot measure with", path,
        reason: "it is not here; run this in a clone, or install the package")
    }
    let description = try BoardDescription.load(named: SimulateOptions.usualBoard)
    let start = Bench.now()
    let races = PlannedRaces(
      board: description.board, radio: description.radio, doubts: description.doubts,
      scenario: Scenario(), configuration: Configuration(),
      trace: try PreparedTrace(path: trace), finish: .distantFuture)
    let prepared = Bench.now()
    let results = try Workers.run(count, threads: nil) { number in
      try PlannedRace.run(races, seed: UInt64(number) + 1)
    }
    let end = Bench.now()
    let delivered = results.map(\.atFinish.delivered).sorted()
    let dead = results.count { $0.isDead }
    let each = (end - prepared) * 1000 * Double(min(count, processors)) / Double(count)
    try printOut(
      """
      \(counted(count, "race")) of \(path), \(processors) at once
      time       \(Bench.fixed(end - start)) s, with \(Bench.fixed(prepared - start)) s to read it
      each       \(Bench.fixed(each)) ms of one processor
      delivered  \(delivered[0]) to \(delivered[count - 1]) captures; \(dead) with an empty battery

      """)
  }

  private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
