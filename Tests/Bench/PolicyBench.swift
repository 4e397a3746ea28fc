import BoardSupport
import CommandLineSupport
import Simulation
import SystemCalls
import TrackerCore

/// `bench --policies N`: the policy adaptive against fixed intervals, over N races that differ in
/// cold, coverage, ageing and charge of the battery, and pace.
///
/// The oracle is, for each race, the fixed setting that served best in that very race: of those
/// that reach the finish, or of all where none does, the one with the lowest mean age of the last
/// known position, and of equal ones the one with most captures.
struct PolicyBench {
  private static let finish = Milliseconds.hours(27)
  /// Fresh teams by day on the flat, km/h.
  private static let paces = [3.6, 4.5, 5.4, 6.3]
  private static let minutes: [Int64] = [5, 10, 15, 20, 30, 60]
  /// Of the policy adaptive, percent: the usual one, and for an organiser who wants to be sure.
  private static let confidences: [Int32] = [95, 99]

  private struct Policy: Sendable {
    var name: String
    var configuration: Configuration

    static func fixed(_ capture: Int64, _ contact: Int64, _ use: ReceiverUse) -> Policy {
      var configuration = Configuration()
      let interval = Milliseconds.minutes(capture)
      configuration.capture = .standard(
        interval: interval, minimumDistanceMetres: 0, heartbeat: max(interval, .minutes(30)))
      configuration.transmitInterval = .minutes(contact)
      configuration.receiverUse = use
      configuration.finish = .after(PolicyBench.finish)
      return Policy(
        name: "\(capture)/\(contact)\(use == .always ? ", awake" : "")",
        configuration: configuration)
    }

    static func adaptive(_ confidence: Int32) -> Policy {
      var configuration = Configuration()
      configuration.capture = .adaptive(interval: .minutes(10))
      configuration.confidencePercent = confidence
      configuration.finish = .after(PolicyBench.finish)
      return Policy(name: "adaptive, \(confidence) %", configuration: configuration)
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
    var captures = 0.0
    /// Minutes.
    var age = 0.0
  }

  /// - Parameter first: the seed of the first race.
  static func run(_ count: Int, from first: UInt64) throws {
    let description = try MachineBench.board()
    var policies = confidences.map { Policy.adaptive($0) }
    for use in [ReceiverUse.dutyCycle, .always] {
      for capture in minutes {
        policies += minutes.filter { $0 >= capture }.map { .fixed(capture, $0, use) }
      }
    }
    let traces = try paces.map { pace throws in
      try PreparedTrace.walk(finish + .minutes(10), every: .seconds(2), seed: 1, pace: pace)
    }
    let races = try Workers.run(count, threads: nil) { [policies] number in
      let seed = first + UInt64(number)
      let day = Circumstances(seed: seed, traces)
      return try policies.map { policy throws in
        try outcome(of: policy, day, description, seed: seed)
      }
    }
    try printOut(report(policies, races, board: description.identifier))
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
    return Outcome(
      isAlive: race.isAlive(at: finish), captures: Double(race.atFinish.delivered),
      age: Double(race.atFinish.positionAge.mean(until: finish).count) / 60_000)
  }

  // MARK: Report

  private static func report(
    _ policies: [Policy], _ races: [[Outcome]], board: String
  ) -> String {
    let possible = races.filter { fixed($0).contains(where: \.isAlive) }
    let hopeless = races.filter { !fixed($0).contains(where: \.isAlive) }
    var text = """
      \(counted(races.count, "race")) of 27 h, \(board): in \(possible.count) some fixed interval \
      reaches the finish

                          those in which one does         the others
      captures/contacts   finish  captures  age (min)     captures  age (min)

      """
    for (index, policy) in policies.enumerated() {
      let some = possible.map { $0[index] }
      let others = hopeless.map { $0[index] }
      text += row(policy.name, some, others)
    }
    text += row("oracle", possible.map(oracle), hopeless.map(oracle))
    for (index, confidence) in confidences.enumerated() {
      text += "\nadaptive at \(confidence) % as a share of the oracle, by race\n"
      text += "           5 %    25 %    50 %    75 %    95 %    mean of all\n"
      for (name, value) in [("captures", \Outcome.captures), ("age", \Outcome.age)] {
        text += shares(name, value, possible, index)
      }
    }
    return text
  }

  private static func shares(
    _ name: String, _ value: KeyPath<Outcome, Double>, _ races: [[Outcome]], _ index: Int
  ) -> String {
    let ratios = races.map { $0[index][keyPath: value] / max(0.1, oracle($0)[keyPath: value]) }
    let all = mean(races.map { $0[index] }, value) / max(0.1, mean(races.map(oracle), value))
    let shares = [0.05, 0.25, 0.5, 0.75, 0.95].map { quantile(ratios.sorted(), $0) } + [all]
    return padded(name, 8) + shares.map { padded(MachineBench.fixed($0), -8) }.joined() + "\n"
  }

  private static func row(_ name: String, _ some: [Outcome], _ others: [Outcome]) -> String {
    let alive = some.count(where: \.isAlive)
    let figures = [
      mean(some, \.captures), mean(some, \.age), mean(others, \.captures), mean(others, \.age),
    ].map { padded(MachineBench.fixed($0), -10) }
    return padded(name, 20) + padded("\(alive)", -6) + figures[0] + " " + figures[1] + "   "
      + figures[2] + " " + figures[3] + "\n"
  }

  /// What the fixed settings came to.
  private static func fixed(_ race: [Outcome]) -> ArraySlice<Outcome> {
    race.dropFirst(confidences.count)
  }

  private static func oracle(_ race: [Outcome]) -> Outcome {
    let fixed = fixed(race)
    let reaching = fixed.filter(\.isAlive)
    return (reaching.isEmpty ? Array(fixed) : reaching).min {
      ($0.age, -$0.captures) < ($1.age, -$1.captures)
    } ?? Outcome()
  }

  private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  private static func mean(_ outcomes: [Outcome], _ value: KeyPath<Outcome, Double>) -> Double {
    outcomes.reduce(0) { $0 + $1[keyPath: value] } / Double(max(1, outcomes.count))
  }

  /// - Parameter width: negative: to the right.
  private static func padded(_ text: String, _ width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? blanks + text : text + blanks
  }
}
