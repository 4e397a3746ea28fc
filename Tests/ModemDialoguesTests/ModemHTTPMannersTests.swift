import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues

/// Requests by modems that differ by little from the manuals.
@Suite struct ModemHTTPMannersTests {
  /// As far as the report about the request.
  private func acting() -> HTTPTape {
    var tape = HTTPTape(.sim7600)
    tape.act(HTTPTape.post)
    return tape
  }

  private let answered = ModemHTTPResult(
    reply: .response(status: 200, headers: [], body: Array("{\"a\":[]}".utf8)))

  @Test func `Reports without a blank after the colon are read`() {
    var tape = acting()
    #expect(tape.hear("+HTTPACTION:1,200,8") == "AT+HTTPREAD=0,8⏎", modemAgain)
    tape.hear("OK")
    tape.hear("+HTTPREAD:DATA,8\r\n{\"a\":[]}")
    tape.hear("+HTTPREAD:0")
    #expect(tape.close() == answered, modemAgain)
  }

  @Test func `A 100 is not the status`() {
    var tape = acting()
    #expect(tape.hear("+HTTPACTION: 1,100,0") == "", modemAgain)
    #expect(tape.hear("+HTTPACTION: 1,200,8") == "AT+HTTPREAD=0,8⏎", modemAgain)
  }

  @Test(arguments: [
    "+CGEV: NW MODIFY 1,2,0\r\n", "+A: 1\r\n\r\n*B: 2\r\n",
    "+CMT: \"+34600000001\",,\"26/05/28,10:00:00+08\"\r\nRDY\r\n",
  ])
  func `A report between the mark and the data is not data`(_ report: String) {
    var tape = acting()
    tape.hear("+HTTPACTION: 1,200,8")
    tape.hear("OK")
    tape.hear("+HTTPREAD: DATA,8\r\n\r\n\(report){\"a\":[]}")
    tape.hear("+HTTPREAD: 0")
    #expect(tape.close() == answered, modemAgain)
  }

  @Test func `One that refuses to tell its signal is asked for its SIM instead`() {
    var tape = HTTPTape(.sim7600)
    tape.begin()
    #expect(tape.hear("OK") == "AT+CSQ⏎", modemAgain)
    #expect(tape.hear("+CME ERROR: 100") == "AT+CPIN?⏎", modemAgain)
    #expect(tape.hear("+CPIN: READY", "OK") == "AT+HTTPINIT⏎", modemAgain)
  }

  @Test(arguments: ["RDY", "START", "+CPIN: NOT READY", "OK", "ERROR"])
  func `The body of a short message interrupts nothing`(_ body: String) {
    var tape = acting()
    #expect(
      tape.hear("+CMT: \"+34600000001\",,\"26/05/28,10:00:00+08\"\r\n\(body)") == "", modemAgain)
    #expect(tape.http.isActive, modemAgain)
    #expect(tape.hear("+HTTPACTION: 1,200,8") == "AT+HTTPREAD=0,8⏎", modemAgain)
  }

  @Test func `One that takes 12 s for each answer is waited for`() {
    var tape = HTTPTape(.sim7600)
    tape.begin()
    for _ in 0..<4 {
      let due = tape.http.nextDeadline.map { $0.milliseconds - tape.now } ?? 0
      #expect(due > 12_000, "\(due); \(modemAgain)")
      tape.now += 12_000
      tape.hear("+CSQ: 15,99", "OK")
    }
    #expect(
      tape.http.isActive
        && tape.said.hasSuffix("AT+HTTPPARA=\"CONTENT\",\"application/x-www-form-urlencoded\"⏎"),
      "\(tape.said); \(modemAgain)")
  }
}
