import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// All that the console says, in all languages.
@Suite struct ConsoleTextTests {
  private let again: Comment = "repeat with: swift test --filter ConsoleTextTests"

  @Test func `No catalogue lacks a text, a translation or an argument`() {
    let found =
      problems(
        of: ConsolePhrase.self,
        sameAsEnglish: [
          "{1}: {2}", "batt", "position", "altitude", "satellites", "code", "active",
        ])
      + problems(
        of: StatusLabel.self,
        sameAsEnglish: ["session", "position", "contacts", "charge", "modem", "pins"])
      + problems(
        of: StatusValue.self,
        sameAsEnglish: ["no: {1}", "signal {1} dBm", "{1} capture | {1} captures"])
      + problems(of: EventPhrase.self, sameAsEnglish: ["capture {1}"])
      + problems(of: HistoryPhrase.self)
      + problems(of: TriggerPhrase.self, sameAsEnglish: ["interval"])
      + problems(of: ModemPhaseName.self) + problems(of: VerdictPhrase.self)
      + problems(of: BatteryText.Phrase.self) + problems(of: FinishText.Phrase.self)
      + problems(of: SelfTest.Part.self, sameAsEnglish: ["position", "pins", "modem", "SIM"])
      + problems(of: SelfTest.Cure.self)
      + problems(of: CauseTitle.self) + problems(of: CauseThreshold.self)
      + problems(of: CauseAction.self, sameAsEnglish: ["sudo systemctl restart trackerd"])
      + problems(of: VerbMeaning.self)
    #expect(found == [], again)
  }

  @Test func `While an emergency stands contacts come at once, whatever the interval`() {
    var facts = TrackerFacts.healthy
    facts.sending.interval = .minutes(10)
    func contacts() -> Substring? {
      StatusScreen.page(of: facts, in: .english).text(width: .max).split(separator: "\n")
        .first { $0.hasPrefix("contacts:") }
    }
    for stage in TrackerFacts.Emergency.Stage.allCases {
      facts.emergency.stage = stage
      let isUsual = contacts()?.contains("10 min apart") ?? false
      #expect(isUsual == [.withdrawn, .ended].contains(stage), "\(stage); \(again)")
    }
  }

  @Test func `An emergency stands although its note was refused`() throws {
    var backend = FakeBackend()
    backend.answers = ["emergency": ""]
    var console = Console(backend, language: .english)
    let command = try ConsoleCommand(line: "emergency broken ankle")
    let answer = console.answer(command)
    #expect(answer.exitCode == 0, "\(answer.page.text()); \(again)")
    let lines = answer.page.text().split(separator: "\n")
    #expect(lines.first?.hasPrefix("the emergency stands") ?? false, "\(lines); \(again)")
    #expect(lines.last?.contains("note add health broken ankle") ?? false, "\(lines); \(again)")
  }

  @Test func `The help fits 80 columns in every language`() {
    for language in Language.all {
      var console = Console(FakeBackend(), language: language)
      let page = console.answer(line: "help").page
      #expect(page.text() == page.text(width: .max), "\(page.text()); \(again)")
    }
  }
}

/// The texts of a cause or verb as a catalogue, so that the same check looks at them.
protocol TextsOf: Catalogue {
  associatedtype Subject: CaseIterable & Sendable
  var subject: Subject { get }
  init(subject: Subject)
}

extension TextsOf {
  static var allCases: [Self] { Subject.allCases.map { Self(subject: $0) } }
}

struct CauseTitle: TextsOf {
  let subject: Cause
  var texts: Texts { subject.title }
}

struct CauseThreshold: TextsOf {
  let subject: Cause
  var texts: Texts { subject.threshold }
}

struct CauseAction: TextsOf {
  let subject: Cause
  var texts: Texts { subject.action }
}

struct VerbMeaning: TextsOf {
  let subject: ConsoleCommand.Verb
  var texts: Texts { subject.meaning }
}
