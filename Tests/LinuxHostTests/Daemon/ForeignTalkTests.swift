import Testing

@testable import LinuxHost

/// Which lines from a modem are the echo of another program's commands.
@Suite struct ForeignTalkTests {
  private let again: Comment = "repeat with: swift test --filter ForeignTalkTests"

  @Test func `The echo of another program's command is noticed, however it is cut`() {
    var talk = ForeignTalk()
    talk.sent(Array("AT+CSQ\r".utf8))
    let isFirst = talk.hears("\r\nOK\r\nAT+CG".utf8)
    let isSecond = talk.hears("MI\r\r\nSIMCOM\r\n".utf8)
    #expect(!isFirst && isSecond, again)
    #expect(talk.count == 1, again)
  }

  @Test(arguments: [
    "AT+CSQ\r\r\n+CSQ: 15,99\r\n", "ATE0\r\r\nOK\r\n", "AT+CPIN=\"****\"\r\r\nOK\r\n",
    "\r\nRDY\r\n", "+CPIN: READY\r\n", "AT\r\n",
  ])
  func `Answers and the echo of our own commands are not taken for it`(_ text: String) {
    var talk = ForeignTalk()
    for command in ["ATE0\r", "AT+CSQ\r", "AT+CPIN=\"0742\"\r"] { talk.sent(Array(command.utf8)) }
    let isForeign = talk.hears(text.utf8)
    #expect(!isForeign, again)
  }

  @Test func `A line without an end takes no memory`() {
    var talk = ForeignTalk()
    for _ in 0..<100_000 { _ = talk.hears("AT+A".utf8) }
    let isForeign = talk.hears("\r".utf8)
    #expect(isForeign, again)
  }
}
