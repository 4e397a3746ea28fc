import LeanUplink
import Testing
import TrackerCore

/// Requests by a modem's own commands, as the manuals show them and as they go wrong.
@Suite struct ModemPostingTests {
  @Test func `Two requests, as an A7670 takes them, with the service opened once`() {
    var tape = PostingTape(.a7670)
    #expect(tape.said == ["ATE0"], postingAgain)
    #expect(tape.hear("ATE0", "OK") == "AT+CSQ", postingAgain)
    #expect(tape.hear("+CSQ: 15,99", "OK") == "AT+HTTPINIT", postingAgain)
    #expect(tape.hear("OK") == "AT+HTTPPARA=\"CONNECTTO\",30", postingAgain)
    #expect(tape.hear("OK") == "AT+HTTPPARA=\"RECVTO\",60", postingAgain)
    let address = "AT+HTTPPARA=\"URL\",\"\(PostingTape.address)\""
    #expect(tape.hear("ERROR") == address, "some firmware knows no such limit")
    #expect(tape.hear("OK") == "AT+HTTPACTION=0", postingAgain)
    #expect(tape.hear("OK") == "", postingAgain)
    #expect(tape.hear("+HTTPACTION: 0,200,7") == "AT+HTTPREAD=0,7", postingAgain)
    #expect(tape.hear("OK", "+HTTPREAD: 7\r\nstored\n") == "" && tape.answer == nil, postingAgain)
    tape.hear("+HTTPREAD: 0")
    #expect(tape.answer?.status == 200 && tape.answer?.isPage == false, postingAgain)
    #expect(tape.proceed(hasNext: true) == address, postingAgain)
    #expect(tape.hear("OK") == "AT+HTTPACTION=0", postingAgain)
    tape.answer = nil
    #expect(tape.hear("OK", "+HTTPACTION: 0,204,0") == "", "there is nothing to read")
    #expect(tape.answer?.status == 204, postingAgain)
    #expect(tape.proceed(hasNext: false) == "AT+HTTPTERM", postingAgain)
    #expect(tape.posting.isActive && !tape.isOver, postingAgain)
    tape.hear("OK")
    #expect(tape.isOver && tape.end == nil && !tape.posting.isActive, postingAgain)
    #expect(tape.posting.nextDeadline == nil, postingAgain)
  }

  @Test func `Over TLS the server is verified, or nothing is sent`() {
    var tape = PostingTape(.sim7600, .authority)
    tape.act()
    let expected = [
      "ATE0", "AT+CSQ", "AT+HTTPINIT", "AT+HTTPPARA=\"CONNECTTO\",30", "AT+HTTPPARA=\"RECVTO\",60",
      "AT+CSSLCFG=\"sslversion\",0,3", "AT+CSSLCFG=\"enableSNI\",0,1", "AT+HTTPPARA=\"SSLCFG\",0",
      "AT+CSSLCFG=\"ignorelocaltime\",0,1", "AT+CSSLCFG=\"cacert\",0,\"camp.pem\"",
      "AT+CSSLCFG=\"authmode\",0,1", "AT+HTTPPARA=\"URL\",\"\(PostingTape.address)\"",
      "AT+HTTPACTION=0",
    ]
    #expect(tape.said == expected, postingAgain)

    for needed in ["cacert", "\"authmode\",0,1"] {
      var refusing = PostingTape(.sim7600, .authority)
      refusing.hear("OK")
      refusing.hear("+CSQ: 15,99", "OK")
      for _ in 0..<20 where refusing.said.last?.contains(needed) == false { refusing.hear("OK") }
      #expect(refusing.hear("+CME ERROR: 53") == "AT+HTTPTERM", "\(needed); \(postingAgain)")
      refusing.hear("OK")
      #expect(refusing.end == .unreachable, "\(needed); \(postingAgain)")
    }
  }

  @Test func `A page of a network with a login is told from an answer`() {
    for (body, isPage) in [
      ("<html>", true), ("\r\n\t <!DOCTYPE", true), ("stored", false), ("", false),
      ("\u{FEFF}<a", true), ("\r\n", false), ("{\"<\":1}", false),
      // What follows so many blanks was not looked at.
      (String(repeating: "\n", count: 64), false), (String(repeating: "\n", count: 65), true),
      (String(repeating: "\n", count: 70) + "<html>", true),
    ] {
      for report in ["", "\r\n+CGEV: NW MODIFY 1,2,0\r\n"] {
        var tape = PostingTape(.sim7600)
        tape.act()
        let bytes = Array(body.utf8)
        tape.hear("+HTTPACTION: 0,200,\(bytes.count)")
        if !bytes.isEmpty {
          let piece = String(decoding: bytes.prefix(64), as: UTF8.self)
          tape.hear("OK", "+HTTPREAD: DATA,\(piece.utf8.count)\r\n\(report)\(piece)")
          tape.wait()
        }
        #expect(tape.answer?.status == 200, "\(body); \(postingAgain)")
        #expect(tape.answer?.isPage == isPage, "\(body) after '\(report)'; \(postingAgain)")
      }
    }
  }

  @Test func `An answer of unknown length is judged by its beginning`() {
    var tape = PostingTape()
    tape.act()
    #expect(tape.hear("+HTTPACTION: 0,100,0") == "", "the real status follows")
    #expect(tape.hear("+HTTPACTION: 0,200,chunk") == "AT+HTTPREAD=0,64", postingAgain)
    tape.hear("+HTTPREAD: 6\r\nstored", "OK")
    tape.wait()
    #expect(tape.answer?.status == 200 && tape.answer?.isPage == false, postingAgain)
  }

