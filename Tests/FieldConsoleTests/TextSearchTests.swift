import Foundation
import Testing
import Wording

@Suite struct TextSearchTests {
  static let repeating: Comment = "repeat with: swift test --filter TextSearchTests"

  /// A text, a part, and what is between its occurrences.
  static let cuts: [(text: String, part: String, pieces: [String])] = [
    ("", "a", [""]), ("abc", "b", ["a", "c"]), ("abab", "ab", ["", "", ""]),
    ("aaa", "aa", ["", "a"]), ("a | b | c", " | ", ["a", "b", "c"]), ("abc", "abcd", ["abc"]),
    ("xabxaby", "xaby", ["xab", ""]), ("Bescanó, 3 °C", "ó, ", ["Bescan", "3 °C"]),
    ("abc", "", ["abc"]),
  ]

  @Test(arguments: cuts.indices)
  func `A text is cut where the part is`(_ index: Int) {
    let (text, part, pieces) = Self.cuts[index]
    #expect(text.pieces(between: part).map(String.init) == pieces, Self.repeating)
    #expect(text.has(part) == (pieces.count > 1), Self.repeating)
    #expect(text.dropFirst(0).place(of: part) == text.range(of: part), Self.repeating)
    #expect(text.exchanging(part, for: "->") == pieces.joined(separator: "->"), Self.repeating)
  }

  @Test func `A part of a text is searched in that part only`() {
    let text = "https://a?to=https://b"
    let rest = text[text.utf8.index(text.startIndex, offsetBy: 5)...]
    #expect(rest.place(of: "https").map { String(text[..<$0.lowerBound]) } == "https://a?to=")
  }
}
