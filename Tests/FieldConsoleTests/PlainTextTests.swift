import Testing
import Wording

/// Texts from outside, on a terminal and in a log.
@Suite struct PlainTextTests {
  private let again: Comment = "repeat with: swift test --filter PlainTextTests"

  @Test(arguments: [
    ("plain-1", "plain-1"), ("", "\"\""), ("a b", "\"a b\""), ("a=\"b\\", #""a=\"b\\""#),
    ("Òssos", "Òssos"), ("a\nb", "\"a b\""), ("\u{9B}31m", "\" 31m\""),
    ("a\u{2028}b\u{202E}c\u{2066}", "\"a b c \""),
    ("a\u{200E}b\u{200F}c\u{061C}d", "\"a b c d\""),
  ])
  func `A value in a log is one line and changes nothing on a terminal`(
    _ value: String, _ written: String
  ) {
    #expect(quotedForLog(value) == written, again)
  }

  @Test(arguments: [
    ("Òssos 7", "Òssos 7"), ("", ""), ("a\nb\u{2028}c\u{85}", "a b c "),
    ("a\u{202E}b\u{2066}c\u{200B}d\u{AD}", "abcd"), ("\u{3164}\u{115F}\u{E0041}", ""),
    ("\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}"), ("e\u{301}", "e\u{301}"),
  ])
  func `What people read has nothing that hides or turns a line around`(
    _ text: String, _ seen: String
  ) {
    #expect(text.visible.unicodeScalars.elementsEqual(seen.unicodeScalars), again)
    #expect(text.isVisible == text.unicodeScalars.elementsEqual(seen.unicodeScalars), again)
  }

  @Test func `A value in a log is cut, be it one word or several`() {
    #expect(quotedForLog(String(repeating: "x", count: 400)).count == 400, again)
    #expect(quotedForLog(String(repeating: "x", count: 401)).count == 400, again)
    #expect(quotedForLog(String(repeating: "x ", count: 400)).count == 402, again)
  }

  /// Unicode's Bidi_Control among them.
  @Test(arguments: [
    0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E,
    0x2066...0x2069,
  ])
  func `What a terminal would act on becomes a space, the same for a log and a screen`(
    _ range: ClosedRange<UInt32>
  ) {
    for scalar in range.compactMap(Unicode.Scalar.init) {
      let text = "a" + String(Character(scalar)) + "b"
      #expect(text.plain == "a b", "U+\(String(scalar.value, radix: 16)); \(again)")
      #expect(quotedForLog(text) == "\"a b\"", "U+\(String(scalar.value, radix: 16)); \(again)")
    }
    // What joins letters stays.
    #expect("a\u{200D}b\u{200C}".plain == "a\u{200D}b\u{200C}", again)
  }
}
