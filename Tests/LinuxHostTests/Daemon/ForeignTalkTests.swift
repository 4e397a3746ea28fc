import Testing
import TrackerCore

@testable import LinuxHost

/// Which lines from a modem are the echo of another program's commands.
@Suite struct ForeignTalkTests {
  private let again: Comment = "repeat with: swift test --filter ForeignTalkTests"

  @Test func `The echo of another program's command is noticed, however it is cut`() {
    var talk = ForeignTalk()
    talk.sent(Array("AT+CSQ\r".utf8))
    let isFirst = talk.hears("\r\nOK\r\nAT+CG".utf8, at: .start)
    let isSecond = talk.hears("MI\r\r\nSIMCOM\r\n".utf8, at: .start)
    #expect(!isFirst && isSecond, again)
  }

  @Test func `Three commands that follow each other are another program's, and no noise`() {
    for (seconds, isCertain): (Int64, Bool) in [(120, true), (121, false)] {
      var talk = ForeignTalk()
      var now = Instant.start
      for _ in 0..<3 {
        now = now + .seconds(seconds)
        #expect(!talk.isCertain(at: now), again)
        _ = talk.hears("AT+CGMI\r".utf8, at: now)
      }
      #expect(talk.isCertain(at: now) == isCertain, "\(seconds) s; \(again)")
      #expect(!talk.isCertain(at: now + .seconds(121)), "\(seconds) s; \(again)")
    }
  }

  @Test(arguments: [
    "AT+CSQ\r\r\n+CSQ: 15,99\r\n", "ATE0\r\r\nOK\r\n", "AT+CPIN=\"****\"\r\r\nOK\r\n",
    "\r\nRDY\r\n", "+CPIN: READY\r\n", "AT\r\n",
  ])
  func `Answers and the echo of our own commands are not taken for it`(_ text: String) {
    var talk = ForeignTalk()
    for command in ["ATE0\r", "AT+CSQ\r", "AT+CPIN=\"0742\"\r"] { talk.sent(Array(command.utf8)) }
    let isForeign = talk.hears(text.utf8, at: .start)
    #expect(!isForeign, again)
  }

  @Test func `A line without an end takes no memory`() {
    var talk = ForeignTalk()
    for _ in 0..<100_000 { _ = talk.hears("AT+A".utf8, at: .start) }
    let isForeign = talk.hears("\r".utf8, at: .start)
    #expect(isForeign, again)
  }
}
