import CaptureStore
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import BoardSupport
@testable import FieldConsole

/// Problems on their way from where they arise to a person, who may have another language.
@Suite struct ProblemLanguageTests {
  private let again: Comment = "repeat with: swift test --filter ProblemLanguageTests"
  private let full = StoreError(.diskFull, path: "q.db", detail: "insert: full (SQLite 13)")

  @Test func `A tracker's problem arrives in every language, and English for scripts`() throws {
    var facts = TrackerFacts()
    facts.store.problem = full.texts
    facts.machine.pinsProblem = "pin 7".texts
    facts.store.news = [full.texts, "another".texts]
    let read = try TrackerFacts(message: facts.message)
    #expect(read == facts, "\(facts.message); \(again)")
    let member = facts.figures.first { $0.name == "storeProblem" }
    #expect(member?.figure == .text(full.texts.english), again)
    for language in Language.all {
      let status = StatusScreen.page(of: read, in: language).text(width: .max)
      #expect(status.contains(full.texts[language]), "\(status); \(again)")
    }
  }

  @Test func `A refusal of another version is understood in English`() {
    #expect(ConsoleError(lines: "error no such thing\n").texts == "no such thing".texts, again)
    #expect(ConsoleError(lines: "").texts == "".texts, again)
  }

  @Test func `A refusal arrives in every language, on one line each`() {
    let hostile = Texts(ca: "a\nes b", es: "b\u{1B}[2J", en: "c\r\nok", fr: "d")
    let read = ConsoleError(lines: ConsoleError(hostile).lines).texts
    #expect(read == hostile.map(\.plain), "\(read); \(again)")
    let problem = ConsoleError(full)
    #expect(ConsoleError(lines: problem.lines) == problem, again)
  }

  @Test func `A console answers a refusal in its language`() {
    for language in Language.all {
      let answer = Answer.refusal(full.texts[language], key: "refused")
      var backend = FakeBackend()
      backend.refusal = full.texts
      var console = Console(backend, language: language)
      #expect(console.answer(line: "send now").page == answer.page, again)
    }
  }

  @Test(arguments: [
    ("5 min", "interval", nil as String?), ("5", "interval", "no té unitat"),
    ("2 d", "interval", "no és una durada"), ("48 h", "interval", "fora de marge"),
    ("-5 min", "interval", "és negatiu"), ("1,5 min", "interval", "té una coma"),
    ("999999999999999999999 h", "interval", "massa xifres"), ("0.0001 s", "interval", "xifres"),
    ("walk", "policy", "escriviu"), ("rout", "policy", "volíeu dir"),
    ("tomorrow", "finish", "no és una data"), ("2027-02-30T10:00", "finish", "no existeix"),
    ("2027-04-18T12:00", "finish", "fus horari"), ("1000 m", "every", nil),
    ("de", "language", "escriviu"), ("95 %", "reserve", "quedar per gastar"),
  ])
  func `A wrong value is refused in words, none of them English`(
    _ value: String, _ word: String, _ says: String?
  ) throws {
    let key = try #require(SettingKey(rawValue: word))
    let file = try SettingsFile(FileNode.parse(Array("{}".utf8), path: "f"))
    let refused: FileError?
    do throws(FileError) {
      _ = try SettingsInForce(file).ordering(
        OrderedValue(key, value), by: "anna", given: Moment(), session: 1)
      refused = nil
    } catch { refused = error }
    guard let says, let texts = refused?.texts else {
      #expect(refused == nil && says == nil, "\(refused as Any); \(again)")
      return
    }
    #expect(texts.catalan.contains(says), "\(texts); \(again)")
    #expect(Set(Language.all.map { texts[$0] }).count == 4, "\(texts); \(again)")
    #expect(Language.all.allSatisfy { !texts[$0].contains("\n") }, "\(texts); \(again)")
  }
}
