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

  @Test(arguments: ServerSilence.Kind.allCases)
  func `It is named with its manner, since the first request without an answer, until one comes`(
    _ kind: ServerSilence.Kind
  ) {
    var board = StatusBoard()
    #expect(facts(board, after: 1).unansweredFor == nil, again)
    board.noAnswer(ServerSilence(kind, of: "https://gis.example.org"))
    board.arrived(end(.unreachable), at: .start + .seconds(10))
    board.noAnswer(ServerSilence(kind, of: "https://gis.example.org"))
    board.arrived(end(.ambiguous), at: .start + .seconds(50))
    let told = TrackerFacts(lines: facts(board, after: 70).lines)
    #expect(told.unansweredFor == 60_000 && told.contactsFailed == 2, again)
    #expect(told.silence == kind.rawValue && told.lastContact == nil, again)
    #expect(told.silentServer == "https://gis.example.org", again)

    board.arrived(end(.busy(status: 503, retryAfter: nil)), at: .start + .seconds(80))
    let then = facts(board, after: 90)
    #expect(then.unansweredFor == nil && then.silence == nil && then.silentServer == nil, again)
  }

  @Test func `Where the link is to blame no server is`() {
    var board = StatusBoard()
    board.noAnswer(ServerSilence(.noAnswer, of: "https://gis.example.org"))
    board.noAnswer(nil)
    board.arrived(end(.ambiguous), at: .start)
    #expect(facts(board, after: 1).silence == nil, again)
    #expect(facts(board, after: 1).unansweredFor == 1000, again)
  }

  @Test(arguments: Language.all)
  func `A limit of the path is a line of the status`(_ language: Language) {
    var facts = TrackerFacts.healthy
    func screen() -> String { StatusScreen.page(of: facts, in: language).text(width: .max) }
    #expect(!screen().contains("\n\(StatusLabel.path.text(in: language))"), again)
    facts.pathLimit = 1640
    #expect(screen().contains("1640 bytes") || screen().contains("1640 octets"), again)
  }
}
