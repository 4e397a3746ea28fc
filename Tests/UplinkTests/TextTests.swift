import Testing
import TrackerCore

@testable import Uplink

/// Identifiers, JSON, forms, dates; and what must never be seen in a text.
@Suite struct TextTests {
  let id = UniqueID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

  @Test func `An identifier has its three forms`() {
    #expect(id.lowercaseText == "01234567-89ab-cdef-fedc-ba9876543210")
    #expect(id.bracedText == "{01234567-89AB-CDEF-FEDC-BA9876543210}")
  }

  @Test(arguments: [
    "01234567-89ab-cdef-fedc-ba9876543210", "{01234567-89AB-CDEF-FEDC-BA9876543210}",
    "0123456789abCDEFfedcba9876543210", "{0123456789abcdeffedcba9876543210}",
  ])
  func `An identifier is read in every form`(_ text: String) {
    #expect(UniqueID(text: text) == id)
  }

  @Test(arguments: [
    "", "{", "{}", "}", "01234567-89ab-cdef-fedc-ba987654321",
    "g1234567-89ab-cdef-fedc-ba9876543210",
    "01234567-89ab-cdef-fedc-ba98765432100", "{01234567-89ab-cdef-fedc-ba9876543210",
    "01234567-89ab-cdef-fedc-ba9876543210}", "012345678-9ab-cdef-fedc-ba9876543210",
    "01234567-89ab-cdef-fedc-ba987654321é", "------------------------------------",
  ])
  func `Anything but an identifier is refused`(_ text: String) {
    #expect(UniqueID(text: text) == nil)
  }

  @Test(arguments: [
    ("", #""""#), ("Els \"Senglars\"", #""Els \"Senglars\"""#), (#"a\b/c"#, #""a\\b/c""#),
    ("\u{0}\u{1F}\n\r\t", #""\u0000\u001f\n\r\t""#), ("Cal·lígrafs 😀", #""Cal·lígrafs 😀""#),
    ("\u{7F}\u{2028}\u{9B}", #""\u007f\u2028\u009b""#),
  ])
  func `A text in JSON escapes what must be`(_ plain: String, _ json: String) {
    var text = JSONText()
    text.string(plain)
    #expect(String(decoding: text.bytes, as: UTF8.self) == json)
  }

  @Test(arguments: [
    (Int64(0), 3, "0"), (12_500, 3, "12.5"), (-5, 7, "-0.0000005"), (-1000, 3, "-1"),
    (5, 0, "5"), (100, 0, "100"), (.min, 3, "-9223372036854775.808"),
  ])
  func `A decimal is exact`(_ value: Int64, _ places: Int, _ text: String) {
    #expect(decimalText(value, places: places) == text)
  }

  @Test func `A form encodes every byte that is not plain`() {
    var form = FormText()
    form.add("a b", "é&=+%*-._~{\"}")
    form.add("c", "")
    #expect(
      String(decoding: form.bytes, as: UTF8.self)
        == "a+b=%C3%A9%26%3D%2B%25*-._%7E%7B%22%7D&c=")
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", Int64(784_111_777_000)),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200_000),
    ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400_000),
    ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800_000),
    ("Thu, 31 Dec 2099 23:59:59 GMT", 4_102_444_799_000),
    // 2100 is not a leap year.
    ("Sun, 28 Feb 2100 23:59:59 GMT", 4_107_542_399_000),
    ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400_000),
  ])
  func `A date of HTTP is read`(_ text: String, _ milliseconds: Int64) {
    #expect(HTTPDate.parse(text) == UTC(milliseconds: milliseconds))
  }

  @Test(arguments: [
    "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 25:00:00 GMT", "a b c d e GMT",
  ])
  func `Anything but a date of HTTP is refused`(_ text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00.000Z"), (951_782_400_001, "2000-02-29T00:00:00.001Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func `A date is written as ISO 8601`(_ milliseconds: Int64, _ text: String) {
    #expect(HTTPDate.iso8601(UTC(milliseconds: milliseconds)) == text)
  }

  @Test func `Dates that cannot be written are left out`() {
    for value in [Int64.min, -1, 253_402_300_800_000, .max] {
      #expect(HTTPDate.iso8601(UTC(milliseconds: value)) == nil)
    }
  }

  // MARK: Secrets

  static func shown(_ value: some Any) -> String {
    var text = "\(value) \(String(reflecting: value)) "
    dump(value, to: &text)
    return text
  }

  @Test func `Secrets stand in no description, dump or problem`() throws {
    let secret = "hu/sh+é"
    for credentials in [
      ArcGISCredentials.token(Secret(secret)),
      .user(name: "a", password: Secret(secret), tokenURL: nil),
      .application(clientID: "a", clientSecret: Secret(secret), tokenURL: "https://t.example/t"),
    ] {
      var dialogue = try Sample.dialogue(credentials)
      var step = dialogue.begin(
        .upload(Sample.captures(1...1), nextContactBy: nil), at: Sample.now)
      var seen = ""
      for answer in [#"{"token":"gr@nted"}"#, Sample.layer()] {
        seen += Self.shown(step) + Self.shown(dialogue)
        let isToken = step.request?.operation != "0"
        if isToken || answer.contains("fields") {
          step = dialogue.receive(.json(answer), at: Sample.now)
        }
      }
      seen += Self.shown(step) + Self.shown(dialogue)
      var words = "bad token hu/sh+é or hu%2Fsh%2B%C3%A9"
      if case .token = credentials {} else { words += " or gr@nted or gr%40nted" }
      step = dialogue.receive(
        .json(#"{"error":{"code":400,"message":"\#(words)"}}"#), at: Sample.now)
      seen += Self.shown(step)
      for word in [secret, "hu%2Fsh", "gr@nted", "gr%40nted"] {
        let isShown = seen.contains(word)
        #expect(!isShown, "\(word) is shown; \(repeating)")
      }
    }
    let posting = try PostingConfiguration(
      format: .json, url: "https://a.example/?key=hush",
      credentials: .basic(user: "a", password: Secret("hush")))
    var dialogue = PostingDialogue(posting)
    let step = dialogue.begin(
      .upload(Sample.captures(1...1), nextContactBy: nil), at: Sample.now)
    let seen = Self.shown(step) + Self.shown(dialogue)
    let isShown = seen.contains("hush") || seen.contains("Basic YTpodXNo")
    #expect(!isShown, "\(repeating)")
  }

  @Test func `A problem is one short line`() throws {
    var dialogue = try Sample.ready(Sample.layer())
    _ = dialogue.begin(.upload(Sample.captures(1...1), nextContactBy: nil), at: Sample.now)
    let words = String(repeating: #"x\n\u001b[2J\u2028"#, count: 500)
    let reply = HTTPReply.json(#"{"error":{"code":400,"message":"\#(words)"}}"#)
    let end = dialogue.end(with: reply)
    let problem = try #require(end?.problem?.english)
    #expect(problem.hasPrefix("edit: error 400: x") && !problem.contains("\n"))
    #expect(problem.unicodeScalars.count <= UplinkBounds.quotedScalars)
    #expect(problem.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x2028 })
  }
}
