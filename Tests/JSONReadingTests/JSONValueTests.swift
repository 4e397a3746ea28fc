import Testing

@testable import JSONReading

@Suite struct JSONValueTests {
  static let repeating: Comment = "repeat with: swift test --filter JSONValueTests"

  static func read(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  static let valid: [(text: String, value: JSONValue)] = [
    ("null", .null), (" true ", .boolean(true)), ("\r\n\tfalse", .boolean(false)),
    ("0", .whole(0)), ("-0", .whole(0)), ("-7", .whole(-7)),
    ("9223372036854775807", .whole(.max)), ("9223372036854775808", .real(0x1p63)),
    ("1.5", .real(1.5)), ("1e3", .real(1000)), ("-2.5E-1", .real(-0.25)),
    ("5e-324", .real(.leastNonzeroMagnitude)),
    (#""""#, .text("")), (#""a\"\\\/\b\f\n\r\t""#, .text("a\"\\/\u{8}\u{C}\n\r\t")),
    (#""\u00e9\uD83D\uDE00é""#, .text("é😀é")), (#""\u0000""#, .text("\0")),
    // Not allowed, but sent.
    ("\"a\nb\tc\"", .text("a\nb\tc")), (#""x\ud800""#, .text("x\u{FFFD}")),
    (#""\ud800\u0041""#, .text("\u{FFFD}A")), (#""\udc00\n""#, .text("\u{FFFD}\n")),
    ("[1,]", .list([.whole(1)])), (#"{"a":1,}"#, .object(["a": .whole(1)])),
    ("[]", .list([])), ("[1, [2]]", .list([.whole(1), .list([.whole(2)])])),
    ("{}", .object([:])), (#"{ "a" : { "b": null } }"#, .object(["a": .object(["b": .null])])),
    ("\u{FEFF}{}", .object([:])),
  ]

  @Test(arguments: valid.indices)
  func `JSON is read`(_ index: Int) throws {
    let (text, value) = Self.valid[index]
    #expect(try Self.read(text) == value, Self.repeating)
  }

  /// A text and how many of its bytes are JSON.
  static let invalid: [(text: String, offset: Int)] = [
    ("", 0), (" ", 1), ("nul", 0), ("nulll", 4), ("TRUE", 0), ("{} {}", 3), ("[,]", 1),
    ("[1 2]", 3), ("[", 1), ("{", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5), ("{a:1}", 1),
    (#"{,}"#, 1), ("01", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1e", 2), ("1e+", 3), ("-", 1),
    ("1e999", 5), ("NaN", 0), ("Infinity", 0), ("0x10", 1), (#"""#, 1), (#""a"#, 2),
    (#""\q""#, 3), (#""\"#, 2), (#""\u12"#, 5), ("'a'", 0), ("// a\n1", 0), ("{\"\u{1}\"}", 4),
  ]

  @Test(arguments: invalid.indices)
  func `What is no JSON is refused with its place`(_ index: Int) {
    let (text, offset) = Self.invalid[index]
    let problem = #expect(throws: JSONError.self, Self.repeating) { try Self.read(text) }
    #expect(problem?.offset == offset, "\(text); \(Self.repeating)")
  }

  @Test func `A text that is not UTF-8 is refused`() {
    for bytes: [UInt8] in [[0x22, 0xE9, 0x22], [0x22, 0xC0, 0x80, 0x22], [0xFF, 0xFE, 0x31, 0]] {
      #expect(throws: JSONError.self, Self.repeating) { try JSONValue(parsing: bytes) }
    }
  }

  @Test(arguments: ["", "{", "[1", "[1,", #"{"a"#, #"{"a":"#, "[tru", "[1.", #"["a\"#, "[-"])
  func `A text that ends early is told from a wrong one`(_ text: String) {
    let early = #expect(throws: JSONError.self, Self.repeating) { try Self.read(text) }
    #expect(early?.isEarlyEnd == true, "\(text); \(Self.repeating)")
    let wrong = #expect(throws: JSONError.self, Self.repeating) { try Self.read(text + "}?") }
    #expect(wrong?.isEarlyEnd != true || text.contains("\""), "\(text)}?; \(Self.repeating)")
  }

  @Test func `Of equal keys the first counts`() throws {
    #expect(try Self.read(#"{"a":1,"a":2}"#) == .object(["a": .whole(1)]), Self.repeating)
  }

  @Test func `Brackets inside brackets are read up to the bound, and never run off the stack`() {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(throws: Never.self, Self.repeating) { try Self.read(nested(JSONBounds.levels + 1)) }
    for levels in [JSONBounds.levels + 2, 1_000_000] {
      #expect(throws: JSONError.self, Self.repeating) { try Self.read(nested(levels)) }
    }
  }
}
