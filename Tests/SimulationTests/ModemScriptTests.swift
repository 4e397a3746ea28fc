import Testing
import TrackerCore

@testable import Simulation

/// The scripts of modems, and the modem that follows them.
@Suite struct ModemScriptTests {
  static let again: Comment = "repeat with: swift test --filter ModemScriptTests"

  private func script(_ text: String) throws -> ModemScript { try ModemScript(text, name: "x") }

  private func ms(_ count: Int64) -> Instant { Instant(milliseconds: count) }

  private func said(_ modem: inout ModemEmulator) -> String {
    String(decoding: modem.takeOutput(), as: UTF8.self)
  }

  static let mistakes: [(String, String)] = [
    ("hello", "x:1: is not a line of a modem's script"),
    ("< OK", "x:1: is not in a block; begin one with >"),
    ("# fine\n\n> CREG", "x:3: a command begins with AT"),
    ("> AT*+*", "x:1: at most one *"), ("> AT if a b c", "x:1: write if name, or if not name"),
    ("> AT\nwait 5", "x:2: write a time as 300 ms or 8 s"),
    ("> AT\nwait -5 ms", "x:2: write a time as 300 ms or 8 s"),
    (
      "> AT\n! dance",
      "x:2: is not an action; write set, clear, mute, off, reboot, baud, text, forward, get or post"
    ),
    ("> AT\n<< \\q", "x:2: write r, n, 0 or x after \\"),
    ("> AT\n<< \\xG0", "x:2: \\x needs two digits"),
    ("> AT\n! baud fast", "x:2: write a rate as baud 9600"),
    ("rests with radio off and on", "x:1: is not a line of a modem's script"),
    ("http quectel", "x:1: write http sim7600 or http a7670"),
    ("at boot\n300 ms", "x:2: is not a line of a modem's script"),
    ("like quectel", "x:1: is not a built-in family; write generic, sim5320, sim7600 or a7670"),
    ("> AT\n< OK\nlike sim7600", "x:3: must be first; move it up"),
    ("> AT\n! set searching", "x:2: searching is derived from other conditions; set one of those"),
  ]

  @Test(arguments: mistakes.indices)
  func `A mistake is one line with its place`(_ number: Int) {
    let (text, problem) = Self.mistakes[number]
    #expect(throws: ModemScriptError(description: problem), Self.again) { try script(text) }
  }

  @Test func `Blocks are taken by condition and in turn`() throws {
    var modem = ModemEmulator(
      try script(
        """
        > AT+A? if locked
        < locked
        > AT+A?
        < first
        > AT+A?
        < second
        > AT+B=*;
        << B\\x21
        """), isOn: true, keepsTranscript: true)
    modem.receive(Array("ATE0\r".utf8), at: ms(0))
    _ = modem.takeOutput()
    modem.set("locked", true)
    modem.receive(Array("AT+A?\r".utf8), at: ms(0))
    #expect(said(&modem) == "\r\nlocked\r\n", Self.again)
    modem.set("locked", false)
    for _ in 0..<3 { modem.receive(Array("AT+A?\r".utf8), at: ms(0)) }
    #expect(said(&modem) == "\r\nfirst\r\n\r\nsecond\r\n\r\nsecond\r\n", Self.again)
    modem.receive(Array("AT+B=9;\rAT+B=9\r".utf8), at: ms(0))
    #expect(said(&modem) == "B!\r\nERROR\r\n", Self.again)
    #expect(modem.heard.count == 7, Self.again)
  }

  @Test func `Time passes in waits, at boot and later`() throws {
    var modem = ModemEmulator(
      try script(
        """
        key on 100 ms off 500 ms
        off takes 2 s
        at boot
          1 s RDY
        at boot
          2 s AGAIN
        > AT+A
        < one
        wait 300 ms
        later 1 s LATE
        < two
        """))
    modem.setKey(isPressed: true, at: ms(0))
    modem.setKey(isPressed: false, at: ms(99))
    #expect(!modem.isOn, Self.again)
    modem.setKey(isPressed: true, at: ms(100))
    modem.setKey(isPressed: false, at: ms(200))
    #expect(modem.isOn && modem.nextDeadline == ms(1200), Self.again)
    modem.advance(to: ms(1199))
    #expect(said(&modem) == "", Self.again)
    modem.advance(to: ms(1200))
    #expect(said(&modem) == "\r\nRDY\r\n", Self.again)
    modem.receive(Array("AT+A\rAT\r".utf8), at: ms(2000))
    #expect(said(&modem) == "AT+A\r\r\none\r\nAT\r", "it echoes; \(Self.again)")
    modem.advance(to: ms(2300))
    #expect(said(&modem) == "\r\ntwo\r\n\r\nOK\r\n", Self.again)
    modem.advance(to: ms(3300))
    #expect(said(&modem) == "\r\nLATE\r\n", Self.again)
    modem.receive(Array("AT+CPOF\r".utf8), at: ms(4000))
    modem.advance(to: ms(5999))
    #expect(!modem.isOn && modem.nextDeadline == ms(6000), Self.again)
    modem.setKey(isPressed: true, at: ms(5000))
    modem.setKey(isPressed: false, at: ms(5900))
    #expect(!modem.isOn, "not before it is off; \(Self.again)")
    modem.setKey(isPressed: true, at: ms(7000))
    modem.setKey(isPressed: false, at: ms(7500))
    _ = said(&modem)
    modem.advance(to: ms(9500))
    #expect(said(&modem) == "\r\nAGAIN\r\n" && modem.boots == 2, Self.again)
  }

  @Test func `The rest of a body that never comes is waited for as long as it was told`() {
    var modem = ModemEmulator(ModemScript(family: .sim7600), isOn: true)
    modem.receive(Array("ATE0\rAT+HTTPINIT\rAT+HTTPDATA=9,60\rf=js".utf8), at: ms(0))
    #expect(said(&modem).hasSuffix("DOWNLOAD\r\n"), Self.again)
    #expect(modem.nextDeadline == ms(60_000), Self.again)
    modem.advance(to: ms(60_000))
    _ = modem.takeOutput()
    modem.receive(Array("AT\r".utf8), at: ms(60_100))
    #expect(said(&modem) == "\r\nOK\r\n", Self.again)
  }

  @Test func `A mute modem hears and says nothing until it is switched on again`() throws {
    var modem = ModemEmulator(
      try script("> AT+A\n! mute\n< never\n"), isOn: true, keepsTranscript: true)
    modem.receive(Array("AT+A\rAT\r".utf8), at: ms(0))
    #expect(said(&modem) == "AT+A\r" && modem.heard == ["AT+A", "AT"], Self.again)
    modem.reboot(at: ms(10))
    modem.receive(Array("AT\r".utf8), at: ms(20))
    #expect(said(&modem) == "AT\r\r\nOK\r\n", Self.again)
  }
}
