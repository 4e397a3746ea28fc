import LeanUplink
import Testing
import TrackerCore

/// What is written byte by byte.
@Suite struct LeanTextTests {
  private func text(_ write: (inout InlineText<400>) -> Void) -> String {
    var text = InlineText<400>()
    write(&text)
    return String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)
  }

  @Test(arguments: [
    (Int64(0), 3, "0", "0.000"), (-1250, 3, "-1.25", "-1.250"), (12_500, 3, "12.5", "12.500"),
    (7, 0, "7", "7"), (-5, 7, "-0.0000005", "-0.0000005"), (100, 2, "1", "1.00"),
    (.min, 0, "-9223372036854775808", "-9223372036854775808"),
    (.max, 3, "9223372036854775.807", "9223372036854775.807"), (1000, 0, "1000", "1000"),
  ])
  func `A decimal number is exact, with or without the zeros at its end`(
    _ value: Int64, _ places: Int, _ short: String, _ long: String
  ) {
    #expect(text { $0.append(decimal: value, places: places) } == short, postingAgain)
    #expect(
      text { $0.append(decimal: value, places: places, keepsZeros: true) } == long, postingAgain)
  }

  @Test func `What an address cannot hold is escaped`() {
    let form = text { text in for byte in "a Z-9_.*~/&é\u{0}".utf8 { text.append(formByte: byte) } }
    #expect(form == "a+Z-9_.*%7E%2F%26%C3%A9%00", postingAgain)
  }

  @Test func `A capture of which nothing is known is a query all the same`() {
    let capture = Capture(
      sequence: 9, utc: nil, isTimeTrusted: false, position: nil, team: InlineText(),
      trigger: .command)
    let id = UniqueID(high: 0, low: 1)
    let query = text {
      OsmAnd(silence: .reserve).write(capture, id: id, of: [0x41].span, into: &$0)
    }
    #expect(
      query == "id=A&uuid=00000000-0000-0000-0000-000000000001&sequence=9&team=&trigger=command"
        + "&timeTrusted=false&silence=reserve", postingAgain)
  }
}
