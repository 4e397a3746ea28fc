import Testing
import TrackerCore
import Wording

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

  @Test func `What passes by itself is not an obstacle`() {
    for reason in [Reason.searching, .noBearer, .backingOff(status: 503), .modemOff] {
      #expect(board(.sending(reason)).obstacle == nil, "\(reason); \(again)")
    }
  }

  @Test func `An operator that is no longer reported is unknown`() {
    let name = Note.networkOperator(InlineText("Movistar"))
    #expect(board(name).networkOperator == "Movistar", again)
    #expect(board(name, .networkOperator(InlineText())).networkOperator == nil, again)
  }

  @Test func `SIM and network are as old as the end of the phase that proved them`() {
    var board = board(.modem(.checkingSIM))
    #expect(board.simReady(at: .start) == nil && board.registered(at: .start) == nil, again)
    board.pushed(.note(.modem(.searching)), at: .start + .seconds(5))
    #expect(board.simReady(at: .start + .seconds(9)) == 0, again)
    #expect(board.registered(at: .start + .seconds(9)) == nil, again)
    board.pushed(.note(.modem(.registered)), at: .start + .seconds(10))
    #expect(board.registered(at: .start + .hours(2)) == 0, again)
    board.pushed(.note(.modem(.stopping)), at: .start + .seconds(30))
    #expect(board.simReady(at: .start + .seconds(90)) == .seconds(60), again)
    #expect(board.registered(at: .start + .seconds(90)) == .seconds(60), again)
  }

  @Test func `The modem's line fits 80 columns with the longest operator`() {
    var facts = TrackerFacts.healthy
    facts.modem.network = String(repeating: "M", count: 24)
    facts.modem.signal = -113
    // Line breaks are for what only a broken modem is.
    for phase in ModemPhaseName.allCases where phase != .stillOn {
      facts.modem.phase = phase
      for language in Language.all {
        let page = StatusScreen.page(of: facts, in: language)
        let lines = page.text(width: .max).split(separator: "\n").filter { $0.contains("MMM") }
        #expect(lines.count == 1 && lines[0].count <= 80, "\(lines); \(again)")
      }
    }
  }
}
