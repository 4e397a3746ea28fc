import CaptureStore
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// `stats sessions` and `stats session N`.
@Suite struct SessionListTests {
  private let again: Comment = "repeat with: swift test --filter SessionListTests"

  /// Two sessions a week apart, of two captures and of three, the second one of another team.
  private func console() throws -> Console<FakeBackend> {
    let store = try CaptureStore.open(
      .memory, for: .device(UniqueID(high: 1, low: 1)), at: Walk.start)
    for sequence in 1...5 as ClosedRange<UInt32> {
      var capture = Walk.capture(sequence)
      if sequence > 2 {
        capture.utc = capture.utc.map { $0 + .hours(7 * 24) }
        capture.team = InlineText("Sud")
      }
      if sequence == 3 { capture.trigger = .start }
      try store.append(capture, at: Walk.start)
    }
    var backend = FakeBackend()
    backend.store = store
    return Console(backend, language: .english)
  }

  @Test func `The sessions of a store are listed with their numbers, dates, captures and teams`()
    throws
  {
    var console = try console()
    #expect(
      console.answer(line: "stats sessions").page.text(width: 80) == """
        1  2012-10-06 10:00:10  2 captures  Els Senglars
        2  2012-10-13 10:00:30  3 captures  Sud

        """, again)
  }

  @Test func `An earlier session is chosen by its number, and the last one without`() throws {
    var console = try console()
    func first(_ line: String) -> String {
      String(console.answer(line: line).page.text(width: 80).prefix { $0 != "\n" })
    }
    #expect(first("stats session 1") == "session since 2012-10-06 10:00:10 UTC", again)
    #expect(first("stats 5 session 1 every 50") == "session since 2012-10-06 10:00:10 UTC", again)
    #expect(first("stats session 2") == first("stats"), again)
    #expect(first("stats") == "session since 2012-10-13 10:00:30 UTC", again)
    let text = console.answer(line: "stats").page.text(width: 80)
    #expect(text.contains("1 earlier session: stats sessions"), "\(text); \(again)")
  }

  @Test(arguments: [
    ("stats session 3", "there is no session 3, there are 2: see stats sessions"),
    ("stats session 0", "'0' is not a number from 1 to 1000"),
    ("stats session", "stats [N] [every M]"), ("stats sessions 2", "stats [N] [every M]"),
  ])
  func `A session that is not there is refused in one line`(line: String, wanted: String) throws {
    var console = try console()
    let answer = console.answer(line: line)
    let text = answer.page.text(width: 200)
    #expect(answer.isRefusal && text.contains(wanted), "\(text); \(again)")
    #expect(text.split(separator: "\n").count == 1, "\(text); \(again)")
  }
}
