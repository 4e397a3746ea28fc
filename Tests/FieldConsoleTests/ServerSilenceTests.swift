import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// What is known of a server that gives no answer.
@Suite struct ServerSilenceTests {
  private let again: Comment = "repeat with: swift test --filter ServerSilenceTests"

  private func facts(_ board: StatusBoard, after seconds: Int64) -> TrackerFacts {
    let tracker = Tracker(
      board: .none, configuration: Configuration(),
      identity: Identity(device: UniqueID(high: 1, low: 2), team: InlineText("A"), seed: 1),
      at: .start)
    return TrackerFacts(tracker, board, at: .start + .seconds(seconds))
  }

  private func end(_ outcome: UploadOutcome) -> Arrival {
    .event(.uploadFinished(RequestID(1), outcome, queue: QueueCounts(pending: 1)))
  }

  private func trouble(_ cause: FailureCause?) -> StatusBoard.Trouble {
    StatusBoard.Trouble(
      text: "it failed".texts, cause: cause, of: "https://gis.example.org", at: .start)
  }

  @Test(arguments: [FailureCause.name, .connection, .silence, .certificate, .modemCertificate])
  func `It is named, with how often it gave no answer, until one comes`(
    _ cause: FailureCause
  ) throws {
    var board = StatusBoard()
    #expect(facts(board, after: 1).sending.silentServer == nil, again)
    for (outcome, at) in [(UploadOutcome.unreachable, 10), (.ambiguous, 50)] {
      board.learned(trouble(cause))
      board.arrived(end(outcome), at: .start + .seconds(Int64(at)))
    }
    let told = try TrackerFacts(message: facts(board, after: 70).message)
    #expect(told.sending.failingFor == 70_000 && told.sending.contactsFailed == 2, again)
    #expect(told.sending.failing == cause && told.sending.lastContact == nil, again)
    #expect(told.sending.silentServer == "https://gis.example.org", again)

    board.arrived(end(.busy(status: 503, retryAfter: nil)), at: .start + .seconds(80))
    let then = facts(board, after: 90)
    #expect(then.sending.contactsFailed == 0 && then.sending.silentServer == nil, again)
  }

  @Test(arguments: [nil, FailureCause.interface, .dataConnection, .supply])
  func `Where the link is to blame no server is`(_ cause: FailureCause?) {
    var board = StatusBoard()
    board.learned(trouble(.silence))
    board.learned(trouble(cause))
    board.arrived(end(.ambiguous), at: .start)
    #expect(facts(board, after: 1).sending.silentServer == nil, again)
    #expect(facts(board, after: 1).sending.contactsFailed == 1, again)
  }

  @Test(arguments: Language.all)
  func `A limit of the path is a line of the status`(_ language: Language) {
    var facts = TrackerFacts.healthy
    func screen() -> String { StatusScreen.page(of: facts, in: language).text(width: .max) }
    #expect(!screen().contains("\n\(StatusLabel.path.text(in: language))"), again)
    facts.sending.pathLimit = 1640
    #expect(screen().contains("1640 bytes") || screen().contains("1640 octets"), again)
  }
}
