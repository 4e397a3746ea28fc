import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues

/// Silence, refusal and rubbish: always an end, always within the limit, always closed.
@Suite struct ModemHTTPTroubleTests {
  /// Brought to each step, what stands in for an answer there.
  static func tape(at step: Int, _ family: ModemFamily = .sim7600) -> HTTPTape {
    var tape = HTTPTape(family)
    tape.begin()
    let answers = [
      "OK", "+CSQ: 15,99\r\n\r\nOK", "OK", "OK", "OK\r\n\r\nOK\r\n\r\nOK", "DOWNLOAD", "OK", "OK",
      "+HTTPACTION: 1,200,4", "OK\r\n\r\n+HTTPREAD: DATA,4\r\n{}{}",
    ]
    for answer in answers.prefix(step) { tape.hear(answer) }
    return tape
  }

  @Test(arguments: 0...9)
  func `A modem that falls mute at any step ends in time, and is told to close`(_ step: Int) {
    var tape = Self.tape(at: step)
    var turns = 0
    while tape.http.isActive && turns < 10 {
      tape.wait()
      turns += 1
    }
    #expect(tape.said.hasSuffix("AT+HTTPTERM⏎"), "step \(step); \(modemAgain)")
    let mayHaveArrived = tape.said.contains("HTTPACTION")
    let unsent: HTTPReply = step == 5 || step == 6 ? .stalled : .unreachable
    #expect(
      tape.http.takeResult()?.reply == (mayHaveArrived ? .lost : unsent),
      "step \(step); \(modemAgain)")
    let limit = ModemBounds.taskLimit + ModemBounds.closeLimit
    #expect(tape.now <= limit.count + 100, "step \(step) took \(tape.now) ms; \(modemAgain)")
    #expect(limit < Bounds.modemUploadLimit, "the core would give up first")
  }

  @Test(arguments: 2...8)
  func `A modem that refuses at any step is told to close`(_ step: Int) {
    var tape = Self.tape(at: step)
    // An open service is refused once without harm.
    if step == 2 { tape.hear("ERROR", "OK") }
    #expect(tape.hear("ERROR") == "AT+HTTPTERM⏎", "step \(step); \(modemAgain)")
    let unsent: HTTPReply = step == 5 || step == 6 ? .stalled : .unreachable
    #expect(
      tape.close()?.reply == (step >= 7 ? .lost : unsent), "step \(step); \(modemAgain)")
  }

  @Test func `A body whose end nobody says is whole all the same`() {
    var tape = Self.tape(at: 10)
    #expect(tape.wait() == "AT+HTTPTERM⏎", modemAgain)
    let reply = HTTPReply.response(status: 200, headers: [], body: Array("{}{}".utf8))
    #expect(tape.close()?.reply == reply, modemAgain)
  }

  @Test func `A modem that waits for a body gets something, before it is told to close`() {
    var tape = Self.tape(at: 6)
    let said = tape.wait()
    #expect(said == String(repeating: " ", count: 18) + "AT+HTTPTERM⏎", modemAgain)
    #expect(tape.close()?.reply == .stalled, modemAgain)
  }

  @Test(arguments: 0...9)
  func `A line that takes nothing more ends the request at once, and the modem is told to close`(
    _ step: Int
  ) {
    var tape = Self.tape(at: step)
    let said = tape.lineRefuses()
    let isPouring = step == 5 || step == 6
    let filling = isPouring ? String(repeating: " ", count: 18) : ""
    #expect(said == filling + "AT+HTTPTERM⏎", "step \(step); \(modemAgain)")
    let unsent: HTTPReply = isPouring ? .stalled : .unreachable
    #expect(
      tape.close()?.reply == (step >= 7 ? .lost : unsent), "step \(step); \(modemAgain)")
    #expect(!tape.http.isActive && tape.lineRefuses() == "", modemAgain)
  }

  @Test func `A service that does not close keeps nobody waiting for the answer`() {
    var tape = HTTPTape()
    tape.act()
    tape.hear("OK", "+HTTPACTION: 1,204,0")
    #expect(tape.wait() == "", modemAgain)
    #expect(
      tape.http.takeResult()?.reply == .response(status: 204, headers: [], body: []), modemAgain)
  }

  @Test(arguments: [
    "+HTTPACTION: 1,200", "+HTTPACTION: x", "+HTTPACTION: 1,200,-5", "+HTTPACTION: 1,,",
    "+HTTPACTION: 1,200,99999999999999999999", "+HTTPACTION: 1,200,999999",
  ])
  func `A report that cannot be believed is an answer that was lost`(_ report: String) {
    var tape = HTTPTape()
    tape.act()
    #expect(tape.hear("OK", report) == "AT+HTTPTERM⏎", "\(report); \(modemAgain)")
    #expect(tape.close()?.reply == .lost, "\(report); \(modemAgain)")
  }

  @Test func `More bytes than were announced are not believed, none at all end it`() {
    for piece in ["+HTTPREAD: DATA,5", "+HTTPREAD: DATA,-1", "+HTTPREAD: x", "+HTTPREAD: 0"] {
      var tape = Self.tape(at: 9)
      #expect(tape.hear("OK", piece) == "AT+HTTPTERM⏎", "\(piece); \(modemAgain)")
      #expect(tape.close()?.reply == .lost, modemAgain)
    }
  }

  static let unspeakable: [HTTPRequest] = [
    HTTPRequest(method: .get, url: "http://a/\"x", headers: []),
    HTTPRequest(method: .get, url: "http://a/\r\nAT+CPOF", headers: []),
    HTTPRequest(method: .get, url: "http://a/à", headers: []),
    HTTPRequest(method: .get, url: "ftp://a/", headers: []),
    HTTPRequest(method: .get, url: "http://a/" + String(repeating: "x", count: 504), headers: []),
    HTTPRequest(method: .get, url: "http://a/", headers: [HTTPHeader("X", "a\"b")]),
    HTTPRequest(
      method: .get, url: "http://a/", headers: [HTTPHeader("X", String(repeating: "x", count: 256))]
    ),
    HTTPRequest(
      method: .post, url: "http://a/", headers: [],
      body: [UInt8](repeating: 0x20, count: 153_601)),
  ]

  @Test(arguments: unspeakable.indices)
  func `What no modem can be told is refused before anything is sent`(_ number: Int) {
    var tape = HTTPTape()
    #expect(tape.begin(Self.unspeakable[number]) == "", modemAgain)
    let result = tape.http.takeResult()
    let isSize = [4, 7].contains(number)
    #expect(result?.reply == (isSize ? .tooLarge : .unreachable), modemAgain)
    #expect(result?.problem != nil, modemAgain)
    #expect(tape.http.nextDeadline == nil, modemAgain)
    var longest = HTTPTape()
    let address = "http://a/" + String(repeating: "x", count: 503)
    #expect(longest.begin(HTTPRequest(method: .get, url: address, headers: [])) != "")
  }

  @Test func `One that is abandoned says no more, and what it means`() {
    var tape = Self.tape(at: 3)
    #expect(tape.abandon() == "", modemAgain)
    #expect(tape.hear("OK") == "" && tape.http.takeResult()?.reply == .unreachable, modemAgain)
    tape = Self.tape(at: 8)
    #expect(tape.abandon() == "" && tape.http.takeResult()?.reply == .lost, modemAgain)
    #expect(tape.abandon() == "" && tape.http.takeResult() == nil, modemAgain)
    tape = Self.tape(at: 8)
    #expect(tape.abandon(.lineLost) == "", modemAgain)
    #expect(tape.http.takeResult()?.problem?.english == "the modem's line was lost", modemAgain)
  }

  @Test func `A modem that waits for a body gets all of it before it is left`() {
    var tape = HTTPTape()
    tape.begin()
    for answers in [["OK"], ["+CSQ: 15,99", "OK"], ["OK"]] {
      for answer in answers { tape.hear(answer) }
    }
    while !tape.said.contains("HTTPDATA") { tape.hear("OK") }
    let count = HTTPTape.post.body.count
    let filling = String(repeating: " ", count: count) + "⏎"
    var offered = tape
    #expect(offered.abandon() == filling, modemAgain)
    tape.hear("DOWNLOAD")
    #expect(tape.abandon() == filling, modemAgain)
    #expect(tape.http.takeResult()?.reply == .stalled, modemAgain)
  }

  @Test func `Secrets of a request are in no description`() {
    var tape = HTTPTape()
    tape.begin(
      HTTPRequest(
        method: .post, url: "http://a/?token=hush",
        headers: [HTTPHeader("Authorization", "hush")], body: Array("password=hush".utf8)))
    #expect(!"\(tape.http)".contains("hush") && !String(reflecting: tape.http).contains("hush"))
    var dumped = ""
    dump(tape.http, to: &dumped)
    #expect(!dumped.contains("hush"), modemAgain)
  }

  @Test func `However the bytes are cut, and whatever they are, it ends`() {
    var generator = SeededNumbers(41)
    let words = [
      "OK", "ERROR", "+HTTPACTION: 1,200,9", "+HTTPREAD: DATA,9", "+HTTPREAD: 0", "DOWNLOAD",
      "+CSQ: 1,9", "\r\n", "\n", ">", " ", "\0", "{\"a\":[1]}", "+HTTPHEAD: 5",
      "+HTTPACTION: 1,503,0",
    ]
    for round in 0..<400 {
      var tape = Self.tape(at: round % 11)
      for _ in 0..<60 where tape.http.isActive {
        let bytes: [UInt8] =
          generator.next() % 4 == 0
          ? (0..<20).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
          : Array(words[Int(generator.next() % UInt64(words.count))].utf8) + [0x0D, 0x0A]
        let cut = Int(generator.next() % UInt64(bytes.count + 1))
        let now = Instant(milliseconds: tape.now)
        _ = tape.http.receive(bytes[..<cut], at: now)
        _ = tape.http.receive(bytes[cut...], at: now)
      }
      for _ in 0..<10 where tape.http.isActive { tape.wait() }
      #expect(!tape.http.isActive && tape.http.takeResult() != nil, "round \(round); \(modemAgain)")
    }
  }
}

/// Numbers that are the same on every machine (SplitMix64).
struct SeededNumbers {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
