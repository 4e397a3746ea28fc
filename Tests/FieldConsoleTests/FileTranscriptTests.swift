import CaptureStore
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// The commands whose answer goes to a file, to a stick, or comes from the server.
@Suite struct FileTranscriptTests {
  private let again: Comment = "repeat with: swift test --filter FileTranscriptTests"

  private func console(
    _ change: (inout FakeBackend) -> Void = { _ in }
  ) throws -> Console<FakeBackend> {
    var backend = FakeBackend()
    let store = try CaptureStore.open(
      .memory, for: .device(UniqueID(high: 0x3F2A_0000_0000_0000, low: 1)), at: Walk.start)
    try Walk.fill(store, 12)
    _ = try store.acknowledge((1...10).map { CaptureKey($0) }, at: Walk.start + .minutes(1))
    backend.store = store
    change(&backend)
    return Console(backend, language: .english)
  }

  // MARK: proof server

  @Test func `proof server says that the server has all that it acknowledged`() throws {
    var console = try console { $0.onServer = Set((1...10).map { CaptureKey($0) }) }
    let answer = console.answer(line: "proof server")
    #expect(
      answer.text == """
        All captures of this tracker, by its store:
          3f2a: 1 to 12; captured 12: 2 waiting, 10 delivered, 0 set aside; gaps 0
        complete: none is missing
        the server has 10 of the 10 acknowledged
        """, "\(answer.text); \(again)")
    #expect(answer.exitCode == 0 && answer.names == ["missing", "devices", "server"], again)
    #expect(answer.figure[path: "server.asked"] == .integer(10), again)
  }

  @Test func `proof server names the first eight that the server lacks, and fails`() throws {
    var console = try console { $0.onServer = [CaptureKey(7)] }
    let answer = console.answer(line: "proof server")
    let lines = answer.text.split(separator: "\n")
    #expect(lines.contains("the server has 1 of the 10 acknowledged"), "\(answer.text); \(again)")
    #expect(
      lines.last == "THE SERVER lacks 9: 1, 2, 3, 4, 5, 6, 8, 9 …", "\(answer.text); \(again)")
    #expect(answer.exitCode == 1, again)
  }

  @Test func `proof server without an answer says so below the store's, and fails`() throws {
    var console = try console()
    let answer = console.answer(line: "proof server")
    #expect(
      answer.text.hasSuffix(
        "none is missing\nthe server could not be asked: no configuration names it"),
      "\(answer.text); \(again)")
    #expect(answer.exitCode == 1 && answer.figure[path: "server"] == Figure.none, again)
    #expect(console.answer(line: "proof everyone").text == "write: proof [server]", again)
  }

  // MARK: report FILE

  @Test func `report has all of the others, the settings and the log, and no secret`() throws {
    var console = try console {
      $0.answers = ["why": "", "events 300": "0 sessionStarted\n", "get": "setting interval 5 min"]
      $0.logLines = ["started", "logged in as password=cabra"]
      $0.settings = "{\n  team: 'Els Senglars',\n  password: 'cabra',\n}\n"
    }
    let answer = console.answer(line: "report tonight.txt")
    let headings = answer.text.split(separator: "\n").filter { $0.hasPrefix("== ") }
    #expect(
      headings == [
        "== status ==", "== why ==", "== self-test ==", "== proof ==", "== stats ==",
        "== captures ==", "== captures aside ==", "== get ==", "== events ==", "== log ==",
        "== messages ==", "== notes ==",
        "== settings ==",
      ], "\(headings); \(again)")
    for line in [
      "Els Senglars  17  GO", "  team: 'Els Senglars',", "interval:    5 min", "  password: ***",
      "complete: none is missing", "started",
    ] {
      #expect(answer.text.split(separator: "\n").contains { $0 == line }, "no \(line); \(again)")
    }
    #expect(!answer.text.contains("cabra"), "\(answer.text); \(again)")
    #expect(answer.sequel == .save("tonight.txt") && answer.exitCode == 0, again)
  }

  @Test func `Of a tracker that does not answer the report has what its files tell`() throws {
    var console = try console {
      $0.known.identity.presence = .hung
      $0.settings = "{}"
    }
    let answer = console.answer(line: "report a")
    for text in ["trackerd does not answer", "none is missing", "12 captures: ", "\n{}"] {
      #expect(answer.text.contains(text), "no \(text): \(answer.text); \(again)")
    }
    #expect(console.backend.asked.isEmpty, "\(console.backend.asked); \(again)")
  }

  @Test func `A report is one file with a name, and its door says where it is`() throws {
    var console = try console()
    #expect(console.answer(line: "report").text == "write: report FILE", again)
    #expect(console.answer(line: "report a b").text == "write: report FILE", again)
    #expect(console.saved("a", bytes: 2048).text == "written: a, 2 KB", again)
    let taken = console.notSaved("a", "File exists", exists: true)
    #expect(taken.text == "a exists already; give another name" && taken.exitCode == 2, again)
    let failed = console.notSaved("a", "No space left on device", exists: false)
    #expect(failed.text == "a cannot be written: No space left on device", again)
  }

  // MARK: export

  @Test func `export leaves it to the door, which says when the stick may be pulled out`() throws {
    var console = try console()
    let answer = console.answer(line: "export")
    #expect(answer.sequel == .exportToStick && answer.page.isEmpty, again)
    #expect(console.answer(line: "export now").text == "write: export", again)
    let one = console.exported(1, to: "/dev/sda1", isFree: true)
    #expect(one.text == "1 capture is on /dev/sda1; pull it out", again)
    #expect(one.names == ["exported"] && one.exitCode == 0, again)
    #expect(
      console.exported(2, to: "/media/x", isFree: false).text
        == "2 captures are on /media/x, which stays mounted", again)
    let none = console.notExported("no stick is plugged in\u{1B}[2J")
    #expect(none.text == "no stick is plugged in [2J" && none.exitCode == 2, again)
    #expect(console.withoutStick().text.hasPrefix("nothing can be exported from here"), again)
  }
}
