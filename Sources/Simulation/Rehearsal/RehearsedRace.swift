public import BoardSupport
import CaptureStore
public import Courses
import FeatureService
public import TrackerCore
import Wording

/// What the races of a rehearsal have in common.
public struct RehearsalTerms: Sendable {
  /// What the teams walk on.
  let course: Course
  /// What the trackers and the organisers have of it.
  public private(set) var map: MappedCourse
  private let table: CourseTable
  fileprivate let board: BoardDescription
  /// When the first teams start.
  public var start = SynthOptions().start
  public var teams = 40
  /// Of another race, whose hole in the coverage all have; `nil`: each has its own.
  public var valleySeed: UInt64?
  /// What happens to each tracker besides what the races draw, in the time of the race: its start
  /// is the begin of the race.
  public var scenario = Scenario()

  public init(course: Course, map: MappedCourse, board: BoardDescription) {
    (self.course, self.map, self.board) = (course, map, board)
    table = CourseTable(map)
  }

  fileprivate var courseTable: CourseTable { table }

  /// Lets each place after the start that has no hours of its own close when a team of the last
  /// wave gets there that needs all of the race's limit. Trackers decide nothing by it: the races
  /// stay the same.
  public mutating func closePlaces() {
    let last = start + RaceScript.lastWave
    let span = start + RaceScript.limit - last
    let length = Int64(map.courseLengthMillimetres)
    for (index, place) in map.places.enumerated()
    where place.place.closes == nil && place.place.kind != .start && length > 0 {
      let share = span.count * Int64(place.place.alongMillimetres) / length
      map.places[index].place.closes = last + Milliseconds(share)
    }
  }
}

/// A race of many teams with all that goes wrong in it, played in virtual time by real trackers.
public struct RehearsedRace: Sendable {
  /// By the server's clock.
  public let begin: UTC
  public let end: UTC
  /// In the order of their numbers.
  public let teams: [RehearsedTeam]

  /// Plays one race. The same terms and seed give the same race everywhere.
  ///
  /// - Parameter threads: `nil`: as many as there are processors.
  public static func run(
    _ terms: RehearsalTerms, seed: UInt64, threads: Int? = nil
  ) throws -> RehearsedRace {
    let script = RaceScript(
      seed: seed, start: terms.start, teams: terms.teams, length: terms.course.length,
      valley: terms.valleySeed)
    let ways = try Workers.run(script.teams.count, threads: threads) { number in
      WalkedWay(script.teams[number], begin: script.begin, course: terms.course)
    }
    // An hour after the last arrival, or after the finish has closed.
    let closing = RaceScript.beforeStart + RaceScript.limit
    let arrivals = ways.compactMap(\.arrival).map { min($0, closing) }
    let end = (arrivals.max() ?? closing) + .hours(1)
    let teams = try Workers.run(script.teams.count, threads: threads) { number in
      let play = TeamPlay(
        team: script.teams[number], way: ways[number], script: script, end: end)
      return try play.run(terms)
    }
    let begin = script.begin + script.serverClockAhead
    return RehearsedRace(begin: begin, end: begin + end, teams: teams)
  }
}

/// One team of a race: what the server stored, and what really happened.
public struct RehearsedTeam: Sendable {
  /// The code that its tracker ought to have.
  public let number: String
  public let name: String
  /// In the order in which they were stored.
  public let deliveries: [Delivery]
  public let truth: TeamTruth

  public init(number: String, name: String, deliveries: [Delivery], truth: TeamTruth) {
    (self.number, self.name, self.deliveries, self.truth) = (number, name, deliveries, truth)
  }
}

/// Plays one team's tracker.
private struct TeamPlay {
  let team: TeamScript
  let way: WalkedWay
  let script: RaceScript
  /// Of the race.
  let end: Milliseconds

