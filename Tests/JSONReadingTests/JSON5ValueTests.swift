import Foundation
import JSONReading
import Testing

/// What stands in a settings file is read as Foundation reads JSON5.
@Suite struct JSON5ValueTests {
  static let repeating: Comment = "repeat with: swift test --filter JSON5ValueTests"

  private func value(_ literal: String) -> JSONValue? {
    guard case .object(let members)? = try? JSONOutline.read(Array("{ a: \(literal) }".utf8)).value
    else { return nil }
    return members["a"]
  }

  private func decoded<Value: Decodable>(_ type: Value.Type, _ literal: String) -> Value? {
    let decoder = Foundation.JSONDecoder()
    decoder.allowsJSON5 = true
    return try? decoder.decode([String: Value].self, from: Data("{ a: \(literal) }".utf8))["a"]
  }

  @Test(arguments: [
    "0", "-0", "7", "-7", "+7", "1.0", "1e3", "1.", ".5", "-.5", "+.5e1", "0x1F", "-0x1f", "0X10",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1.5", "1e-3", "5E2",
    "123456789012345678901234567890",
  ])
  func `A number is the same whole or real number`(_ literal: String) {
    let whole = decoded(Int64.self, literal)
    let found = value(literal)
    #expect(found?.wholeNumber == whole, "\(literal); \(Self.repeating)")
    if whole == nil {
      let real = decoded(Double.self, literal)
      #expect(real != nil && found == real.map { .real($0) }, "\(literal); \(Self.repeating)")
    }
  }

  @Test(arguments: [
    #""""#, "'it is'", #""a\"b\\c\/d""#, #"'\'"'"#, #""\b\f\n\r\t""#, #""\u00e9\u20AC""#,
    #""\ud83d\ude00""#, #""µ °""#,
  ])
  func `A text is the same text`(_ literal: String) {
    let expected = decoded(String.self, literal)
    #expect(expected != nil, "\(literal); \(Self.repeating)")
    #expect(value(literal) == expected.map { .text($0) }, "\(literal); \(Self.repeating)")
  }

  @Test(arguments: [
    #""\q""#, #""C:\dev""#, #""\u12""#, #""\x4""#,
  ])
  func `A wrong escape is refused`(_ literal: String) {
    #expect(value(literal) == nil, "\(literal); \(Self.repeating)")
    #expect(decoded(String.self, literal) == nil, "\(literal); \(Self.repeating)")
  }

  @Test func `Half a pair of surrogates is told as unknown, as in JSON`() throws {
    for literal in [#""\ud800""#, #""\ud800\u0041""#, #""\udc00""#] {
      let json = try? JSONValue(parsing: Array(literal.utf8))
      #expect(json != nil && value(literal) == json, "\(literal); \(Self.repeating)")
    }
  }

  @Test func `What JSON5 adds to JSON is read`() {
    #expect(value("+Infinity") == .real(.infinity), Self.repeating)
    #expect(value("-Infinity") == .real(-.infinity), Self.repeating)
    #expect(value(#"'\x41\v\0'"#) == .text("A\u{B}\0"), Self.repeating)
    // Foundation keeps the line end, which JSON5 (§5.2) removes.
    #expect(value("'a\\\nb'") == .text("ab"), Self.repeating)
    #expect(value("[1, null, true,]") == .list([.whole(1), .null, .boolean(true)]))
  }
}
