import Foundation
import Testing

@testable import ModemEmulator

/// The files of dialogues, and the modem that follows them.
@Suite struct DialogueReaderTests {
  private func dialogue(_ text: String) throws -> Dialogue {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("dialogue-\(UUID().uuidString).dialogue")
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      return try Dialogue(path: file.path)
    } catch let problem as DialogueProblem {
      throw Complaint(text: problem.description.replacing(file.path, with: "x"))
    }
  }

  struct Complaint: Error, Equatable { var text: String }

  private func said(_ modem: inout ScriptedModem) -> String {
    String(decoding: modem.takeOutput(), as: UTF8.self)
  }

  static let mistakes: [(String, String)] = [
    ("hello", "x:1: is no line of a dialogue"),
    ("< OK", "x:1: stands in no block; begin one with >"),
    ("# fine\n\n> CREG", "x:3: a command begins with AT"),
    ("> AT*+*", "x:1: one * at the most"), ("> AT if a b c", "x:1: write if name, or if not name"),
    ("> AT\nwait 5", "x:2: write a time as 300 ms or 8 s"),
    ("> AT\nwait -5 ms", "x:2: write a time as 300 ms or 8 s"),
    ("> AT\n! dance", "x:2: is no action; write set, clear, mute, off, reboot, text or forward"),
    ("> AT\n<< \\q", "x:2: after \\ comes r, n, 0 or x"),
    ("> AT\n<< \\xG0", "x:2: \\x needs two digits"),
    ("http quectel", "x:1: write http sim7600 or http a7670"),
    ("at boot\n300 ms", "x:2: is no line of a dialogue"),
  ]

  @Test(arguments: mistakes.indices)
  func `A mistake is one line with its place`(_ number: Int) {
    let (text, problem) = Self.mistakes[number]
    #expect(throws: Complaint(text: problem), emulatorAgain) { try dialogue(text) }
  }

  @Test func `Blocks are taken by condition and in turn`() throws {
    var modem = ScriptedModem(
      try dialogue(
        """
        > AT+A? if locked
        < locked
        > AT+A?
        < first
        > AT+A?
        < second
        > AT+B=*;
        << B\\x21
        """), isOn: true)
    modem.receive(Array("ATE0\r".utf8), at: 0)
    _ = modem.takeOutput()
    modem.set("locked", true)
    modem.receive(Array("AT+A?\r".utf8), at: 0)
    #expect(said(&modem) == "\r\nlocked\r\n", emulatorAgain)
    modem.set("locked", false)
    for _ in 0..<3 { modem.receive(Array("AT+A?\r".utf8), at: 0) }
    #expect(said(&modem) == "\r\nfirst\r\n\r\nsecond\r\n\r\nsecond\r\n", emulatorAgain)
    modem.receive(Array("AT+B=9;\rAT+B=9\r".utf8), at: 0)
    #expect(said(&modem) == "B!\r\nERROR\r\n", emulatorAgain)
    #expect(modem.heard.count == 7, emulatorAgain)
  }

  @Test func `Time passes in waits, at boot and later`() throws {
    var modem = ScriptedModem(
      try dialogue(
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
    modem.setKey(isHigh: true, at: 0)
    modem.setKey(isHigh: false, at: 99)
    #expect(!modem.isOn, emulatorAgain)
    modem.setKey(isHigh: true, at: 100)
    modem.setKey(isHigh: false, at: 200)
    #expect(modem.isOn && modem.nextDeadline == 1200, emulatorAgain)
    modem.advance(to: 1199)
    #expect(said(&modem) == "", emulatorAgain)
    modem.advance(to: 1200)
    #expect(said(&modem) == "\r\nRDY\r\n", emulatorAgain)
    modem.receive(Array("AT+A\rAT\r".utf8), at: 2000)
    #expect(said(&modem) == "AT+A\r\r\none\r\nAT\r", "it echoes; \(emulatorAgain)")
    modem.advance(to: 2300)
    #expect(said(&modem) == "\r\ntwo\r\n\r\nOK\r\n", emulatorAgain)
    modem.advance(to: 3300)
    #expect(said(&modem) == "\r\nLATE\r\n", emulatorAgain)
    modem.receive(Array("AT+CPOF\r".utf8), at: 4000)
    modem.advance(to: 5999)
    #expect(!modem.isOn && modem.nextDeadline == 6000, emulatorAgain)
    modem.setKey(isHigh: true, at: 5000)
    modem.setKey(isHigh: false, at: 5900)
    #expect(!modem.isOn, "not before it is off; \(emulatorAgain)")
    modem.setKey(isHigh: true, at: 7000)
    modem.setKey(isHigh: false, at: 7500)
    _ = said(&modem)
    modem.advance(to: 9500)
    #expect(said(&modem) == "\r\nAGAIN\r\n" && modem.boots == 2, emulatorAgain)
  }

  @Test func `A mute modem hears and says nothing until it is switched on again`() throws {
    var modem = ScriptedModem(try dialogue("> AT+A\n! mute\n< never\n"), isOn: true)
    modem.receive(Array("AT+A\rAT\r".utf8), at: 0)
    #expect(said(&modem) == "AT+A\r" && modem.heard == ["AT+A", "AT"], emulatorAgain)
    modem.reboot(at: 10)
    modem.receive(Array("AT\r".utf8), at: 20)
    #expect(said(&modem) == "AT\r\r\nOK\r\n", emulatorAgain)
  }
}
