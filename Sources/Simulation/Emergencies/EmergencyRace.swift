public import BoardSupport
import CaptureStore
import Courses
import FeatureService
import TrackerCore

/// What the races with an emergency have in common.
public struct EmergencyTerms: Sendable {
  /// Of as many walks each race takes a part of one.
  private static let walks = 8

  fileprivate let course: Course
  fileprivate let board: BoardDescription
  fileprivate let begin: UTC
  fileprivate let ways: [WalkedWay]

  public init(course: Course, board: BoardDescription, threads: Int? = nil) throws {
    (self.course, self.board) = (course, board)
    let begin = SynthOptions().start
    self.begin = begin
    ways = try Workers.run(Self.walks, threads: threads) { number in
      WalkedWay(
        TeamScript(number: number + 1, seed: 34, begin: begin), begin: begin, course: course)
    }
  }
}

extension EmergencyTerms {
  /// The tracker's on the server.
  static let code = "TW07"

  static func identity(of plan: EmergencyPlan) -> Identity {
    Identity(
      device: UniqueID(high: 0x4000, low: 1 << 63 | 7), team: InlineText("Els Caminants"),
      seed: plan.seed, simPIN: plan.scenario.sim.state)
  }

  func tracker(of plan: EmergencyPlan) -> Tracker {
    Tracker(
      board: board.board, configuration: plan.configuration, identity: Self.identity(of: plan),
      at: .start)
  }

  func world(of plan: EmergencyPlan) throws -> World {
    let seed = plan.seed
    let way = ways[Int(seed % UInt64(ways.count))]
    let walked = way.arrival ?? .hours(24)
    let from = Milliseconds(Int64(Double(walked.count) * plan.place))
    let noFix = plan.noFix.map { span in
      TimeSpan(from: from + span.from, to: span.to < Milliseconds(.max) ? from + span.to : span.to)
    }
    let trace = PreparedTrace(
      way, on: course, begin: begin,
      span: TimeSpan(from: from, to: from + plan.end + .minutes(1)), noFix: noFix, seed: seed)
    let store = try CaptureStore.open(
      .memory, for: .device(Self.identity(of: plan).device), at: begin + from)
    var world = try World(
      trace: TracePlayer(trace), board: Luck(seed: seed).truth(of: board.board, board.doubts),
      sensor: board.batterySensor, scenario: plan.scenario, store: store, seed: seed,
      variation: Variation(seed: seed), code: Self.code)
    world.serverBegin = begin + from
    world.hasThermometer = board.thermometer != nil
    world.use(plan.configuration)
    world.use(board.radio)
    world.breaksOffAt = .start + plan.end
    return world
  }
}

/// One team with one emergency, played in virtual time by a real tracker.
///
/// Only the time around the call is played: the tracker is switched on some minutes before, on some
/// part of a walk, with the battery as it may be by then.
public enum EmergencyRace {
  /// - Parameter keepsStory: whether the outcome tells what happened.
  public static func run(
    _ terms: EmergencyTerms, seed: UInt64, keepsStory: Bool = false
  ) throws -> EmergencyOutcome {
    let plan = EmergencyPlan(seed: seed)
    var host = EmergencyHost(
      try terms.world(of: plan), plan, EmergencyTerms.identity(of: plan), code: EmergencyTerms.code)
    if keepsStory { host.keepStory() }
    var tracker = terms.tracker(of: plan)
    TrackerCore.run(&tracker, in: &host)
    if let problem = host.problem { throw problem }
    if let problem = host.base.storeProblem { throw problem }
    return outcome(of: plan, host)
  }

  private static func outcome(
    of plan: EmergencyPlan, _ host: borrowing EmergencyHost
  ) -> EmergencyOutcome {
    let log = host.log
    var outcome = EmergencyOutcome(plan)
    let end = host.now
    outcome.barriers = barriers(of: plan, log)
    if host.base.ending == .batteryEmpty {
      outcome.barriers.append(.init(kind: .batteryEmpty, from: end, to: .distantFuture))
    }
    outcome.story = log.lines()
    outcome.isStuck = host.isStuck
    // A call that the tracker never took counts from when the team made it.
    let called = log.called ?? log.pressed ?? end
    outcome.server = log.server.map { $0 - called }
    outcome.text = log.text.map { $0 - called }
    outcome.read = log.read.map { $0 - called }
    (outcome.isForgotten, outcome.isToldTooEarly) = (log.isForgotten, log.isToldTooEarly)
    var chances = [EmergencyOutcome.chance(among: outcome.dataBarriers, from: called, to: end)]
    if plan.configuration.textTo != nil {
      chances.append(
        EmergencyOutcome.chance(among: outcome.textBarriers, from: called, to: end))
    }
    let chance = chances.compactMap(\.self).min()
    outcome.verdict = .init(server: log.server, text: log.text, chance: chance)
    if let chance, let heard = [log.server, log.text].compactMap(\.self).min() {
      outcome.isLate = heard - chance > EmergencyOutcome.contact
    }
    if let read = log.read { judge(&outcome, read, called, log) }
    outcome.isReadByText = log.read != nil && log.isReadByText
    if let answered = log.readByPerson, log.read == nil {
      let barriers = log.isReadByText ? outcome.textBarriers : outcome.dataBarriers
      outcome.isReadUnknown =
        EmergencyOutcome.chance(among: barriers, from: answered, to: end) != nil
    }
    if let begun = log.begun {
      let over = log.over ?? (end, host.joules)
      outcome.joules = over.joules - begun.joules
      outcome.standing = over.at - begun.at
    }
    return outcome
  }

  /// How long it took from when nothing was in the way any more.
  private static func judge(
    _ outcome: inout EmergencyOutcome, _ read: Instant, _ called: Instant, _ log: EmergencyLog
  ) {
    let last = outcome.barriers.filter { $0.from < read && $0.to > called && $0.to <= read }
      .max { $0.to < $1.to }
    let ready = max(called, last?.to ?? called)
    if let registered = log.registration(from: ready), registered <= read {
      outcome.readAfterRegistration = read - registered
    }
    if let last, last.kind == .noNetwork || last.kind == .noData {
      outcome.readAfterCoverage = read - last.to
    }
  }

  private static func barriers(
    of plan: EmergencyPlan, _ log: EmergencyLog
  ) -> [EmergencyOutcome.Barrier] {
    func end(_ to: Milliseconds?) -> Instant { to.map { .start + $0 } ?? .distantFuture }
    var barriers = log.outages
    for window in plan.scenario.coverage {
      barriers.append(
        .init(
          kind: window.content == .noBearer ? .noData : .noNetwork, from: .start + window.from,
          to: end(window.to)))
    }
    for window in plan.scenario.server where window.content.isBarrier {
      barriers.append(.init(kind: .server, from: .start + window.from, to: end(window.to)))
    }
    if plan.peopleFrom > 0 {
      barriers.append(.init(kind: .nobodyThere, from: .start, to: .start + plan.peopleFrom))
    }
    return barriers
  }
}
