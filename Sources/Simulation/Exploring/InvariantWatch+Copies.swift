public import BoardSupport
import CaptureStore
import FeatureService
import TrackerCore

// A card that was copied is a second tracker on the same server.
extension InvariantWatch {
  /// The second tracker of each card that is copied in a run walks on beside the first, in the same
  /// weather, and what the two send may cross on its way.
  ///
  /// Call it before `look`.
  public func playCopies(
    of trace: @autoclosure @escaping () throws -> PreparedTrace, on board: BoardDescription,
    _ settings: ConfigurationFile, seed: UInt64
  ) {
    guard scenario.restarts.contains(where: { $0.card == .copied || $0.card == .twin }) else {
      return
    }
    makeCopy = { [unowned self] copy, world in
      try CopiedTracker(
        copy, beside: self, in: world, try trace(), on: board, settings, seed: seed &+ 1)
    }
  }

  /// The first tracker has come to this time: the others follow.
  func advanceCopies(of world: borrowing World) {
    do {
      while copies.count < world.changes.copies.count, let makeCopy {
        let card = world.changes.copies[copies.count]
        copies.append(try makeCopy(card, world))
        beginSharing(isTwin: card.isTwin)
      }
      for copy in copies { try copy.run(until: world.sliceEnd) }
    } catch {
      copyProblem = copyProblem ?? error
    }
  }

  /// All play to their ends, and what one has found on the server holds for all.
  func endCopies(of world: borrowing World) throws {
    advanceCopies(of: world)
    for copy in copies { try copy.end() }
    if let copyProblem { throw copyProblem }
    guard !copies.isEmpty else { return }
    let all = Dictionary(grouping: taken + copies.flatMap { $0.watch.taken }, by: \.objectID)
    taken = all.values.compactMap(\.first).sorted { $0.objectID < $1.objectID }
    for copy in copies { elsewhere += try copy.stored + copy.watch.elsewhere }
  }

  func judgeCopies() throws {
    for copy in copies {
      copy.watch.know(self)
      try copy.judge()
      learn(from: copy.watch)
      hit(copy.isTwin ? .twin : .secondTracker)
    }
  }
}

/// A tracker that has begun with what was on another one's card, on the same server.
final class CopiedTracker {
  let watch: InvariantWatch
  let isTwin: Bool
  private let begun: Instant
  private var tracker: Tracker
  private var host: Observed<World, InvariantWatch>

  init(
    _ copy: World.CardCopy, beside first: InvariantWatch, in world: borrowing World,
    _ trace: PreparedTrace, on board: BoardDescription, _ settings: ConfigurationFile, seed: UInt64
  ) throws {
    (isTwin, begun) = (copy.isTwin, copy.image.at)
    let before = begun - .start
    var life = first.scenario.later(by: 0 - before)
    (life.restarts, life.reloads, life.clock, life.people) = ([], [], [], [])
    // Who calls for help with both at one moment calls once for the server.
    if isTwin { life.commands = [] }
    let store = try CaptureStore.open(
      .copy(of: copy.image.bytes),
      for: isTwin ? .whoever : .device(UniqueID(high: 1, low: seed)), at: UTC(milliseconds: 0))
    var second = try World(
      TracePlayer(trace.later(by: before)), on: board, settings, life, store: store, seed: seed,
      server: world.server)
    (second.serverBegin, second.serverAge) = (world.serverUTC(at: begun), before)
    let identity = Identity(
      device: store.device, team: settings.team, seed: seed, simPIN: life.sim.state)
    second.identity = identity
    watch = InvariantWatch(life, settings.configuration)
    watch.look(at: &second)
    watch.follow(first, isTwin: isTwin)
    tracker = Tracker(
      board: board.board, configuration: settings.configuration,
      identity: try second.successor(of: identity), at: .start)
    host = Observed(second, by: watch)
  }

  /// Lets everything happen that happens up to a time of the first one.
  func run(until end: Instant) throws {
    host.base.sliceEnd = end < .distantFuture ? end + (.start - begun) : end
    TrackerCore.run(&tracker, in: &host)
    if let problem = host.base.problem { throw problem }
  }

  func end() throws {
    try run(until: .distantFuture)
    watch.keep(tracker, host.base)
  }

  var stored: [StoredCapture] { get throws { try host.base.store.page(limit: .max) } }

  func judge() throws { try watch.judgeEnd(tracker, host.base) }
}

extension PreparedTrace {
  /// What is left of it after some time, from which a run begins.
  fileprivate func later(by time: Milliseconds) -> PreparedTrace {
    let first = bursts.firstIndex { $0.at - .start >= time } ?? bursts.endIndex
    let start = first > 0 ? bursts[first - 1].end : 0
    let rest = bursts[first...].map { Burst(at: $0.at + (0 - time), end: $0.end - start) }
    return PreparedTrace(bytes: Array(bytes[start...]), bursts: rest)
  }
}
