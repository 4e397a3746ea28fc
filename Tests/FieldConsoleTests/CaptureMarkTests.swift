import CaptureStore
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// Where on the course captures were taken, as a script finds it.
@Suite struct CaptureMarkTests {
  private let again: Comment = "repeat with: swift test --filter CaptureMarkTests"

  private func console(_ captures: [Capture]) throws -> Console<FakeBackend> {
    let store = try CaptureStore.open(.memory, at: Walk.start)
    for capture in captures { try store.append(capture, at: Walk.start) }
    var backend = FakeBackend()
    backend.store = store
    return Console(backend)
  }

  @Test func `captures and show have members of the course only where there is one`() throws {
    var without = try console([Walk.capture(1), Walk.capture(2)])
    for line in ["captures", "show 2"] {
      #expect(!without.answer(line: line).figure.json.contains("doneMetres"), again)
    }
    var capture = Walk.capture(1)
    capture.mark = CourseMark(doneMetres: 38_640, toGoMetres: 62_400)
    var with = try console([capture, Walk.capture(2)])
    let list = with.answer(line: "captures")
    #expect(list.text.contains("\n        38.6 km done, 62.4 to go\n"), again)
    #expect(list.text.pieces(between: "km done").count == 2, again)
    let figure = with.answer(line: "show 1").figure
    #expect(figure[path: "doneMetres"] == .integer(38_640), again)
    #expect(figure[path: "toGoMetres"] == .integer(62_400), again)
    #expect(figure[path: "place"] == Optional(Figure.none), again)
  }
}
