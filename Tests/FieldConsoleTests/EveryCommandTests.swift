import CaptureStore
import Foundation
import Notes
import TestSupport
import Testing
import TrackerCore
import Uplink
import Wording

@testable import FieldConsole

/// Each command that `help` lists, with its answer, in each language: `Transcripts/en.txt` and so
/// on. A new command does not compile before it has its lines here.
@Suite struct EveryCommandTests {
  private static let isWriting = ProcessInfo.processInfo.environment["WRITE_TRANSCRIPTS"] != nil
  private static let again = """
    if it is meant: WRITE_TRANSCRIPTS=1 swift test --filter EveryCommandTests, and look at the \
    difference
    """

  private static func lines(_ verb: ConsoleCommand.Verb) -> [String] {
    switch verb {
    case .status: ["status"]
    case .captures: ["captures", "captures 1", "captures sent", "captures server"]
    case .show: ["show 2", "show 9"]
    case .why: ["why"]
    case .proof: ["proof", "proof server"]
    case .stats:
      ["stats", "stats 1 every 50", "stats every 5", "stats sessions", "stats session 2"]
    case .events: ["events", "events 0"]
    case .log: ["log 2"]
    case .messages: ["messages", "messages 1"]
    case .notes: ["notes", "notes 1"]
    case .note:
      [
        "note \"battery changed at CP4\" equipment", "note 1", "note 1 \"at CP5\"",
        "note r2 delete", "note 9", "note CP4 CP5", "note",
      ]
    case .start: ["start"]
    case .stop: ["stop"]
    case .send: ["send now"]
    case .capture: ["capture now"]
    case .emergency: ["emergency", "emergency over", "emergency broken ankle"]
    case .set: ["set interval 5 min", "set interval soon"]
    case .get: ["get"]
    case .undo: ["undo"]
    case .unset: ["unset team"]
    case .retry: ["retry all", "retry 2"]
    case .pin: ["pin try", "pin"]
    case .attempt: ["try", "try now"]
    case .selfTest: ["self-test"]
    case .watch: ["watch"]
    case .report: ["report tonight.txt"]
    case .export: ["export"]
    case .help: ["help", "help proof"]
    case .version: ["version"]
    case .exit: ["exit"]
    }
  }

  /// Three captures: one sent, one set aside, on a course, one waiting.
  private static func backend() throws -> FakeBackend {
    let store = try CaptureStore.open(
      .memory, for: .device(UniqueID(high: 0x3F2A_0000_0000_0000, low: 1)), at: Walk.start)
    store.placeNames = ["Olot", "Sant Feliu de Pallerols"]
    for number in UInt32(1)...3 {
      var capture = Walk.capture(number)
      if number == 2 {
        capture.mark = CourseMark(doneMetres: 38_640, toGoMetres: 62_400, place: 1)
        capture.trigger = .entered
      }
      try store.append(capture, at: Walk.start)
    }
    _ = try store.acknowledge([CaptureKey(1)], at: Walk.start + .minutes(1))
    _ = try store.setAside([CaptureKey(2)], code: 400, at: Walk.start + .minutes(2))
    let written = Walk.start + .minutes(3)
    try store.keep([
      KeptMessage(
        number: 1, kind: .message, text: "wait\u{1B}[2J at the bridge", author: "Marta",
        created: written),
      KeptMessage(number: 2, kind: .read, text: "", author: "Pau", created: written, sequence: 3),
      KeptMessage(
        number: 3, kind: .ended, text: "picked up", author: "Pau", created: nil, sequence: 3),
    ])
    try Self.keepNotes(in: store)
    var backend = FakeBackend()
    backend.store = store
    backend.known.queue.setAside = 1
    backend.known.identity.device = "3f2a0000-0000-0000-0000-000000000001"
    (backend.known.receiver.latitude, backend.known.receiver.longitude) = (418_000_000, 21_000_000)
    (backend.known.battery.millivolts, backend.known.battery.percent) = (7411, 46)
    backend.known.modem.port = .connected
    backend.known.session.number = 1
    backend.known.session.age = backend.known.identity.runningFor
    backend.onServer = [CaptureKey(1)]
    // The first is of a store that is gone, the last of a card with the same identity.
    backend.served = (UInt32(0)...3).map { number in
      var served = ServedCapture(
        object: Int64(number), id: UniqueID(device: store.device, sequence: number))
      let capture = Walk.capture(number)
      (served.time, served.position) = (capture.utc, capture.position)
      if number > 0 { served.team = number < 3 ? "Els Senglars" : "Els Llops" }
      if number == 3 { served.time = served.time.map { $0 + .minutes(2) } }
      return served
    }
    backend.logLines = ["started", "captured sequence=3"]
    backend.settings = "{ team: 'Els Senglars', password: 'cabra' }"
    let change = "key interval\npath capture.interval\nvalue 5 min\nbefore 10 min\n"
    backend.answers = [
      "why": "capturing 3600000 3000000 notDue\ncapturing 3600000 600000 noFix\n"
        + "sending 3600000 9000 none\nsending 3600000 3591000 searching\n",
      "start": "", "stop": "", "send": "", "capture": "", "pin": "",
      "emergency": "", "emergency over": "", "note add health broken ankle": "4\n",
      "note add equipment battery changed at CP4": "3\n", "note edit 1 - at CP5": "1\n",
      "note delete r2": "r2\n",
      "try": "", "try now": "",
      "set interval 5 min": change + "beforeBy anna@ttyS0\nbeforeAgo 90000\n",
      "get": "setting interval 5 min\nby interval anna@ttyS0\nago interval 7200000\n"
        + "file interval 10 min\nsetting finish -\n",
      "undo": "key interval\nvalue 10 min\nbefore 5 min\n", "undo team": "key team\nvalue A\n",
      "retry all": "3\n", "retry 2": "1\n",
    ]
    for count in ["15", "300"] {
      backend.answers["events \(count)"] =
        "190000 captured 12\n60000 delivered 1\n5000 delivered 12\n0 sessionStarted\n"
    }
    return backend
  }