  func run(_ terms: RehearsalTerms) throws -> RehearsedTeam {
    // A tracker that nobody stops goes on to the end of the race, where its world is broken off.
    let until = stopped ?? end + .minutes(1)
    let trace = PreparedTrace(
      way, on: terms.course, begin: script.begin,
      span: TimeSpan(from: team.switchedOn, to: until),
      noFix: lastFix.map { TimeSpan(from: $0, to: Milliseconds(.max)) }, seed: team.seed)
    let luck = Luck(seed: team.seed)
    let scenario = scenario(terms.scenario)
    let identity = Identity(
      device: team.device, team: InlineText(Array(team.name.utf8).span), seed: team.seed,
      simPIN: scenario.sim.state)
    let store = try CaptureStore.open(.memory, for: .device(team.device), at: script.begin)
    let box = Stored()
    var world = try World(
      trace: TracePlayer(trace),
      board: luck.truth(of: terms.board.board, terms.board.doubts),
      sensor: terms.board.batterySensor, scenario: scenario, store: store, seed: team.seed,
      variation: Variation(seed: team.seed), code: team.code)
    world.hasThermometer = terms.board.thermometer != nil
    world.use(team.configuration)
    world.use(terms.board.radio)
    world.courseTable = terms.courseTable
    world.breaksOffAt = instant(min(end, smashed ?? end))
    world.onStored = { captures, now in
      box.deliveries += captures.compactMap { Delivery($0, at: utc(now)) }
    }
    var tracker = Tracker(
      board: terms.board.board, configuration: team.configuration, identity: identity, at: .start)
    TrackerCore.run(&tracker, in: &world)
    if let problem = world.storeProblem { throw problem }
    var truth = truth(terms)
    truth.batteryPercent = world.battery.percent
    truth.setAside = store.tally.setAside
    if let last = lastPeriod(world.ending, at: world.now) { truth.periods.append(last) }
    truth.periods.sort { $0.from < $1.from }
    return RehearsedTeam(
      number: TeamScript.code(team.number), name: TeamScript.name(team.number),
      deliveries: box.deliveries, truth: truth)
  }

  private final class Stored {
    var deliveries: [Delivery] = []
  }

  // MARK: Times

  /// Of the world, whose clock begins when the tracker is switched on.
  private func instant(_ time: Milliseconds) -> Instant { .start + (time - team.switchedOn) }

  private func utc(_ now: Instant) -> UTC { utc(team.switchedOn + (now - .start)) }

  /// By the server's clock.
  private func utc(_ time: Milliseconds) -> UTC { script.begin + script.serverClockAhead + time }

  /// When somebody stops the tracker.
  private var stopped: Milliseconds? {
    guard let arrival = way.arrival, let after = team.stoppedAfter, arrival + after < end else {
      return nil
    }
    return arrival + after
  }

  private func time(of mishap: Mishap?) -> Milliseconds? {
    switch mishap {
    case .smashed(let metres), .losesNetwork(let metres), .losesFix(let metres):
      way.time(at: metres)
    case .givesUp, .getsLost, .emptyBattery, .clone, nil: nil
    }
  }

  private var smashed: Milliseconds? {
    if case .smashed = team.mishap { time(of: team.mishap) } else { nil }
  }
  private var lastFix: Milliseconds? {
    if case .losesFix = team.mishap { time(of: team.mishap) } else { nil }
  }
  private var lastNetwork: Milliseconds? {
    if case .losesNetwork = team.mishap { time(of: team.mishap) } else { nil }
  }

  // MARK: What the world does

  private func scenario(_ usual: Scenario) -> Scenario {
    var scenario = usual.later(by: Milliseconds(-team.switchedOn.count))
    if let span = way.span(in: script.valley) {
      scenario.addHole(
        from: span.from - team.switchedOn,
        to: span.to < Milliseconds(.max) ? span.to - team.switchedOn : nil)
    }
    if let lastNetwork { scenario.addHole(from: lastNetwork - team.switchedOn, to: nil) }
    var fault = script.serverFault
    fault.from = max(0, fault.from - team.switchedOn)
    fault.until = fault.until.map { $0 - team.switchedOn }
    scenario.server.append(Window(from: fault.from, to: fault.until, content: fault))
    if case .emptyBattery(let percent) = team.mishap { scenario.batteryStartPercent = percent }
    return scenario
  }

  // MARK: What is true