  /// What the modem says instead of a status, and whether the server may have the request.
  @Test(arguments: [
    (601, true, true), (603, false, false), (705, true, false), (714, false, false),
    (717, false, true), (720, true, false), (0, true, false), (99, true, false),
    (600, true, false), (1000, true, false),
  ])
  func `Without a status it is unreachable only if nothing can have been sent`(
    _ code: Int, _ isLost: Bool, _ hasNoNetwork: Bool
  ) {
    var tape = PostingTape()
    tape.act()
    #expect(tape.hear("+HTTPACTION: 0,\(code),0") == "AT+HTTPTERM", postingAgain)
    tape.hear("OK")
    #expect(tape.end == (isLost ? .lost : .unreachable), "\(code); \(postingAgain)")
    #expect(tape.posting.isNetworkLost == hasNoNetwork, "\(code); \(postingAgain)")
  }

  @Test(arguments: [
    "", "0,200", "0,x,1", "0,200,-1", "0,,5", "0,99999999999,1", "0,200,x", "200",
  ])
  func `A report that cannot be read means that the request may have arrived`(_ report: String) {
    var tape = PostingTape()
    tape.act()
    #expect(tape.hear("+HTTPACTION: \(report)") == "AT+HTTPTERM", postingAgain)
    tape.wait()
    #expect(tape.isOver && tape.end == .lost, postingAgain)
  }

  @Test func `Silence at any step ends it in time, with the service closed`() {
    for steps in 0..<9 {
      var tape = PostingTape()
      let answers = [
        ["OK"], ["+CSQ: 15,99", "OK"], ["OK"], ["OK"], ["OK"], ["OK"], ["OK"],
        ["+HTTPACTION: 0,200,9"],
      ]
      for lines in answers.prefix(steps) { for line in lines { tape.hear(line) } }
      #expect(tape.wait() == "AT+HTTPTERM", "after \(steps); \(postingAgain)")
      tape.wait()
      #expect(tape.isOver, "after \(steps); \(postingAgain)")
      #expect(tape.end == (steps < 6 ? .unreachable : .lost), "after \(steps); \(postingAgain)")
      let end = ModemWebBounds.taskLimit + ModemWebBounds.closeLimit
      #expect(tape.now <= end.count, "after \(steps); \(postingAgain)")
    }
  }

  @Test func `The modem's own report counts although it came late`() {
    var tape = PostingTape()
    tape.act()
    #expect(tape.wait() == "AT+HTTPTERM", postingAgain)
    tape.hear("+HTTPACTION: 0,713,0", "OK")
    #expect(tape.end == .unreachable, postingAgain)
  }

  @Test func `What was owed before is not taken for an answer`() {
    var tape = PostingTape()
    #expect(tape.hear("OK") == "AT+CSQ", postingAgain)
    #expect(tape.hear("ERROR", "OK", "+CREG: 0,1", "OK") == "", postingAgain)
    #expect(tape.hear("+CME ERROR: 30") == "AT+CPIN?", "some do not tell the signal")
    #expect(tape.hear("+CPIN: READY", "OK") == "AT+HTTPINIT", postingAgain)
  }

  @Test func `A service that was left open is closed and opened again, once`() {
    var tape = PostingTape()
    tape.hear("OK")
    tape.hear("+CSQ: 15,99", "OK")
    #expect(tape.hear("ERROR") == "AT+HTTPTERM", postingAgain)
    #expect(tape.hear("OK") == "AT+HTTPINIT", postingAgain)
    #expect(tape.hear("ERROR") == "AT+HTTPTERM", postingAgain)
    tape.hear("OK")
    #expect(tape.end == .unreachable, postingAgain)
  }

  @Test(arguments: ["*ATREADY: 1", "+CPIN: NOT READY"])
  func `A modem that restarts, or loses its SIM, ends it at once, and the core hears of it`(
    _ line: String
  ) {
    for (isActing, end) in [(false, ModemFailure.unreachable), (true, .lost)] {
      var tape = PostingTape()
      if isActing { tape.act() }
      #expect(tape.hear(line) == "", postingAgain)
      #expect(tape.isOver && tape.end == end, postingAgain)
      #expect(tape.posting.takeNews() == InlineText(Array(line.utf8).span), postingAgain)
    }
  }

  @Test func `With too little time left no further request is begun`() {
    var tape = PostingTape()
    tape.act()
    tape.now = 60_000
    tape.hear("+HTTPACTION: 0,200,0")
    #expect(tape.proceed(hasNext: true) == "AT+HTTPTERM", postingAgain)
    tape.hear("OK")
    #expect(tape.isOver && tape.end == nil, postingAgain)
  }

  @Test func `Any bytes end it without a trap`() {
    var generator = SystemRandomNumberGenerator()
    let words = ["+HTTPACTION: 0,200,", "+HTTPREAD: ", "OK\r\n", "\r\n", "9", "+CSQ: 1", "<", "\r"]
    for _ in 0..<300 {
      var tape = PostingTape()
      var all: [UInt8] = []
      for _ in 0..<60 {
        let bytes =
          Bool.random(using: &generator)
          ? Array(words.randomElement(using: &generator)!.utf8) : [.random(in: 0...255)]
        all += bytes
        for byte in bytes {
          tape.now += 1
          if case .judge = tape.posting.receive(byte, at: Instant(milliseconds: tape.now)) {
            tape.proceed(hasNext: true)
          }
        }
      }
      for _ in 0..<4 { tape.wait() }
      #expect(!tape.posting.isActive, "\(all); \(postingAgain)")
    }
  }
}
