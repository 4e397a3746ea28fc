import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues

/// Answers without a length, interruptions, and whose time limit comes first.
@Suite struct ModemHTTPEndTests {
  private func acting(_ family: ModemFamily = .a7670) -> HTTPTape {
    var tape = HTTPTape(family)
    tape.act()
    return tape
  }

  // MARK: Chunks

  @Test func `An answer without a length is read up to the mark of its end`() {
    var tape = acting()
    #expect(tape.hear("OK", "+HTTPACTION: 1,200,chunk") == "AT+HTTPREAD=0,262144⏎", modemAgain)
    tape.hear("OK", "+HTTPREAD: 7\r\n{\"add\":")
    // The rest is still on its way.
    tape.now += 9000
    tape.hear("+HTTPREAD: 4\r\n[1]}")
    #expect(tape.hear("+HTTPREAD: 0") == "AT+HTTPTERM⏎", modemAgain)
    let reply = HTTPReply.response(status: 200, headers: [], body: Array("{\"add\":[1]}".utf8))
    #expect(tape.close()?.reply == reply, modemAgain)
  }

  @Test func `Where OK follows the pieces instead of a mark, it is the end if nothing follows`() {
    var tape = acting()
    tape.hear("OK", "+HTTPACTION: 1,200,CHUNKED")
    tape.hear("+HTTPREAD: 2\r\n{}", "OK")
    var early = tape
    #expect(tape.wait() == "AT+HTTPTERM⏎", modemAgain)
    #expect(
      tape.close()?.reply == .response(status: 200, headers: [], body: Array("{}".utf8)),
      modemAgain)
    early.hear("+HTTPREAD: 1\r\n ", "+HTTPREAD: 0")
    #expect(
      early.close()?.reply == .response(status: 200, headers: [], body: Array("{} ".utf8)),
      modemAgain)
  }

  @Test func `An answer without a length that does not end, or is too large, counts as lost`() {
    var tape = acting()
    tape.hear("OK", "+HTTPACTION: 1,200,chunk", "OK", "+HTTPREAD: 2\r\n{}")
    #expect(tape.wait() == "AT+HTTPTERM⏎", modemAgain)
    #expect(tape.close()?.reply == .lost, modemAgain)
    for mark in ["+HTTPREAD: 262145", "+HTTPREAD: x"] {
      tape = acting()
      tape.hear("OK", "+HTTPACTION: 1,200,chunk", "OK")
      #expect(tape.hear(mark) == "AT+HTTPTERM⏎", "\(mark); \(modemAgain)")
      #expect(tape.close()?.reply == .lost, "\(mark); \(modemAgain)")
    }
  }

  @Test func `A redirect's headers are asked for, before a body in chunks too`() {
    var tape = acting()
    #expect(tape.hear("OK", "+HTTPACTION: 1,302,chunk") == "AT+HTTPHEAD⏎", modemAgain)
    let head = "HTTP/1.1 302 Found\r\nLocation: http://portal.example/\r\n\r\n"
    tape.hear("+HTTPHEAD: \(head.utf8.count)\r\n\(head)")
    #expect(tape.hear("OK") == "AT+HTTPREAD=0,262144⏎", modemAgain)
    tape.hear("OK", "+HTTPREAD: 0")
    let headers = [HTTPHeader("Location", "http://portal.example/")]
    #expect(tape.close()?.reply == .response(status: 302, headers: headers, body: []), modemAgain)
  }

  // MARK: Interruptions

  static let restarts: [(family: ModemFamily, word: String)] = [
    (.sim7600, "RDY"), (.sim7600, "START"), (.a7670, "*ATREADY: 1"), (.a7670, "RDY"),
  ]

  @Test(arguments: restarts.indices)
  func `A modem that restarts ends the request at once, and the core hears of it`(_ number: Int) {
    let (family, word) = Self.restarts[number]
    for step in 0...9 {
      var tape = ModemHTTPTroubleTests.tape(at: step, family)
      #expect(tape.hear(word) == "", "step \(step); \(modemAgain)")
      let unsent: HTTPReply = step == 5 || step == 6 ? .stalled : .unreachable
      let result = tape.http.takeResult()
      #expect(result?.reply == (step >= 7 ? .lost : unsent), "step \(step); \(modemAgain)")
      #expect(result?.problem?.english.contains("supply") == true, "step \(step); \(modemAgain)")
      #expect(tape.http.nextDeadline == nil, "step \(step); \(modemAgain)")
      let news = String(decoding: tape.http.takeNews(), as: UTF8.self)
      #expect(news == "\(word)\r\n", "step \(step); \(modemAgain)")
      #expect(tape.http.takeNews().isEmpty, "once; \(modemAgain)")
    }
  }

  @Test func `What follows in the same read is the core's too`() {
    var tape = acting(.sim7600)
    let bytes = Array("\r\nRDY\r\n\r\n+CPIN: READY\r\n".utf8)
    #expect(tape.http.receive(bytes, at: .start).isEmpty, modemAgain)
    let news = String(decoding: tape.http.takeNews(), as: UTF8.self)
    #expect(news == "RDY\r\n\r\n+CPIN: READY\r\n", modemAgain)
  }

  @Test func `A SIM that goes ends it too, and a modem that waits for a body gets it`() {
    for step in 0...9 {
      var tape = ModemHTTPTroubleTests.tape(at: step)
      let filling = step == 5 || step == 6 ? String(repeating: " ", count: 18) + "⏎" : ""
      #expect(tape.hear("+SIMCARD: NOT AVAILABLE") == filling, "step \(step); \(modemAgain)")
      #expect(tape.http.takeResult()?.problem?.english.contains("SIM") == true, modemAgain)
      #expect(!tape.http.takeNews().isEmpty, modemAgain)
    }
  }

  @Test func `A restart after the answer does not cost it`() {
    var tape = acting()
    tape.hear("OK", "+HTTPACTION: 1,204,0")
    tape.hear("RDY")
    #expect(
      tape.http.takeResult()?.reply == .response(status: 204, headers: [], body: []), modemAgain)
    #expect(!tape.http.takeNews().isEmpty, modemAgain)
  }

  @Test func `A short message ends at once as well`() throws {
    let made = PhoneNumber(Array("112".utf8).span)
    let number = try #require(made)
    for (word, said) in [("RDY", ""), ("+CPIN: NOT READY", "\u{1B}")] {
      var text = ModemText(family: .sim7600)
      _ = text.begin(to: number, text: "Here", at: .start)
      for answer in ["OK", "OK"] {
        _ = text.receive(Array("\r\n\(answer)\r\n".utf8), at: .start)
      }
      let output = text.receive(Array("\r\n\(word)\r\n".utf8), at: .start)
      #expect(String(decoding: output, as: UTF8.self) == said, "\(word); \(modemAgain)")
      #expect(text.takeResult() == false && !text.takeNews().isEmpty, "\(word); \(modemAgain)")
    }
  }

  // MARK: Limits

  @Test func `The requests of one task share its time, and the modem's limits stay within it`() {
    var operations = ModemOperations(
      family: .sim7600, http: ModemHTTP(family: .sim7600, trust: .nobody))
    func said(at seconds: Int64) -> String {
      let now = Instant.start + .seconds(seconds)
      var said = String(decoding: operations.begin(HTTPTape.get, at: now), as: UTF8.self)
      for _ in 0..<20 where operations.isActive && !said.contains("ACTION") {
        let bytes = Array("\r\n+CSQ: 1,9\r\n\r\nOK\r\n".utf8)
        said += String(decoding: operations.receive(bytes, at: now), as: UTF8.self)
      }
      return said
    }
    operations.beginTask(at: .start)
    for (seconds, connect, receive): (Int64, Int, Int) in [
      (0, 30, 60), (50, 30, 45), (80, 25, 20), (100, 20, 5),
    ] {
      let said = said(at: seconds)
      #expect(said.contains("\"CONNECTTO\",\(connect)\r"), "\(seconds): \(said); \(modemAgain)")
      #expect(said.contains("\"RECVTO\",\(receive)\r"), "\(seconds): \(said); \(modemAgain)")
      #expect(Int(seconds) + connect + receive <= 130, modemAgain)
    }
    #expect(said(at: 101) == "", modemAgain)
    guard case .replied(let result)? = operations.takeCompleted() else {
      Issue.record("it does not end; \(modemAgain)")
      return
    }
    #expect(result.reply == .stalled && result.problem != nil, modemAgain)
  }

  @Test func `Where its limits cannot be set, no request is begun that could outlast the task`() {
    for (seconds, isBegun): (Int64, Bool) in [(0, true), (10, true), (11, false)] {
      var tape = HTTPTape()
      tape.now = seconds * 1000
      tape.begin(until: ModemBounds.taskLimit)
      tape.hear("OK")
      tape.hear("+CSQ: 15,99", "OK")
      for _ in 0..<3 { tape.hear("OK") }
      #expect(tape.said.hasSuffix("\"CONNECTTO\",30⏎"), "\(tape.said); \(modemAgain)")
      #expect(
        tape.hear("ERROR").contains(isBegun ? "RECVTO" : "HTTPTERM"), "\(seconds); \(modemAgain)")
      guard !isBegun else { continue }
      #expect(tape.close()?.reply == .stalled, modemAgain)
    }
  }

  /// A layer without GlobalIDs is asked before each upload: over a slow network only the answer
  /// shows that the next request will be in time.
  @Test func `After an answer in the same task the next request is begun all the same`() {
    for isSameTask in [true, false] {
      var tape = HTTPTape()
      let end = ModemBounds.taskLimit
      tape.act()
      tape.now = 20_000
      tape.hear("OK", "+HTTPACTION: 1,200,2")
      tape.hear("OK", "+HTTPREAD: DATA,2\r\n{}", "+HTTPREAD: 0")
      guard case .response? = tape.close()?.reply else {
        Issue.record("no answer: \(tape.said); \(modemAgain)")
        return
      }
      tape.now = isSameTask ? 25_000 : 125_000
      tape.begin(until: isSameTask ? end : end + .seconds(100))
      tape.hear("OK")
      tape.hear("+CSQ: 15,99", "OK")
      for _ in 0..<3 { tape.hear("OK") }
      #expect(
        tape.hear("ERROR").contains(isSameTask ? "RECVTO" : "HTTPTERM"),
        "\(isSameTask): \(tape.said); \(modemAgain)")
    }
  }

  @Test func `The modem's own late report says why, even while its service is being closed`() {
    for (report, reply, word) in [
      ("+HTTPACTION: 1,714,0", HTTPReply.unreachable, "714"),
      ("+HTTPACTION: 1,705,0", .lost, "705"),
      // The answer cannot be read any more.
      ("+HTTPACTION: 1,200,5", .lost, "does not answer"), ("+HTTPACTION: x", .lost, "not answer"),
    ] {
      var tape = acting()
      tape.hear("OK")
      #expect(tape.wait() == "AT+HTTPTERM⏎", modemAgain)
      tape.hear(report)
      let result = tape.close()
      #expect(result?.reply == reply, "\(report); \(modemAgain)")
      #expect(result?.problem?.english.contains(word) == true, "\(report); \(modemAgain)")
    }
  }

  @Test func `The modem's default limit for connecting fits in the time`() {
    let slowest = Milliseconds.seconds(120) + ModemBounds.bodyLimit
    #expect(slowest <= ModemBounds.taskLimit, modemAgain)
    #expect(ModemBounds.taskLimit + ModemBounds.closeLimit < Bounds.modemUploadLimit, modemAgain)
    #expect(Bearer.modem.uploadLimit == Bounds.modemUploadLimit, modemAgain)
  }

  @Test func `A service that cannot be opened names the access point`() {
    var tape = HTTPTape()
    tape.begin()
    tape.hear("OK")
    tape.hear("+CSQ: 15,99", "OK")
    tape.hear("ERROR")
    tape.hear("OK")
    tape.hear("+CME ERROR: 148")
    #expect(tape.close()?.problem?.english.contains("access point (apn)") == true, modemAgain)
  }
}
