public import BoardSupport
import CaptureStore
import TrackerCore

/// What came of one explored race.
public struct ExploredRace: Sendable {
  /// In the order in which they were noticed; each invariant once.
  public var broken: [BrokenInvariant] = []
  public var probes: Set<Probe> = []
  public var transitions = TransitionCoverage()
  /// What the server has stored, in its order.
  public var deliveries: [Delivery] = []
  /// How much time passed in it.
  public var length = Milliseconds(0)

  /// Plays a race and holds it against the invariants.
  ///
  /// - Parameter twice: whether it is played again, to see whether it is the same.
  /// - Throws: if it cannot be played.
  public static func run(
    _ explored: ExploredCase, on board: BoardDescription, twice: Bool = false
  ) throws -> ExploredRace {
    let trace = try PreparedTrace(explored.trace)
    let (race, effects) = try play(explored, trace, on: board, keepsEffects: twice)
    guard twice else { return race }
    let (_, again) = try play(explored, trace, on: board, keepsEffects: true)
    guard effects != again else { return race }
    var found = race
    let place = zip(effects, again).enumerated().first { $1.0 != $1.1 }
    let at = place.map { $1.0.at } ?? .start + race.length
    found.broken.append(
      BrokenInvariant(
        invariant: .sameAgain, at: at, finding: "effect \((place?.offset ?? 0) + 1) differs"))
    return found
  }

  private static func play(
    _ explored: ExploredCase, _ trace: PreparedTrace, on board: BoardDescription,
    keepsEffects: Bool
  ) throws -> (ExploredRace, [InvariantWatch.Pushed]) {
    let settings = try explored.configuration(on: board)
    let watch = InvariantWatch(explored.scenario, settings.configuration)
    watch.keepsEffects = keepsEffects
    watch.playCopies(of: trace, on: board, settings, seed: explored.seed)
    var length = Milliseconds(0)
    do {
      length = try play(explored, trace, on: board, by: watch) {
        watch.look(at: &$0)
      } judging: { tracker, host in
        try watch.finish(tracker, host.base)
        return host.base.now - .start
      }
    } catch {
      // A store that cannot be opened any more is a finding.
      if watch.broken.isEmpty { throw error }
    }
    var race = ExploredRace(broken: watch.broken, probes: watch.probes, length: length)
    (race.transitions, race.deliveries) = (watch.transitions, watch.deliveries)
    return (race, watch.effects)
  }

  /// Plays a race, with somebody who watches it.
  ///
  /// - Parameter judge: called at its end.
  /// - Throws: if it cannot be played.
  public static func play<Observer: HostObserver, Verdict>(
    _ explored: ExploredCase, on board: BoardDescription, by observer: Observer,
    judging judge: (borrowing Tracker, borrowing Observed<World, Observer>) throws -> Verdict
  ) throws -> Verdict {
    try play(
      explored, PreparedTrace(explored.trace), on: board, by: observer, preparing: { _ in },
      judging: judge)
  }

  static func play<Observer: HostObserver, Verdict>(
    _ explored: ExploredCase, _ trace: PreparedTrace, on board: BoardDescription,
    by observer: Observer, preparing prepare: (inout World) -> Void,
    judging judge: (borrowing Tracker, borrowing Observed<World, Observer>) throws -> Verdict
  ) throws -> Verdict {
    let settings = try explored.configuration(on: board)
    let identity = Identity(
      device: UniqueID(high: 0, low: 1), team: settings.team, seed: explored.seed,
      simPIN: explored.scenario.sim.state)
    let store = try CaptureStore.open(
      .memory, for: .device(identity.device), at: UTC(milliseconds: 0))
    var world = try World(
      TracePlayer(trace), on: board, settings, explored.scenario, store: store, seed: explored.seed)
    world.identity = identity
    var tracker = Tracker(
      board: board.board, configuration: settings.configuration, identity: identity, at: .start)
    prepare(&world)
    var host = Observed(world, by: observer)
    TrackerCore.run(&tracker, in: &host)
    if let problem = host.base.problem { throw problem }
    return try judge(tracker, host)
  }
}
