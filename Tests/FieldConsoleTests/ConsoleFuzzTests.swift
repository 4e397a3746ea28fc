import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// Nothing that anybody types, and nothing that a tracker answers, traps or reaches a terminal as
/// more than text.
@Suite struct ConsoleFuzzTests {
  /// 50 000 in the suite. All of it:
  ///
  ///     FUZZ_LINES=1000000 swift test --filter ConsoleFuzzTests
  static let lines = ProcessInfo.processInfo.environment["FUZZ_LINES"].flatMap { Int($0) } ?? 50_000

  @Test func `Every line of a console has an answer that is plain text`() {
    var source = FuzzSource(seed: 1)
    var refusals = 0
    for number in 0..<Self.lines {
      var console = Console(source.backend(), language: source.language())
      console.isReadOnly = source.chance(10)
      let line = source.line()
      let again: Comment =
        "line \(number), '\(line)'; FUZZ_LINES=\(number + 1) swift test --filter ConsoleFuzzTests"
      let answer = console.answer(line: line, isConfirmed: source.chance(2))
      #expect(Self.isPlain(answer), again)
      guard answer.isRefusal else { continue }
      refusals += 1
      #expect(answer.page.text(width: .max).count { $0 == "\n" } == 1, again)
    }
    // It reaches the commands, too.
    #expect((Self.lines / 10...Self.lines * 19 / 20).contains(refusals), "\(refusals)")
  }

  @Test func `Facts of any lines have a verdict, a screen and a self-test in every language`() {
    var source = FuzzSource(seed: 2)
    for number in 0..<max(1, Self.lines / 50) {
      let again: Comment =
        "facts \(number); FUZZ_LINES=\(Self.lines) swift test --filter ConsoleFuzzTests"
      let facts = source.facts()
      // What is written is read again.
      #expect(TrackerFacts(lines: facts.lines).lines == facts.lines, again)
      let verdict = Verdict(of: facts)
      for language in Language.all {
        _ = verdict.explanation(of: facts, in: language) + verdict.word
        let screen = Answer(StatusScreen.page(of: facts, in: language), facts.figures)
        #expect(Self.isPlain(screen), again)
        #expect(Self.isPlain(SelfTest.answer(of: facts, in: language)), again)
      }
    }
  }

  private static func isPlain(_ answer: Answer) -> Bool {
    let texts = [answer.page.text(), answer.page.text(width: .max), answer.figure.json]
    return texts.allSatisfy { text in
      text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
    }
  }
}

/// Lines, facts and answers that are partly right, by a seed.
struct FuzzSource {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func one<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func language() -> Language? { chance(2) ? nil : one(Language.all) }

  // MARK: What people type

  private static let verbs =
    ConsoleCommand.Verb.allCases.map(\.rawValue) + ["?", "quit", "trackerctl"]
  private static let words = [
    "now", "all", "pending", "sent", "aside", "1", "1000", "1001", "-1", "17", "3f2a:17", "team",
    "interval", "5min", "try", "verdict", "language", "ca", "\"Els Senglars\"", "«", "'", "\"",
    "\\",
    "9223372036854775807", "-9223372036854775808", "😀", "e\u{301}", "\u{202E}", "\u{1B}[2J",
    "\u{0}",
    "\u{9B}2J", "\u{2028}", "\r", "\t",
  ]

  mutating func line() -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return bytes(upTo: 64)
    case 1: return bytes(upTo: 700)
    case 2:
      return String(repeating: one(Self.words), count: Int.random(in: 0...600, using: &random))
    case 3: return mutated(command())
    default: return command()
    }
  }

  private mutating func command() -> String {
    var words = [one(Self.verbs)]
    while !chance(2), words.count < 6 { words.append(one(Self.words)) }
    return words.joined(separator: chance(20) ? "\t" : " ")
  }

  private mutating func mutated(_ line: String) -> String {
    var bytes = Array(line.utf8)
    for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func bytes(upTo most: Int) -> String {
    let count = Int.random(in: 0...most, using: &random)
    return String(
      decoding: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
  }

  // MARK: What a tracker says

  private static let names = TrackerFacts().figures.map(\.name)
  private static let values =
    [
      "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "72057594037927935",
      "-72057594037927935", "4503599627370496", "60000", "true", "false", "running", "stopped",
      "finished", "hung", "dead", "measured", "lost", "modemOld", "connected", "ca", "",
      "transmitInterval",
      "interval 9223372036854775807 anna 5 min", "-9223372036854775808 socket", "a\u{9B}b", "x y z",
    ] + Reason.all.map(\.name)

  mutating func facts() -> TrackerFacts {
    var lines = ""
    for _ in 0..<Int.random(in: 0...90, using: &random) {
      let value = chance(8) ? bytes(upTo: 40) : one(Self.values)
      lines += one(Self.names) + " " + value + "\n"
    }
    return TrackerFacts(lines: lines)
  }

  private var known: (facts: TrackerFacts, uses: Int) = (TrackerFacts(), 0)

  /// The facts serve several times: making them takes longer than an answer.
  mutating func backend() -> FuzzBackend {
    if known.uses == 0 { known = (facts(), 40) }
    known.uses -= 1
    return FuzzBackend(known: known.facts, answer: answer())
  }

  private mutating func answer() -> String? {
    guard !chance(4) else { return nil }
    if chance(4) { return bytes(upTo: 200) }
    var text = ""
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let words = [
        "capturing", "sending", "key", "value", "setting", "by", "ago", "captured", "12",
      ]
      text += one(words)
      for _ in 0..<3 { text += " " + one(Self.values) }
      text += "\n"
    }
    return text
  }
}

struct FuzzBackend: ConsoleBackend {
  var known: TrackerFacts
  /// `nil`: it refuses.
  var answer: String?

  mutating func facts() -> TrackerFacts { known }

  mutating func ask(_ line: String) throws(ConsoleProblem) -> String {
    guard let answer else { throw ConsoleProblem("refused:\n\u{1B}[2J \(line)".texts) }
    return answer
  }

  mutating func stores() throws(ConsoleProblem) -> [CaptureStore] {
    throw ConsoleProblem("no store: \u{9B}2J".texts)
  }

  mutating func log(newest: Int) throws(ConsoleProblem) -> [String] {
    (answer ?? "").split(separator: "\n").map(String.init)
  }
}