  private func truth(_ terms: RehearsalTerms) -> TeamTruth {
    var truth = TeamTruth(start: utc(team.start))
    truth.gaveUp = way.gaveUp.map { utc($0) }
    truth.lost = way.lost.map { TeamTruth.Span(from: utc($0.from), until: utc($0.to)) }
    truth.isCloned = team.isCopied
    if case .clone = team.mishap { truth.isCloned = true }
    truth.arrival = way.arrival.flatMap { $0 <= end ? utc($0) : nil }
    truth.missesClosing = terms.map.places.contains { place in
      guard let closes = place.place.closes else { return false }
      let time = way.time(at: Double(place.place.alongMillimetres) / 1000)
      return time.map { script.begin + $0 > closes } ?? true
    }
    truth.passages = terms.map.places.map { place in
      // A place is passed where its circle begins.
      let along = Double(place.place.alongMillimetres) / 1000 - Double(place.place.radiusMetres)
      return way.time(at: max(0, along)).flatMap { $0 <= end ? utc($0) : nil }
    }
    let places = [0, terms.course.length] + terms.course.checkpoints.map(\.distance)
    for stop in way.stops(atLeast: .minutes(5)) where stop.from < end {
      let metres = way.metres(at: stop.from)
      truth.stops.append(
        TeamTruth.Stop(
          from: utc(stop.from), until: stop.to.map { utc($0) }, metres: metres,
          isAtPlace: way.gaveUp != stop.from && places.contains { abs($0 - metres) < 150 }))
    }
    let fault = script.serverFault
    truth.periods.append(period(fault.from, fault.until, .server))
    for window in terms.scenario.server {
      truth.periods.append(period(window.from, window.to, .server))
    }
    for window in terms.scenario.coverage {
      truth.periods.append(period(window.from, window.to, .deadZone))
    }
    if let span = way.span(in: script.valley), span.from < end {
      truth.periods.append(period(span.from, span.to < end ? span.to : nil, .deadZone))
    }
    if let lastNetwork { truth.periods.append(period(lastNetwork, nil, .antenna)) }
    if let lastFix { truth.periods.append(period(lastFix, nil, .noFix)) }
    return truth
  }

  private func period(
    _ from: Milliseconds, _ until: Milliseconds?, _ cause: TeamTruth.Cause
  ) -> TeamTruth.Period {
    TeamTruth.Period(from: utc(from), until: until.map { utc($0) }, cause: cause)
  }

  /// Why its world ended before the race.
  private func lastPeriod(_ ending: World.Ending?, at now: Instant) -> TeamTruth.Period? {
    switch ending {
    case .batteryEmpty: TeamTruth.Period(from: utc(now), until: nil, cause: .battery)
    case .finished, .stillPending, .traceUnreadable, .stuck:
      TeamTruth.Period(from: utc(now), until: nil, cause: .over)
    case nil:
      smashed.map { $0 < end ? period($0, nil, .smashed) : nil } ?? nil
    }
  }
}

extension Delivery {
  /// - Returns: `nil` for what is no capture of a tracker.
  init?(_ taken: TakenCapture, at now: UTC) {
    guard let id = taken.id, let position = taken.position else { return nil }
    self.init(
      at: now, tracker: taken.device ?? "", team: taken.team ?? "", id: id,
      taken: taken.moment.map { UTC(milliseconds: $0) }, position: position,
      batteryPercent: taken.batteryPercent,
      trigger: taken.trigger.flatMap { Trigger(name: Array($0.utf8).span) },
      promise: taken.promise, silence: taken.silence, sequence: taken.sequence)
  }
}

extension Scenario {
  /// The same, but for a run that begins at another time.
  func later(by time: Milliseconds) -> Scenario {
    var scenario = self
    scenario.coverage = coverage.later(by: time)
    scenario.server = server.later(by: time)
    scenario.receiver = receiver.later(by: time)
    scenario.modem = modem.later(by: time)
    scenario.store = store.later(by: time)
    scenario.batteryCelsius = batteryCelsius.later(by: time)
    scenario.commands = commands.filter { $0.at + time >= 0 }.map {
      TimedCommand(at: $0.at + time, command: $0.command)
    }
    return scenario
  }

  /// Windows of one track do not overlap: the first that holds counts.
  fileprivate mutating func addHole(from: Milliseconds, to: Milliseconds?) {
    coverage.append(Window(from: max(0, from), to: to, content: .noService))
    coverage.sort { $0.from < $1.from }
  }
}

extension Array {
  fileprivate func later<Content>(by time: Milliseconds) -> Self where Element == Window<Content> {
    compactMap { window in
      let to = window.to.map { $0 + time }
      if let to, to <= 0 { return nil }
      return Window(from: Swift.max(0, window.from + time), to: to, content: window.content)
    }
  }
}
