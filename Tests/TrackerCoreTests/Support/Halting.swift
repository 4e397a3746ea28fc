import Testing

@testable import TrackerCore

extension Board {
  /// One whose computer is halted between captures.
  static var halted: Board {
    var board = Board.bench
    board.loads.boardMicroamps = 100_000
    board.halting = Halting(
      microamps: 100, wakeTime: .seconds(20), wakeMicroamps: 200_000, stopTime: .seconds(5),
      keepsReceiver: true, keepsModem: false)
    return board
  }
}

extension Bench {
  static func halting(
    _ board: Board = .halted, identity: Identity = .bench,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> Bench {
    Bench(board: board, identity: identity) {
      $0.sleep = .halt
      $0.receiverUse = .dutyCycle
      adjust(&$0)
    }
  }

  /// The tracker that starts `late` after it should run again.
  func woken(
    late: Milliseconds = 0, _ adjust: (inout Memory) -> Void = { _ in }
  ) throws -> Bench {
    let time = try #require(halt)
    let at = try #require(log.last { $0.effect == .halt(time) }?.at)
    let off = time + .seconds(20) + late
    var identity = Identity.bench
    identity.nextSequence = UInt32(stored.count) + 1
    identity.memory = kept
    identity.memory.session?.begun.at = nil
    identity.memory.sleep?.at.at = .start - off
    identity.memory.charge?.at.at = .start - off
    adjust(&identity.memory)
    var bench = Bench.halting(tracker.board, identity: identity) { $0 = tracker.configuration }
    bench.date = date.map { $0 + (at - .start) + off }
    return bench
  }
}
