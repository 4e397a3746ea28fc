import Testing
import TrackerCore

@testable import ModemDialogues

/// Short messages, and what stands in them.
@Suite struct ModemTextTests {
  private struct Tape {
    var text = ModemText(family: .sim7600)
    var now: Int64 = 0

    mutating func begin(_ words: String = "Hello") -> String {
      guard let number = PhoneNumber(Array("+34600000000".utf8).span) else { return "no number" }
      return show(text.begin(to: number, text: words, at: Instant(milliseconds: now)))
    }

    mutating func hear(_ said: String) -> String {
      show(text.receive(Array(said.utf8), at: Instant(milliseconds: now)))
    }

    mutating func wait() -> String {
      guard let deadline = text.nextDeadline else { return "nothing is waited for" }
      now = deadline.milliseconds
      return show(text.deadlineReached(at: deadline))
    }

    private func show(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self).replacing("\r", with: "⏎")
        .replacing("\u{1A}", with: "␚").replacing("\u{1B}", with: "␛")
    }
  }

  @Test func `A message, as the manuals show it`() {
    var tape = Tape()
    #expect(tape.begin() == "ATE0⏎", modemAgain)
    #expect(tape.hear("\r\nOK\r\n") == "AT+CMGF=1⏎", modemAgain)
    #expect(tape.hear("\r\nOK\r\n") == "AT+CMGS=\"+34600000000\"⏎", modemAgain)
    #expect(tape.hear("\r\n> ") == "Hello␚", modemAgain)
    #expect(tape.hear("\r\n+CREG: 1\r\n\r\n+CMGS: 5\r\n") == "", modemAgain)
    #expect(tape.text.takeResult() == nil, "not before its end")
    #expect(tape.hear("\r\nOK\r\n") == "", modemAgain)
    #expect(tape.text.takeResult() == true && tape.text.takeResult() == nil, modemAgain)
  }

  @Test(arguments: [1, 2, 3])
  func `A refusal at any step is a message that was not sent`(_ step: Int) {
    var tape = Tape()
    _ = tape.begin()
    for answer in ["\r\nOK\r\n", "\r\nOK\r\n", "\r\n> "].prefix(step) { _ = tape.hear(answer) }
    #expect(tape.hear("\r\n+CMS ERROR: 500\r\n") == "", modemAgain)
    #expect(tape.text.takeResult() == false, modemAgain)
  }

  @Test func `An OK without the network's word is not believed`() {
    var tape = Tape()
    _ = tape.begin()
    _ = tape.hear("\r\nOK\r\n")
    _ = tape.hear("\r\nOK\r\n")
    // Of something earlier.
    #expect(tape.hear("\r\nOK\r\n") == "" && tape.text.isActive, modemAgain)
    _ = tape.hear("\r\n> ")
    #expect(tape.hear("\r\nOK\r\n") == "" && tape.text.isActive, modemAgain)
    #expect(tape.wait() == "" && tape.text.takeResult() == false, modemAgain)
    #expect(Milliseconds(tape.now) < Bounds.textLimit, "the core would give up first")
  }

  @Test func `Without a prompt the modem is got out of waiting for one`() {
    var tape = Tape()
    _ = tape.begin()
    _ = tape.hear("\r\nOK\r\n\r\nOK\r\n")
    #expect(tape.wait() == "␛", modemAgain)
    #expect(tape.hear("\r\nOK\r\n") == "" && tape.text.takeResult() == false, modemAgain)
  }

  @Test func `A mute modem ends it, and abandoning does`() {
    var tape = Tape()
    _ = tape.begin()
    #expect(tape.wait() == "" && tape.text.takeResult() == false, modemAgain)
    _ = tape.begin()
    #expect(tape.text.abandon() == [], modemAgain)
    #expect(tape.text.takeResult() == false && tape.text.nextDeadline == nil, modemAgain)
  }

  @Test func `A modem that waits for the text is got out of that before it is left`() {
    for prompt in [false, true] {
      var tape = Tape()
      _ = tape.begin()
      _ = tape.hear("\r\nOK\r\n\r\nOK\r\n")
      if prompt { _ = tape.hear("\r\n> ") }
      #expect(tape.text.abandon() == [0x1B] && tape.text.takeResult() == false, modemAgain)
    }
  }

  @Test func `However slow each answer is, the whole ends before the core gives it up`() {
    var tape = Tape()
    _ = tape.begin()
    for answer in ["\r\nOK\r\n", "\r\nOK\r\n", "\r\n> ", "\r\n+CMGS: 7\r\n"] {
      guard let deadline = tape.text.nextDeadline else { break }
      // Each one comes at the last moment.
      tape.now = deadline.milliseconds - 20
      _ = tape.hear(answer)
    }
    while tape.text.isActive { _ = tape.wait() }
    #expect(Milliseconds(tape.now) < Bounds.textLimit, modemAgain)
  }

  @Test func `A text keeps to the alphabet and the length of a short message`() {
    #expect(ModemText.plain("Els Senglars 76%, 5 m") == "Els Senglars 76%, 5 m", modemAgain)
    #expect(ModemText.plain("L'Ós, Façana i CORÇÀ") == "L'Os, Facana i CORCA", modemAgain)
    let plain = ModemText.plain("λ\u{1A}\r{}^\\~[]|@$_`e")
    #expect(plain == String(repeating: "?", count: 15) + "e", modemAgain)
    #expect(ModemText.plain(String(repeating: "a", count: 999)).count == 160, modemAgain)
  }

  @Test func `A position is one short message`() {
    var capture = Capture(
      sequence: 7, utc: UTC(milliseconds: 1_777_730_580_000), isTimeTrusted: true,
      position: Coordinate(latitude: 421_822_049, longitude: -24_890_001),
      team: InlineText("Els Caminants d'Olot"), trigger: .interval)
    capture.accuracyMetres = 5
    capture.batteryPercent = 76
    #expect(
      PositionText.text(of: capture)
        == "Els Caminants d'Olot 42.18220 -2.48900 2026-05-02 14:03 UTC 5 m 76%", modemAgain)
    capture.isTimeTrusted = false
    capture.team = InlineText()
    capture.batteryPercent = nil
    capture.position = Coordinate(latitude: -5_000, longitude: 0)
    #expect(
      PositionText.text(of: capture) == "trailtracker -0.00050 0.00000 (time unknown) 5 m",
      modemAgain)
    capture.position = Coordinate(latitude: .min, longitude: .max)
    capture.utc = UTC(milliseconds: .max)
    capture.isTimeTrusted = true
    #expect((PositionText.text(of: capture)?.count ?? 0) <= 160, modemAgain)
    #expect(PositionText.text(of: nil) == nil, modemAgain)
  }

  @Test func `An emergency's message says SOS, and that it is over`() {
    var capture = Capture(
      sequence: 7, utc: UTC(milliseconds: 1_777_730_580_000), isTimeTrusted: true,
      position: Coordinate(latitude: 421_822_049, longitude: -24_890_001),
      team: InlineText("Els Corbs"), trigger: .interval)
    let place = "Els Corbs 42.18220 -2.48900 2026-05-02 14:03 UTC"
    #expect(PositionText.text(of: capture, isEmergency: true) == "SOS \(place)", modemAgain)
    capture.trigger = .emergencyOver
    #expect(PositionText.text(of: capture) == "SOS over: \(place)", modemAgain)
    capture.trigger = .interval
    #expect(PositionText.text(of: capture) == place, modemAgain)
    #expect(
      PositionText.text(of: nil, team: InlineText("Els Corbs"), isEmergency: true)
        == "SOS Els Corbs no position", modemAgain)
  }
}
