import BoardSupport
import CommandLineSupport
import Simulation
import SystemCalls
import TrackerCore

/// `bench --races N`: the time of N races of `traces/race.nmea` with N seeds, as many
/// at once as there are processors.
enum RaceBench {
  private static let path = "traces/race.nmea"

  static func run(_ count: Int) throws {
    guard let trace = PackageFolder.path(of: path) else {
      throw FileAccessError(
        "cannot measure with", path,
        reason: "it is not here; run this in a clone, or install the package")
    }
    let description = try MachineBench.board()
    let start = MachineBench.now()
    let races = PlannedRaces(
      description, trace: try PreparedTrace(path: trace), finish: .distantFuture)
    let prepared = MachineBench.now()
    let results = try Workers.run(count, threads: nil) { number in
      let before = KernelTimer.thread.milliseconds
      let race = try PlannedRace.run(races, seed: UInt64(number) + 1)
      return (race: race, milliseconds: KernelTimer.thread.milliseconds - before)
    }
    let end = MachineBench.now()
    let delivered = results.map(\.race.atFinish.delivered).sorted()
    let dead = results.count { $0.race.isDead }
    let each = Double(results.reduce(0) { $0 + $1.milliseconds }) / Double(count)
    let time = MachineBench.fixed(end - start)
    let reading = MachineBench.fixed(prepared - start)
    try printOut(
      """
      \(counted(count, "race")) of \(path), \(processorCount) at once
      time       \(time) s, with \(reading) s to read it
      each       \(MachineBench.fixed(each)) ms of processor time
      delivered  \(delivered[0]) to \(delivered[count - 1]) captures; \(dead) with an empty battery

      """)
  }
}
