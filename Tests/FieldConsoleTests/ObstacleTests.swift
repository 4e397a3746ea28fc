import Testing
import TrackerCore

@testable import FieldConsole

/// What takes a person is remembered between two tries.
@Suite struct ObstacleTests {
  private let again: Comment = "repeat with: swift test --filter ObstacleTests"

  private func board(_ notes: Note...) -> StatusBoard {
    var board = StatusBoard()
    for note in notes { board.pushed(.note(note), at: .start) }
    return board
  }

  @Test func `A server that refused is not forgotten while the modem searches`() {
    let board = board(
      .sending(.unauthorised), .sending(.modemOff), .modem(.starting), .modem(.searching),
      .sending(.searching), .modem(.attached), .sending(nil))
    #expect(board.obstacle == .unauthorised, again)
  }

  @Test func `A delivery ends it`() {
    var board = board(.sending(.serverRejected(code: 400)))
    let outcome = UploadOutcome.answered(
      acknowledged: 1, refused: 0, firstRefused: CaptureKey(0), code: 0)
    board.arrived(
      .event(.uploadFinished(RequestID(1), outcome, queue: QueueCounts(pending: 0))), at: .start)
    #expect(board.obstacle == nil, again)
  }

  @Test func `A SIM that lets the modem search is there and open, a denied one is not registered`()
  {
    for reason in [Reason.noSIM, .simLocked, .simBlocked, .modemSilent] {
      #expect(board(.sending(reason), .modem(.starting)).obstacle == reason, again)
      #expect(board(.sending(reason), .modem(.searching)).obstacle == nil, again)
    }
    #expect(
      board(.sending(.registrationDenied), .modem(.searching)).obstacle == .registrationDenied,
      again)
    #expect(board(.sending(.registrationDenied), .modem(.registered)).obstacle == nil, again)
  }

  @Test func `What passes by itself is none`() {
    for reason in [Reason.searching, .noBearer, .backingOff(status: 503), .modemOff] {
      #expect(board(.sending(reason)).obstacle == nil, "\(reason); \(again)")
    }
  }
}
