import ControlRoom
import Simulation
import TrackerCore
import Wording

/// What the scores of all races of a rehearsal come to.
struct RehearsalFigures: Sendable {
  /// How a figure of each race is distributed over the races.
  struct Spread: Sendable {
    private let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    var count: Int { sorted.count }
    var mean: Double? { sorted.isEmpty ? nil : sorted.reduce(0, +) / Double(sorted.count) }
    var least: Double? { sorted.first }
    var most: Double? { sorted.last }

    /// By nearest rank.
    func percentile(_ percent: Int) -> Double? {
      sorted.isEmpty ? nil : sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
    }
  }

  static let causes: [TeamTruth.Cause?] = TeamTruth.Cause.allCases.map(\.self) + [nil]

  private let scores: [RaceScore]
  private let courses: [CourseScore]
  let silences: [RaceScore.Silence]
  let silentStops: [RaceScore.Stop]
  let teamStops: [RaceScore.Stop]

  init(_ scores: [RaceScore], _ courses: [CourseScore] = []) {
    self.scores = scores
    self.courses = courses
    silences = scores.flatMap(\.silences)
    silentStops = scores.flatMap(\.silentStops)
    teamStops = scores.flatMap(\.teamStops)
  }

  var races: Int { scores.count }

  // MARK: Silences

  /// Silences of a cause of which something was said.
  func count(
    _ cause: TeamTruth.Cause?, _ stated: RaceScore.Stated,
    _ when: KeyPath<RaceScore.Silence, RaceScore.Stated>
  ) -> Int {
    silences.count { $0.cause == cause && $0[keyPath: when] == stated }
  }

  /// Percent of the silences of which the right thing was said.
  func right(_ when: KeyPath<RaceScore.Silence, RaceScore.Stated>) -> Double? {
    Self.percent(
      silences.count { RaceScore.right($0.cause).contains($0[keyPath: when]) }, of: silences.count)
  }

  /// Percent of the silences of which the room knows in the end of the race what they were.
  var rightAfterwards: Double? {
    Self.percent(silences.count { RaceScore.isRightAfterwards($0) }, of: silences.count)
  }

  /// The same, race by race.
  var rightAfterwardsByRace: Spread {
    Spread(
      scores.compactMap { score in
        Self.percent(
          score.silences.count { RaceScore.isRightAfterwards($0) }, of: score.silences.count)
      })
  }

  /// Percent of the minutes in which it was.
  var rightMinutes: Double? {
    Self.percent(
      silences.reduce(0) { $0 + $1.rightMinutes }, of: silences.reduce(0) { $0 + $1.minutes })
  }

  // MARK: Stops and alarms

  /// Minutes from the promise, or from the stop, to the alarm.
  static func delays(_ stops: [RaceScore.Stop]) -> Spread {
    Spread(stops.compactMap(\.delay).map { Double($0.count) / 60_000 })
  }

  /// Percent of the trackers that are silent for good which are known within the grace.
  var foundInTime: Double? {
    Self.percent(
      silentStops.count(where: \.isInTime), of: silentStops.count)
  }

  /// Those that nothing hid when they fell silent.
  var openStops: [RaceScore.Stop] { silentStops.filter { $0.hidden.count == 0 } }
  /// Those that would not have been heard either if they lived: from when they would have been.
  var hiddenStops: [RaceScore.Stop] {
    silentStops.filter { $0.hidden.count > 0 }.map { stop in
      RaceScore.Stop(
        tracker: stop.tracker, from: stop.from + stop.hidden,
        delay: stop.delay.map { $0 - stop.hidden })
    }
  }

  var openFoundInTime: Double? {
    Self.percent(
      openStops.count(where: \.isInTime), of: openStops.count)
  }

  var alarms: Spread { Spread(scores.map { Double($0.alarms) }) }
  var alarmRate: Spread { Spread(scores.map(\.meanAlarms)) }
  var worstAlarms: Spread { Spread(scores.map { Double($0.worstAlarms) }) }
  var falseAlarms: Spread { Spread(scores.map { Double($0.falseNeeds.count) }) }

  func falseAlarms(_ need: Need) -> Int {
    scores.reduce(0) { $0 + $1.falseNeeds.count { $0 == need } }
  }

  /// Percent of the time in which the team that needs a human most is first.
  var first: Double? {
    Self.percent(
      scores.reduce(0) { $0 + $1.firstMinutes }, of: scores.reduce(0) { $0 + $1.urgentMinutes })
  }

  /// The same, race by race.
  var firstByRace: Spread {
    Spread(scores.compactMap { Self.percent($0.firstMinutes, of: $0.urgentMinutes) })
  }

  /// The same of the time in which somebody can know which team that is.
  var knowableFirst: Double? {
    Self.percent(
      scores.reduce(0) { $0 + $1.knowableFirstMinutes },
      of: scores.reduce(0) { $0 + $1.knowableMinutes })
  }

  var knowableFirstByRace: Spread {
    Spread(scores.compactMap { Self.percent($0.knowableFirstMinutes, of: $0.knowableMinutes) })
  }

