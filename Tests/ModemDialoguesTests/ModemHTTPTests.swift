import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues

/// Requests by a modem's own commands, as the manuals show them and as they go wrong.
@Suite struct ModemHTTPTests {
  @Test func `A post, as a SIM7600 takes it`() {
    var tape = HTTPTape(.sim7600)
    #expect(tape.begin() == "ATE0⏎", modemAgain)
    #expect(tape.hear("OK") == "AT+CSQ⏎", modemAgain)
    #expect(tape.hear("+CSQ: 15,99", "OK") == "AT+HTTPINIT⏎", modemAgain)
    #expect(
      tape.hear("OK") == "AT+HTTPPARA=\"URL\",\"http://camp.example/rest/0/addFeatures\"⏎",
      modemAgain)
    #expect(
      tape.hear("OK") == "AT+HTTPPARA=\"CONTENT\",\"application/x-www-form-urlencoded\"⏎",
      modemAgain)
    #expect(tape.hear("OK") == "AT+HTTPPARA=\"CONNECTTO\",30⏎", modemAgain)
    #expect(tape.hear("OK") == "AT+HTTPPARA=\"RECVTO\",60⏎", modemAgain)
    #expect(tape.hear("OK") == "AT+HTTPDATA=18,60⏎", modemAgain)
    #expect(tape.hear("DOWNLOAD") == "f=json&features=[]", modemAgain)
    #expect(tape.hear("OK") == "AT+HTTPACTION=1⏎", modemAgain)
    #expect(tape.hear("OK") == "", modemAgain)
    #expect(tape.hear("+HTTPACTION: 1,200,21") == "AT+HTTPREAD=0,21⏎", modemAgain)
    #expect(tape.hear("OK") == "", modemAgain)
    #expect(tape.hear("+HTTPREAD: DATA,21\r\n{\"addResults\":[ OK]}\n") == "", modemAgain)
    #expect(tape.hear("+HTTPREAD: 0") == "AT+HTTPTERM⏎", modemAgain)
    #expect(tape.http.isActive && tape.http.takeResult() == nil, modemAgain)
    let reply = HTTPReply.response(
      status: 200, headers: [], body: Array("{\"addResults\":[ OK]}\n".utf8))
    #expect(tape.close() == ModemHTTPResult(reply: reply), modemAgain)
    #expect(!tape.http.isActive && tape.http.nextDeadline == nil, modemAgain)
    #expect(tape.http.takeResult() == nil, "once")
  }

  @Test func `A get over TLS, as an A7670 takes it`() {
    var tape = HTTPTape(.a7670, trust: .authority("camp.pem"))
    tape.act(HTTPTape.get)
    let expected = [
      "ATE0", "AT+CSQ", "AT+HTTPINIT",
      "AT+HTTPPARA=\"URL\",\"https://camp.example/rest/0?f=json\"",
      "AT+CSSLCFG=\"sslversion\",0,3", "AT+CSSLCFG=\"enableSNI\",0,1",
      "AT+HTTPPARA=\"SSLCFG\",0", "AT+CSSLCFG=\"ignorelocaltime\",0,1",
      "AT+CSSLCFG=\"cacert\",0,\"camp.pem\"", "AT+CSSLCFG=\"authmode\",0,1",
      "AT+HTTPPARA=\"USERDATA\",\"Accept: application/json\\r\\nX-Limit-U: me\"",
      "AT+HTTPPARA=\"CONNECTTO\",30", "AT+HTTPPARA=\"RECVTO\",60", "AT+HTTPACTION=0",
    ]
    #expect(tape.said.split(separator: "⏎").map(String.init) == expected, modemAgain)
    #expect(tape.hear("OK", "+HTTPACTION: 0,200,2") == "AT+HTTPREAD=0,2⏎", modemAgain)
    // This one says OK last.
    #expect(tape.hear("+HTTPREAD: 2\r\n{}", "OK") == "AT+HTTPTERM⏎", modemAgain)
    let reply = HTTPReply.response(status: 200, headers: [], body: Array("{}".utf8))
    #expect(tape.close()?.reply == reply, modemAgain)
  }

  @Test func `Families that cannot are known`() {
    #expect(ModemHTTP(family: .sim5320, trust: .nobody) == nil, modemAgain)
    #expect(ModemHTTP(family: .generic, trust: .nobody) == nil, modemAgain)
  }

  /// What the modem says instead of a status, and whether the server may have the request.
  static let codes: [(code: Int, isLost: Bool, hasNoNetwork: Bool)] = [
    (601, true, true), (602, true, false), (603, false, false), (604, true, false),
    (701, true, false), (702, true, false), (703, true, false), (704, true, false),
    (705, true, false), (706, true, false), (709, true, true), (710, false, false),
    (712, false, false), (713, false, false), (714, false, false), (715, false, false),
    (716, true, false), (717, false, true), (718, true, false), (719, false, false),
    (720, true, false), (0, true, false), (99, true, false), (600, true, false),
    (1000, true, false),
  ]

  @Test(arguments: codes.indices)
  func `Without a status it is unreachable only if nothing can have been sent`(_ number: Int) {
    let (code, isLost, hasNoNetwork) = Self.codes[number]
    var tape = HTTPTape()
    tape.act()
    tape.hear("OK")
    #expect(tape.hear("+HTTPACTION: 1,\(code),0") == "AT+HTTPTERM⏎", modemAgain)
    let result = tape.close()
    #expect(result?.reply == (isLost ? .lost : .unreachable), "\(code); \(modemAgain)")
    #expect(result?.isNetworkLost == hasNoNetwork, "\(code); \(modemAgain)")
    #expect(result?.problem?.english.contains("(modem code \(code))") == true, modemAgain)
  }

  @Test func `Reports in the middle of an answer, and echoes, disturb nothing`() {
    var tape = HTTPTape()
    tape.begin()
    tape.hear("ATE0", "RING", "OK")
    tape.hear("+CREG: 1", "+CSQ: 15,99", "+CMTI: \"SM\",3", "OK")
    for _ in 0..<5 { tape.hear("+CGEV: NW MODIFY 1,2,0", "OK") }
    #expect(tape.hear("+CREG: 2", "DOWNLOAD") == "f=json&features=[]", modemAgain)
    tape.hear("OK", "+CREG: 1")
    tape.hear("OK", "SMS DONE")
    tape.hear("RING", "+HTTPACTION: 1,200,41", "+CREG: 1")
    // What the body holds is nobody's report.
    let body = "\r\nERROR\r\n+HTTPACTION: 1,715,0\r\nOK\r\n> RDY."
    #expect(body.utf8.count == 41, modemAgain)
    tape.hear("OK", "+CREG: 1", "+HTTPREAD: DATA,41\r\n\(body)", "+HTTPREAD: 0")
    let reply = HTTPReply.response(status: 200, headers: [], body: Array(body.utf8))
    #expect(tape.close()?.reply == reply, modemAgain)
  }

  @Test func `What was owed before is not taken for an answer`() {
    var tape = HTTPTape()
    tape.begin()
    #expect(tape.hear("OK") == "AT+CSQ⏎", modemAgain)
    #expect(tape.hear("ERROR", "OK", "+CREG: 0,1", "OK") == "", modemAgain)
    #expect(tape.hear("+CSQ: 99,99", "OK") == "AT+HTTPINIT⏎", modemAgain)
  }

  @Test func `A service that was left open is closed and opened again, once`() {
    var tape = HTTPTape()
    tape.begin()
    tape.hear("OK")
    tape.hear("+CSQ: 15,99", "OK")
    #expect(tape.hear("ERROR") == "AT+HTTPTERM⏎", modemAgain)
    #expect(tape.hear("OK") == "AT+HTTPINIT⏎", modemAgain)
    #expect(tape.hear("ERROR") == "AT+HTTPTERM⏎", modemAgain)
    #expect(tape.close()?.reply == .unreachable, modemAgain)
  }

  @Test func `A setting that firmware refuses is let be, unless the request is nothing without it`()
  {
    var tape = HTTPTape(trust: .authority("camp.pem"))
    tape.begin(HTTPTape.get)
    tape.hear("OK")
    tape.hear("+CSQ: 15,99", "OK")
    tape.hear("OK")
    tape.hear("OK")
    #expect(tape.hear("ERROR").contains("enableSNI"), modemAgain)
    #expect(tape.hear("ERROR").contains("SSLCFG"), modemAgain)
    #expect(tape.hear("ERROR").contains("ignorelocaltime"), modemAgain)
    #expect(tape.hear("ERROR").contains("cacert"), modemAgain)
    // An authority that is not there must not mean that anybody is believed.
    #expect(tape.hear("+CME ERROR: 53") == "AT+HTTPTERM⏎", modemAgain)
    #expect(tape.close()?.reply == .unreachable, modemAgain)
  }

  @Test func `A long answer is read in pieces, and a piece in pieces too`() {
    var tape = HTTPTape()
    tape.act()
    #expect(tape.hear("OK", "+HTTPACTION: 1,200,10000") == "AT+HTTPREAD=0,4096⏎", modemAgain)
    let letters = (0..<10_000).map { UInt8(0x61 + $0 % 26) }
    func piece(_ range: Range<Int>) -> String {
      let text = String(decoding: letters[range], as: UTF8.self)
      return "+HTTPREAD: DATA,\(range.count)\r\n\(text)"
    }
    tape.hear("OK", piece(0..<1024), piece(1024..<4096))
    #expect(tape.hear("+HTTPREAD: 0") == "AT+HTTPREAD=4096,4096⏎", modemAgain)
    tape.hear("OK", piece(4096..<5000))
    // Less than was asked for: on from there.
    #expect(tape.hear("+HTTPREAD:0") == "AT+HTTPREAD=5000,4096⏎", modemAgain)
    #expect(tape.hear("OK", piece(5000..<9096), "+HTTPREAD: 0") == "AT+HTTPREAD=9096,904⏎")
    tape.hear("OK", piece(9096..<10_000), "+HTTPREAD: 0")
    #expect(tape.close()?.reply == .response(status: 200, headers: [], body: letters), modemAgain)
  }

  @Test func `A server that turns down is asked for its headers`() {
    var tape = HTTPTape()
    tape.act()
    #expect(tape.hear("OK", "+HTTPACTION: 1,503,0") == "AT+HTTPHEAD⏎", modemAgain)
    let head = "HTTP/1.1 503 Busy\r\nRetry-After: 90\r\nServer: x\r\n\r\n"
    #expect(tape.hear("+HTTPHEAD: DATA,\(head.utf8.count)\r\n\(head)") == "", modemAgain)
    #expect(tape.hear("OK") == "AT+HTTPTERM⏎", modemAgain)
    let headers = [HTTPHeader("Retry-After", "90"), HTTPHeader("Server", "x")]
    #expect(
      tape.close()?.reply == .response(status: 503, headers: headers, body: []), modemAgain)
  }

  @Test(arguments: ["ERROR", ""])
  func `Headers that the modem does not give are done without`(_ answer: String) {
    var tape = HTTPTape()
    tape.act()
    tape.hear("OK", "+HTTPACTION: 1,400,2")
    let next = answer.isEmpty ? tape.wait() : tape.hear(answer)
    #expect(next == "AT+HTTPREAD=0,2⏎", modemAgain)
    tape.hear("OK", "+HTTPREAD: DATA,2\r\nno", "+HTTPREAD: 0")
    let reply = HTTPReply.response(status: 400, headers: [], body: Array("no".utf8))
    #expect(tape.close()?.reply == reply, modemAgain)
  }

  @Test func `An answer without a body is read no further`() {
    var tape = HTTPTape()
    tape.act()
    #expect(tape.hear("OK", "+HTTPACTION: 1,204,0") == "AT+HTTPTERM⏎", modemAgain)
    #expect(tape.close()?.reply == .response(status: 204, headers: [], body: []), modemAgain)
  }
}
