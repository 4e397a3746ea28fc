import Reports
import TestSupport
import Testing
import TrackerCore
import Wording

/// The summaries of tracker-sim in four languages.
@Suite struct ReportTextTests {
  private let note: Comment = "repeat with: swift test --filter ReportTextTests"

  @Test func `Every text is there in four languages, with the same arguments`() {
    let found =
      problems(of: ReportName.self, sameAsEnglish: ["trace", "captures", "contacts"])
      + problems(of: ReportCount.self, sameAsEnglish: ["{1} contact | {1} contacts"])
      + problems(of: ReportPhrase.self, sameAsEnglish: ["{1} mWh"])
      + problems(of: RacePhrase.self) + problems(of: SilencePhrase.self)
      + problems(of: ReplayPhrase.self)
      + problems(of: FigureName.self, sameAsEnglish: ["modem", "conversion"])
      + problems(
        of: PlanName.self, sameAsEnglish: ["charge", "modem", "interval", "captures"])
      + problems(of: PlanPhrase.self, sameAsEnglish: ["interval"])
      + problems(
        of: RunPagePhrase.self,
        sameAsEnglish: ["N", "modem", "captures", "silence", "position", "joules", "Capture"])
      + problems(of: ModemPhaseName.self) + problems(of: ComparePhrase.self)
      + problems(of: PlanFact.self) + problems(of: AdvicePhrase.self)
    #expect(found == [], note)
  }

  private enum Flawed: CaseIterable, Catalogue {
    case flawed

    var texts: Texts {
      Texts(ca: "{1} x {2} ", es: "", en: "{1} of {2} | {1} of {2}", fr: "{1} of {2} | {1} of {2}")
    }
  }

  @Test func `A flaw in a catalogue is found`() {
    let found = problems(of: Flawed.self, sameAsEnglish: ["GPS"])
    for flaw in [
      "in ca: '{1} x {2} ' has another number of forms", "in ca: '{1} x {2} ' begins or ends",
      "in es: '' is empty", "in fr: '{1} of {2} | {1} of {2}' is not translated",
      "'GPS' is in no other language",
    ] {
      #expect(found.contains { $0.contains(flaw) }, "\(flaw) in \(found); \(note)")
    }
  }

  @Test(arguments: Language.all)
  func `Every reason for a silence fits 80 columns`(_ language: Language) {
    for reason in Reason.all {
      for subject in ["capturing", "sending"] {
        let figures = Figure.object([.init("silence", .list([silence(subject, reason)]))])
        let text = TextReport.text(of: figures, in: language)
        for line in text.split(separator: "\n") {
          #expect(line.count <= TextReport.columns, "\(line); \(note)")
        }
      }
    }
  }

  private func silence(_ subject: String, _ reason: Reason) -> Figure {
    let time = Figure.real(3_599_999, decimals: 3)
    var members: [Figure.Member] = [
      .init("of", .text(subject)), .init("from", time), .init("to", time),
      .init("reason", .text("\(reason.key)")),
    ]
    if reason.detail != nil { members.append(.init("detail", .integer(Int(10_000)))) }
    return .object(members)
  }

  @Test(arguments: Language.all)
  func `A run without a capture says why, and is wrapped below its column`(_ language: Language) {
    let captures: Figure = .object([
      .init("taken", .integer(Int(0))), .init("standing_reason", .text("clockUntrusted")),
    ])
    let text = TextReport.text(of: .object([.init("captures", captures)]), in: language)
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= TextReport.columns }, "\(text); \(note)")
    let name = ReportName.because.text(in: language)
    let place = lines.firstIndex { $0.hasPrefix("  " + name) }
    let words = place.map { lines[$0].dropFirst(2 + name.count) }
    let margin = words.map { 2 + name.count + $0.prefix { $0 == " " }.count } ?? 0
    let next = place.map { lines[$0 + 1] } ?? ""
    #expect(next.prefix { $0 == " " }.count == margin && margin > 2, "\(text); \(note)")
  }

  @Test(arguments: Language.all)
  func `The heads of a plan's columns fit`(_ language: Language) {
    let widths: [(PlanName, Int)] = [
      (.interval, 8), (.lifetime, 18), (.arrive, 7), (.captures, 9), (.delivered, 10),
      (.joules, 34), (.board, 8), (.receiverColumn, 8), (.modem, 6), (.converterColumn, 9),
      (.pack, 9), (.charge, 9), (.finish, 9), (.receiver, 9), (.races, 9),
    ]
    for (name, width) in widths {
      let text = name.text(in: language)
      #expect(text.count <= width, "'\(text)' has \(text.count) of \(width) columns; \(note)")
    }
  }
}
