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

  @Test func `Facts of any values have a verdict, a screen and a self-test in every language`() {
    var source = FuzzSource(seed: 2)
    for number in 0..<max(1, Self.lines / 200) {
      let again: Comment =
        "facts \(number); FUZZ_LINES=\(Self.lines) swift test --filter ConsoleFuzzTests"
      let facts = source.facts()
      // What is written is read again.
      #expect((try? TrackerFacts(message: facts.message)) == facts, again)
      let verdict = FitnessVerdict(of: facts)
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

  fileprivate mutating func one<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func language() -> Language? { chance(2) ? nil : one(Language.all) }

  // MARK: What people type

  private static let verbs =
    ConsoleCommand.Verb.allCases.map(\.rawValue) + ["?", "quit", "trackerctl"]
  private static let typedWords = [
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
      return String(repeating: one(Self.typedWords), count: Int.random(in: 0...600, using: &random))
    case 3: return mutated(command())
    default: return command()
    }
  }

  private mutating func command() -> String {
    var words = [one(Self.verbs)]
    while !chance(2), words.count < 6 { words.append(one(Self.typedWords)) }
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

  private static let words =
    [
      "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "60000", "true", "running",
      "ca", "", "9223372036854775807 anna 5 min", "-9223372036854775808 socket", "a\u{9B}b",
      "x y z",
    ] + Reason.all.map(\.name)

  /// As a tracker may send them: any values, and sometimes a damaged message.
  mutating func facts() -> TrackerFacts {
    while true {
      let random = RandomDecoder(random: RandomDecoder.Source(self))
      var message = (try? TrackerFacts(from: random))?.message ?? ""
      self = random.random.source
      if chance(20) { message = mutated(message) }
      if let facts = try? TrackerFacts(message: message) { return facts }
    }
  }

  fileprivate mutating func number() -> Int64 {
    one([0, 1, -1, 60_000, 1 << 52, (1 << 56) - 1, 1 - (1 << 56), .max, .min])
  }

  fileprivate mutating func word() -> String { chance(8) ? bytes(upTo: 40) : one(Self.words) }

  private var known: (facts: TrackerFacts, uses: Int) = (TrackerFacts(), 0)

  /// The facts serve several times: making them takes longer than an answer.
  mutating func backend() -> FuzzBackend {
    if known.uses == 0 { known = (facts(), 160) }
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
      for _ in 0..<3 { text += " " + one(Self.words) }
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

  mutating func ask(_ line: String) throws(ConsoleError) -> String {
    guard let answer else { throw ConsoleError("refused:\n\u{1B}[2J \(line)".texts) }
    return answer
  }

  mutating func stores() throws(ConsoleError) -> [CaptureStore] {
    throw ConsoleError("no store: \u{9B}2J".texts)
  }

  mutating func log(newest: Int) throws(ConsoleError) -> [String] {
    (answer ?? "").split(separator: "\n").map(String.init)
  }
}

/// Makes a value of any type up, by a seed.
private struct RandomDecoder: Decoder, SingleValueDecodingContainer {
  final class Source {
    var source: FuzzSource
    init(_ source: FuzzSource) { self.source = source }
  }

  let random: Source

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members(decoder: self))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    Elements(decoder: self, left: random.source.chance(2) ? 0 : 3)
  }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { random.source.chance(3) }
  func decode(_: Bool.Type) -> Bool { random.source.chance(2) }
  func decode(_: String.Type) -> String { random.source.word() }
  func decode(_: Double.Type) -> Double { 0.5 }
  func decode(_: Float.Type) -> Float { 0.5 }
  func decode(_: Int.Type) -> Int { whole() }
  func decode(_: Int8.Type) -> Int8 { whole() }
  func decode(_: Int16.Type) -> Int16 { whole() }
  func decode(_: Int32.Type) -> Int32 { whole() }
  func decode(_: Int64.Type) -> Int64 { whole() }
  func decode(_: UInt.Type) -> UInt { whole() }
  func decode(_: UInt8.Type) -> UInt8 { whole() }
  func decode(_: UInt16.Type) -> UInt16 { whole() }
  func decode(_: UInt32.Type) -> UInt32 { whole() }
  func decode(_: UInt64.Type) -> UInt64 { whole() }
  private func whole<Number: FixedWidthInteger>() -> Number {
    Number(clamping: random.source.number())
  }

  func decode<Value: Decodable>(_: Value.Type) throws -> Value {
    if let reason = random.source.one(Reason.all) as? Value { return reason }
    if let language = random.source.one(Language.all) as? Value { return language }
    if let cases = (Value.self as? any CaseIterable.Type)?.anyCases,
      let value = random.source.one(cases) as? Value
    {
      return value
    }
    return try Value(from: self)
  }

  struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RandomDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }
    func contains(_: Key) -> Bool { true }
    func decodeNil(forKey _: Key) -> Bool { decoder.decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey _: Key) throws -> Value {
      try decoder.decode(type)
    }
    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey _: Key
    ) -> KeyedDecodingContainer<Inner> {
      decoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedDecodingContainer {
      decoder.unkeyedContainer()
    }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey _: Key) -> any Decoder { decoder }
  }

  struct Elements: UnkeyedDecodingContainer {
    let decoder: RandomDecoder
    var left: Int
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var currentIndex: Int { 3 - left }
    var isAtEnd: Bool { left == 0 }
    func decodeNil() -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      left -= 1
      return try decoder.decode(type)
    }
    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type
    ) -> KeyedDecodingContainer<Inner> {
      decoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
    func superDecoder() -> any Decoder { decoder }
  }
}

extension CaseIterable {
  fileprivate static var anyCases: [Any] { Array(allCases) }
}
