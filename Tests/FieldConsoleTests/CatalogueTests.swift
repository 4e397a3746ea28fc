import Testing
import TrackerCore
import Wording

@Suite struct CatalogueTests {
  private enum Sample: CaseIterable, Catalogue {
    case waiting, order

    var texts: Texts {
      switch self {
      case .waiting:
        Texts(
          ca: "{1} captura | {1} captures", es: "{1} captura | {1} capturas",
          en: "{1} capture | {1} captures", fr: "{1} capture | {1} captures")
      case .order:
        Texts(ca: "{2} de {1}", es: "{2} de {1}", en: "{1}'s {2}", fr: "{2} de {1}")
      }
    }
  }

  private let command: Comment = "repeat with: swift test --filter CatalogueTests"

  @Test func `Each language has its own order of arguments`() {
    #expect(Sample.order.text(in: .english, "Anna", "SIM") == "Anna's SIM", command)
    #expect(Sample.order.text(in: .french, "Anna", "SIM") == "SIM de Anna", command)
  }

  @Test func `A missing argument leaves a gap, and braces of a person's stay`() {
    #expect(Sample.order.text(in: .english, "{2}") == "{2}'s ", command)
  }

  @Test func `One is singular, and zero only in French`() {
    #expect(Sample.waiting.text(in: .english, count: 1) == "1 capture", command)
    #expect(Sample.waiting.text(in: .english, count: 0) == "0 captures", command)
    #expect(Sample.waiting.text(in: .french, count: 0) == "0 capture", command)
    #expect(Sample.waiting.text(in: .spanish, count: 12_345) == "12.345 capturas", command)
  }

  @Test(arguments: [
    ("ca_ES.UTF-8", Language.catalan), ("fr", .french), ("es-MX", .spanish), ("EN_gb", .english),
  ])
  func `A language is known by its code`(_ code: String, _ language: Language) {
    #expect(Language(code: code) == language, command)
  }

  @Test(arguments: ["", "c", "C", "POSIX", "cat", "espanol", "de_DE.UTF-8"])
  func `Other words are not languages of ours`(_ code: String) {
    #expect(Language(code: code) == nil, command)
  }

  @Test func `The first variable that is set decides`() {
    let set = ["LC_ALL": "", "LC_MESSAGES": "ca_ES", "LANG": "fr_FR"]
    #expect(Language.of { set[$0] } == .catalan, command)
    #expect(Language.of { ["LC_ALL": "C", "LANG": "fr"][$0] } == nil, command)
  }

  @Test func `Times count down, and spans have two units`() {
    #expect(Quantity.clock(.seconds(7)) == "0:07", command)
    #expect(Quantity.clock(.seconds(192)) == "3:12", command)
    #expect(Quantity.clock(.seconds(3792)) == "1:03:12", command)
    #expect(Quantity.clock(.hours(51)) == "2 d 03:00", command)
    #expect(Quantity.clock(Milliseconds(.min)) == "0:00", command)
    #expect(Quantity.span(.minutes(185), in: .english) == "3 h 05 min", command)
    #expect(Quantity.span(.hours(52), in: .french) == "2 j 4 h", command)
  }

  @Test func `Numbers for people follow the language`() {
    #expect(Quantity.integer(1234, in: .english) == "1234", command)
    #expect(Quantity.integer(-1_234_567, in: .english) == "-1,234,567", command)
    #expect(Quantity.decimal(3.5, 1, in: .catalan) == "3,5", command)
    #expect(Quantity.bytes(3_565_158, in: .english) == "3.4 MB", command)
    #expect(Quantity.position(-419_831_149, 28_249_301) == "-41.98311 2.82493", command)
  }

  @Test func `Each reason is found by its name`() {
    for reason in Reason.all { #expect(Reason(name: reason.name) == reason, command) }
    #expect(Reason(name: "backingOff 503") == .backingOff(status: 503), command)
    for name in ["", " ", "backingOff x", "noFix 3", "backingOff 1 2", "99999999999"] {
      #expect(Reason(name: name) == nil, command)
    }
  }

  @Test(arguments: [Language.catalan, .spanish, .english, .french])
  func `Every reason has its own short text in every language`(_ language: Language) {
    let texts = Reason.all.map { $0.text(in: language) }
    #expect(Set(texts).count == texts.count, command)
    for text in texts {
      #expect(!text.isEmpty && text.count <= 40, command)
      #expect(text.first?.isUppercase == false && text.last != ".", command)
    }
  }
}