  // MARK: Places

  var late: [CourseScore.Late] { courses.flatMap(\.late) }
  /// Minutes from the alarm to the closing.
  var lateLead: Spread { Spread(late.compactMap(\.lead).map { Double($0.count) / 60_000 }) }
  var passageErrors: Spread { Self.seconds(courses.flatMap(\.passageErrors)) }
  var planErrors: Spread { Self.seconds(courses.flatMap(\.planErrors)) }
  var missedPassages: Int { courses.reduce(0) { $0 + $1.missedPassages } }

  /// Percent of the pairs of teams that are in the right order in the end.
  var rightOrder: Double? {
    Self.percent(
      courses.reduce(0) { $0 + $1.rightPairs }, of: courses.reduce(0) { $0 + $1.pairs })
  }

  private static func seconds(_ times: [Milliseconds]) -> Spread {
    Spread(times.map { Double($0.count) / 1000 })
  }

  private static func percent(_ part: Int, of all: Int) -> Double? {
    all > 0 ? Double(part) * 100 / Double(all) : nil
  }
}

// MARK: - For scripts

extension RehearsalFigures {
  func figure(_ options: RehearseOptions) -> Figure {
    .object([
      .init("races", .integer(races)), .init("teams", .integer(options.teams)),
      .init("seed", .integer(options.seed)),
      .init(
        "silences",
        .object([
          .init("count", .integer(silences.count)),
          .init("right_percent", Self.real(right(\.last), 2)),
          .init("right_at_first_percent", Self.real(right(\.first), 2)),
          .init("right_minutes_percent", Self.real(rightMinutes, 2)),
          .init("right_afterwards_percent", Self.real(rightAfterwards, 2)),
          .init("right_afterwards_by_race", Self.low(rightAfterwardsByRace)),
          .init("in_the_end", table(\.last)), .init("at_first", table(\.first)),
        ])),
      .init(
        "silent_for_good",
        Self.stops(silentStops).adding("in_time_percent", Self.real(foundInTime, 2))
          .adding("open", .integer(openStops.count))
          .adding("open_in_time_percent", Self.real(openFoundInTime, 2))
          .adding("hidden", Self.stops(hiddenStops))),
      .init("gave_up", Self.stops(teamStops)),
      .init(
        "late",
        .object([
          .init("count", .integer(late.count)), .init("found", .integer(lateLead.count)),
          .init("lead_min", Self.spread(lateLead, 0).adding("min", Self.real(lateLead.least, 0))),
        ])),
      .init(
        "passages",
        .object([
          .init("count", .integer(passageErrors.count)),
          .init("missed", .integer(missedPassages)),
          .init("error_s", Self.spread(passageErrors, 0)),
          .init("plan_error_s", Self.spread(planErrors, 0)),
          .init("right_order_percent", Self.real(rightOrder, 2)),
        ])),
      .init("alarms", Self.spread(alarms, 1)),
      .init("alarms_in_10_min", Self.spread(alarmRate, 3)),
      .init("worst_10_min", Self.spread(worstAlarms, 1)),
      .init(
        "false_alarms",
        Self.spread(falseAlarms, 2).adding(
          "by_need",
          .object(Need.allCases.map { .init($0.name, .integer(falseAlarms($0))) }))),
      .init(
        "most_urgent_first",
        .object([
          .init("percent", Self.real(first, 2)),
          .init("worst_race_percent", Self.real(firstByRace.least, 2)),
          .init("knowable_percent", Self.real(knowableFirst, 2)),
          .init("knowable_by_race", Self.low(knowableFirstByRace)),
        ])),
    ])
  }

  private func table(_ when: KeyPath<RaceScore.Silence, RaceScore.Stated>) -> Figure {
    .object(
      Self.causes.map { cause in
        Figure.Member(
          cause?.rawValue ?? "nothing",
          .object(
            RaceScore.Stated.allCases.map { .init($0.rawValue, .integer(count(cause, $0, when))) }))
      })
  }

  private static func stops(_ stops: [RaceScore.Stop]) -> Figure {
    let delays = delays(stops)
    return .object([
      .init("count", .integer(stops.count)), .init("found", .integer(delays.count)),
      .init("delay_min", spread(delays, 1)),
    ])
  }

  private static func spread(_ spread: Spread, _ decimals: Int) -> Figure {
    .object([
      .init("mean", real(spread.mean, max(decimals, 2))),
      .init("p50", real(spread.percentile(50), decimals)),
      .init("p90", real(spread.percentile(90), decimals)),
      .init("p95", real(spread.percentile(95), decimals)),
      .init("max", real(spread.most, decimals)),
    ])
  }

  /// Of what should be much: the low end counts.
  private static func low(_ spread: Spread) -> Figure {
    .object([
      .init("min", real(spread.least, 2)), .init("p5", real(spread.percentile(5), 2)),
      .init("p50", real(spread.percentile(50), 2)),
    ])
  }

  private static func real(_ value: Double?, _ decimals: Int) -> Figure {
    value.map { .real($0, decimals: decimals) } ?? .none
  }
}
