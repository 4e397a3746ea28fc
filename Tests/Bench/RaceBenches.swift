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
      try PlannedRace.run(races, seed: UInt64(number) + 1)
    }
    let end = MachineBench.now()
    let delivered = results.map(\.atFinish.delivered).sorted()
    let dead = results.count { $0.isDead }
    let each = (end - prepared) * 1000 * Double(min(count, processorCount)) / Double(count)
    let time = MachineBench.fixed(end - start)
    let reading = MachineBench.fixed(prepared - start)
    try printOut(
      """
      \(counted(count, "race")) of \(path), \(processorCount) at once
      time       \(time) s, with \(reading) s to read it
      each       \(MachineBench.fixed(each)) ms of one processor
      delivered  \(delivered[0]) to \(delivered[count - 1]) captures; \(dead) with an empty battery

      """)
  }
}

/// `bench --policies N`: the policy adaptive against fixed intervals, over N races
/// that differ in cold, coverage, ageing and charge of the battery, and pace.
struct PolicyBench {
  private static let finish = Milliseconds.hours(27)
  /// Fresh teams by day on the flat, km/h.
  private static let paces = [3.6, 4.5, 5.4, 6.3]
  private static let minutes: [Int64] = [5, 10, 15, 20, 30, 60]

  private struct Policy: Sendable {
    var name: String
    var configuration: Configuration

    static func fixed(_ minutes: Int64, _ use: ReceiverUse) -> Policy {
      var configuration = Configuration()
      let interval = Milliseconds.minutes(minutes)
      configuration.capture = .standard(
        interval: interval, minimumDistanceMetres: 0, heartbeat: max(interval, .minutes(30)))
      configuration.transmitInterval = interval
      configuration.receiverUse = use
      configuration.finish = .after(PolicyBench.finish)
      return Policy(
        name: "\(minutes) min, \(use == .always ? "receiver always on" : "receiver sleeps")",
        configuration: configuration)
    }

    static var adaptive: Policy {
      var configuration = Configuration()
      configuration.capture = .adaptive(interval: .minutes(10))
      configuration.finish = .after(PolicyBench.finish)
      return Policy(name: "adaptive, 10 min", configuration: configuration)
    }
  }

  /// What one race is like, whatever the policy. All ranges are assumptions, unverified.
  private struct Circumstances: Sendable {
    var ageing: Double
    var scenario = Scenario()
    var trace: PreparedTrace

    init(seed: UInt64, _ traces: [PreparedTrace]) {
      var random = SeededGenerator(seed: seed, stream: 300)
      ageing = 0.5 + 0.5 * random.unit()
      trace = traces[random.whole(in: 0...traces.count - 1)]
      scenario.batteryStartPercent = Int32(random.whole(in: 50...100))
      // A night, from the evening to the morning of a race that begins at nine.
      scenario.batteryCelsius = [
        Window(
          from: .hours(11), to: .hours(23), content: Int32(random.whole(in: 0...25)) - 10)
      ]
      // Up to two thirds of the time.
      let hole = Int64(random.whole(in: 0...60))
      var at = Milliseconds.minutes(Int64(random.whole(in: 0...90)))
      while hole > 0, at < PolicyBench.finish {
        scenario.coverage.append(
          Window(from: at, to: at + .minutes(hole), content: .noService))
        at = at + .minutes(hole + Int64(random.whole(in: 30...180)))
      }
    }
  }

  private struct Outcome: Sendable {
    var isAlive = false
    var delivered = 0
  }

  static func run(_ count: Int) throws {
    let description = try MachineBench.board()
    let policies =
      minutes.map { Policy.fixed($0, .dutyCycle) } + [.fixed(10, .always), .adaptive]
    let traces = try paces.map { pace throws in
      try PreparedTrace.walk(finish + .minutes(10), every: .seconds(2), seed: 1, pace: pace)
    }
    let outcomes = try Workers.run(count, threads: nil) { number in
      let seed = UInt64(number) + 1
      let day = Circumstances(seed: seed, traces)
      return try policies.map { policy throws in
        try outcome(of: policy, day, description, seed: seed)
      }
    }
    try printOut(report(policies, outcomes, board: description.identifier))
  }

  private static func outcome(
    of policy: Policy, _ day: Circumstances, _ description: BoardDescription, seed: UInt64
  ) throws -> Outcome {
    let finish = Instant.start + finish
    var races = PlannedRaces(
      description, policy.configuration, scenario: day.scenario, trace: day.trace, finish: finish)
    races.ageing = day.ageing
    races.end = finish
    let race = try PlannedRace.run(races, seed: seed)
    return Outcome(isAlive: race.isAlive(at: finish), delivered: race.atFinish.delivered)
  }

  private static func report(
    _ policies: [Policy], _ outcomes: [[Outcome]], board: String
  ) -> String {
    var text = "\(counted(outcomes.count, "race")) of 27 h, \(board)\n\n"
    text += "policy                         at the finish  captures delivered by then\n"
    let columns = policies.indices.map { index in outcomes.map { $0[index] } }
    for (policy, column) in zip(policies, columns) {
      let name = policy.name + String(repeating: " ", count: 31 - policy.name.count)
      let alive = Double(column.count(where: \.isAlive))
      let share = MachineBench.fixed(alive / Double(column.count) * 100)
      let gap = String(repeating: " ", count: max(0, 6 - share.count))
      text += "\(name)\(gap)\(share) %       \(MachineBench.fixed(mean(column)))\n"
    }
    let own = columns[columns.count - 1]
    let possible = outcomes.filter { $0.dropLast().contains(where: \.isAlive) }
    let reached = possible.count { $0[$0.count - 1].isAlive }
    let share = MachineBench.fixed(Double(reached) / Double(max(1, possible.count)) * 100)
    text += """

      some fixed interval reaches the finish in \(counted(possible.count, "race")); adaptive does
      in \(reached) of these, \(share) %

      """
    let alive = own.count(where: \.isAlive)
    let equal = columns.indices.dropLast().filter { columns[$0].count(where: \.isAlive) >= alive }
    guard let best = equal.max(by: { mean(columns[$0]) < mean(columns[$1]) }) else {
      return text + "no fixed interval reaches the finish as often as adaptive does\n"
    }
    let ratio = MachineBench.fixed(mean(own) / mean(columns[best]))
    return text + """
      the best fixed interval that reaches it as often: \(policies[best].name);
      adaptive delivers \(ratio) x as many captures

      """
  }

  private static func mean(_ outcomes: [Outcome]) -> Double {
    Double(outcomes.reduce(0) { $0 + $1.delivered }) / Double(max(1, outcomes.count))
  }
}