  /// One of the team that both have changed, one of the organisers, and a deleted one.
  private static func keepNotes(in store: CaptureStore) throws {
    let (own, room) = (store.device.lowercaseText, VersionID.room)
    let (first, later) = (Walk.start + .minutes(4), Walk.start + .minutes(9))
    var book = Notebook()
    let note = try book.change(
      .add(text: "battery changed", category: "equipment"), by: own, author: "anna@ttyS0",
      at: first
    ).note
    var other = book
    let edit = { (text: String) in NoteChange.edit(note, text: text, category: nil) }
    _ = try book.change(edit("changed at CP4"), by: own, author: "anna@ttyS0", at: later)
    _ = try other.change(edit("changed at CP3"), by: room, author: "Pau", at: later)
    _ = try other.change(
      .add(text: "bus\u{1B}[2J at 5", category: "transport"), by: room, author: "Marta", at: nil)
    let gone = try other.change(
      .add(text: "wrong", category: "health"), by: room, author: "Marta", at: later)
    _ = try other.change(.delete(gone.note), by: room, author: "Marta", at: later)
    try store.keep(Array(other.versions)) { _ in 0 }
    try store.keep(Array(book.versions))
  }

  /// What a person reads, with what the door adds.
  private static func transcript(of line: String, in language: Language) throws -> String {
    var console = Console(try backend(), language: language)
    var answer = console.answer(line: line, isConfirmed: false)
    var text = answer.page.text()
    switch answer.sequel {
    case .nothing, .leave: break
    case .confirm(let command):
      answer = console.answer(command)
      text += "> yes\n" + answer.page.text()
    case .follow(let start):
      var progress = Progress(since: start, in: language)
      text += progress.take(start).text()
    case .watch: text += console.answer(line: "status").page.text()
    case .save(let name): text += console.saved(name, bytes: 2048).page.text()
    case .exportToStick: text += console.exported(3, to: "/dev/sda1", isFree: true).page.text()
    }
    return "> \(line)\n\(text)\n"
  }

  private static func transcript(in language: Language) throws -> String {
    try ConsoleCommand.Verb.allCases.flatMap { lines($0) }
      .map { try transcript(of: $0, in: language) }.joined()
  }

  @Test(arguments: Language.all)
  func `Each command reads as expected`(_ language: Language) throws {
    let text = try Self.transcript(in: language)
    let file = Built.repository.appendingPathComponent(
      "Tests/FieldConsoleTests/Transcripts/\(language.code).txt")
    if Self.isWriting { try text.write(to: file, atomically: true, encoding: .utf8) }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(Self.again)")
    for line in text.split(separator: "\n") {
      #expect(line.count <= 80 || line.hasPrefix("   "), "\(line); \(Self.again)")
    }
    #expect(!text.contains("cabra"), "\(Self.again)")
    #expect(!Self.isWriting, "the transcripts are written; run again without WRITE_TRANSCRIPTS")
  }

  @Test func `Each word that help lists is among them, and does something`() throws {
    var console = Console(try Self.backend(), language: .english)
    let listed = console.answer(line: "help").text.split(separator: "\n")
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(listed.count == ConsoleCommand.Verb.allCases.count, "\(listed); \(Self.again)")
    for word in listed {
      let verb = try #require(ConsoleCommand.Verb(rawValue: word), "\(word); \(Self.again)")
      let line = try #require(Self.lines(verb).first, "\(word); \(Self.again)")
      #expect(line.split(separator: " ").first.map(String.init) == word, "\(Self.again)")
      let answer = console.answer(line: line)
      #expect(!answer.isRefusal, "\(line): \(answer.text); \(Self.again)")
    }
  }
}
