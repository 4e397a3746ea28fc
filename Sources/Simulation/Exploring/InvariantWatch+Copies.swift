public import BoardSupport
import CaptureStore
import FeatureService
import TrackerCore

// A card that was copied is a second tracker on the same server.
extension InvariantWatch {
  /// Plays what becomes of the copies that a run has left: each walks on where the card was copied,
  /// in the same weather, and the server knows all that came before.
  ///
  /// One after another: what the two send never crosses on its way.
  public func playCopies(
    of world: borrowing World, _ trace: @autoclosure () throws -> PreparedTrace,
    on board: BoardDescription, _ settings: ConfigurationFile, seed: UInt64
  ) throws {
    for copy in world.changes.copies {
      let before = copy.image.at - .start
      var life = scenario.later(by: 0 - before)
      (life.restarts, life.clock) = ([], [])
      // Who calls for help with both at one moment calls once for the server.
      if copy.isTwin { life.commands = [] }
      let rest = try trace().later(by: before)
      guard !rest.bursts.isEmpty else { continue }
      let watch = InvariantWatch(life, settings.configuration)
      let store = try CaptureStore.open(
        .copy(of: copy.image.bytes),
        for: copy.isTwin ? .whoever : .device(UniqueID(high: 1, low: seed &+ 1)),
        at: UTC(milliseconds: 0))
      var second = try World(
        TracePlayer(rest), on: board, settings, life, store: store, seed: seed &+ 1,
        server: world.server)
      (second.serverBegin, second.serverAge) = (world.serverUTC(at: copy.image.at), before)
      let first = Identity(
        device: store.device, team: settings.team, seed: seed &+ 1, simPIN: life.sim.state)
      second.identity = first
      let identity = try second.successor(of: first)
      watch.look(at: &second)
      watch.follow(self, isTwin: copy.isTwin)
      var tracker = Tracker(
        board: board.board, configuration: settings.configuration, identity: identity, at: .start)
      var host = Observed(second, by: watch)
      TrackerCore.run(&tracker, in: &host)
      if let problem = host.base.problem { throw problem }
      try watch.finish(tracker, host.base)
      learn(from: watch)
      hit(copy.isTwin ? .twin : .secondTracker)
    }
  }
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
