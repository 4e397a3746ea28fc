import Simulation
import Testing
import TrackerCore

@testable import ModemDialogues

/// Short messages that have come in.
@Suite struct ModemInboxTests {
  private struct Tape {
    var inbox = ModemInbox(family: .sim7600)
    var now: Int64 = 0

    mutating func begin(_ listing: ModemInbox.Listing = .new) -> String {
      show(inbox.begin(listing, at: Instant(milliseconds: now)))
    }

    mutating func hear(_ said: String) -> String {
      show(inbox.receive(Array(said.utf8), at: Instant(milliseconds: now)))
    }

    private func show(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self).replacing("\r", with: "⏎")
    }

    /// Reads all of this, in the form of `AT+CMGL`.
    mutating func read(_ list: String) -> InboxReading? {
      _ = begin()
      _ = hear("\r\nOK\r\n")
      _ = hear("\r\nOK\r\n")
      _ = hear(list + "\r\nOK\r\n")
      _ = hear("\r\nOK\r\n")
      return inbox.takeResult()
    }
  }

  /// "hellohello", an example that is much copied.
  private static let hexHello =
    "07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37"

  @Test func `A stored message, as the manuals show it`() {
    var tape = Tape()
    #expect(tape.begin() == "ATE0⏎", modemAgain)
    #expect(tape.hear("\r\nOK\r\n") == "AT+CMGF=0⏎", modemAgain)
    #expect(tape.hear("\r\nOK\r\n") == "AT+CMGL=0⏎", modemAgain)
    let length = Self.hexHello.count / 2 - 8
    #expect(
      tape.hear("\r\n+CMGL: 7,0,\"\",\(length)\r\n\(Self.hexHello)\r\n\r\nOK\r\n") == "AT+CPMS?⏎")
    #expect(tape.hear("\r\n+CPMS: \"SM\",1,20,\"SM\",1,20,\"SM\",1,20\r\n\r\nOK\r\n") == "")
    guard let reading = tape.inbox.takeResult() else {
      Issue.record("nothing was read")
      return
    }
    #expect(reading.isComplete && !reading.isFull && reading.unread == 0, modemAgain)
    #expect(reading.texts.first?.place == 7, modemAgain)
    #expect(reading.texts.first?.sender?.string == "27838890001", modemAgain)
    #expect(reading.texts.first?.text == "hellohello", modemAgain)
  }

  @Test func `What was taken into account is deleted before the next reading, and nothing else`() {
    var tape = Tape()
    tape.inbox.clear([3, 8, 3])
    _ = tape.begin(.all)
    _ = tape.hear("\r\nOK\r\n")
    #expect(tape.hear("\r\nOK\r\n") == "AT+CMGD=3⏎", modemAgain)
    // Somebody else has deleted it.
    #expect(tape.hear("\r\n+CMS ERROR: 321\r\n") == "AT+CMGD=8⏎", modemAgain)
    #expect(tape.hear("\r\nOK\r\n") == "AT+CMGL=4⏎", modemAgain)
  }

  @Test func `Another SIM may have other messages in the same places`() {
    var tape = Tape()
    tape.inbox.clear([3])
    _ = tape.begin()
    _ = tape.hear("+SIMCARD: NOT AVAILABLE\r\n")
    #expect(tape.inbox.takeResult()?.isComplete == false, modemAgain)
    _ = tape.begin()
    _ = tape.hear("\r\nOK\r\n")
    #expect(tape.hear("\r\nOK\r\n") == "AT+CMGL=0⏎", modemAgain)
  }

  @Test(arguments: [1, 2, 3])
  func `A refusal or silence at any step is a reading that failed`(_ step: Int) {
    for isRefused in [true, false] {
      var tape = Tape()
      _ = tape.begin()
      for _ in 1..<step { _ = tape.hear("\r\nOK\r\n") }
      if isRefused && step > 1 {
        _ = tape.hear("\r\n+CMS ERROR: 310\r\n")
      } else {
        let deadline = tape.inbox.nextDeadline ?? .start
        _ = tape.inbox.deadlineReached(at: deadline)
      }
      #expect(tape.inbox.takeResult()?.isComplete == false, modemAgain)
    }
  }

  @Test func `However slow it is, the whole ends before the core gives it up`() {
    var tape = Tape()
    _ = tape.begin()
    var steps = 0
    while tape.inbox.isActive, let deadline = tape.inbox.nextDeadline, steps < 1000 {
      tape.now = deadline.milliseconds - 1
      _ = tape.hear(steps < 2 ? "\r\nOK\r\n" : "+CMGL: 1,0,,30\r\n00\r\n")
      steps += 1
      if tape.now > 24_000 { _ = tape.inbox.deadlineReached(at: deadline) }
    }
    #expect(Milliseconds(tape.now) < Bounds.readingLimit, modemAgain)
    #expect(tape.inbox.takeResult()?.isComplete == false, modemAgain)
  }

  @Test func `Messages in each alphabet, of each length, come out as they went in`() throws {
    let texts = ["OK Marta", "", "O", "OK Júlia ✓ 🦉", String(repeating: "xyz?", count: 40)]
    for text in texts {
      let (bytes, length) = message(text, from: "+34600000000")
      let read = try #require(IncomingText(place: 1, hex: bytes, length: length), "\(text)")
      #expect(read.text == text && read.sender?.string == "+34600000000", modemAgain)
    }
    for count in 0...160 {
      let text = "OK abcdefghijklmnopqrstuvwxyz" + String(repeating: "i", count: count)
      let (bytes, length) = message(String(text.prefix(160)), from: "600000000")
      #expect(IncomingText(place: 1, hex: bytes, length: length)?.text == String(text.prefix(160)))
    }
    let (bytes, length) = message("OK Marta", from: "Telefon")
    #expect(IncomingText(place: 1, hex: bytes, length: length)?.sender == nil, "a word")
  }

  @Test func `Damaged messages are counted, and those after them are read`() {
    let (good, length) = message("OK Marta", from: "+34600000000")
    let bad = [
      "", "0", "zz", good + "00", String(good.dropLast(2)), String(repeating: "F", count: 510),
      "OK Marta", "07", "00" + String(repeating: "04", count: 9),
    ]
    var list = bad.map { "\r\n+CMGL: 1,0,,\(length)\r\n\($0)\r\n" }.joined()
    list += "\r\n+CMGL: x,0\r\n\(good)\r\n\r\n+CMGL: -4,0,,\(length)\r\n\(good)\r\n"
    list += "\r\n+CMGL: 9,0,,\(length)\r\n\(good)\r\n"
    var tape = Tape()
    let reading = tape.read(list)
    #expect(reading?.texts.map(\.place) == [9], modemAgain)
    #expect(reading.map { $0.unread >= bad.count } == true, "\(reading?.unread ?? -1)")
  }

  @Test func `A flood, a megabyte, and bytes of any kind do not trap`() {
    let (good, length) = message("OK Marta", from: "+34600000000")
    var tape = Tape()
    let flood = String(repeating: "\r\n+CMGL: 1,0,,\(length)\r\n\(good)\r\n", count: 10_000)
    let reading = tape.read(flood)
    #expect(reading?.texts.count == ModemBounds.textsRead, modemAgain)
    #expect(reading?.unread == 10_000 - ModemBounds.textsRead, modemAgain)
    #expect(tape.read(String(repeating: "A", count: 1 << 20))?.texts.isEmpty == true, modemAgain)
    var random = SystemRandomNumberGenerator()
    for seed in 0..<2000 {
      var bytes = (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt8.random(in: 0...255)
      }
      if seed % 2 == 0 { bytes[0] = 0 }
      let hex = bytes.map { format(Int($0)) }.joined()
      _ = IncomingText(place: 0, hex: hex, length: bytes.count - 1 - Int(bytes[0]))
    }
  }

  private func format(_ byte: Int) -> String {
    let digits = String(byte, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }

  /// What an emulated modem has stored of it, as hexadecimal digits.
  private func message(_ text: String, from sender: String) -> (String, Int) {
    var modem = ModemEmulator(ModemScript(family: .generic), isOn: true)
    modem.deliver(text, from: sender)
    modem.receive(Array("ATE0\rAT+CMGF=0\rAT+CMGL=0\r".utf8), at: .start)
    modem.advance(to: .start + .seconds(10))
    let lines = String(decoding: modem.takeOutput(), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    guard let head = lines.firstIndex(where: { $0.hasPrefix("+CMGL:") }),
      let length = lines[head].split(separator: ",").last.flatMap({ Int($0) })
    else { return ("", 0) }
    return (String(lines[head + 1]), length)
  }
}

/// What a person writes, and from where.
@Suite struct AnswerTextTests {
  @Test func `An answer is OK and a name, in any case`() {
    for text in ["OK Marta", "ok marta", "Ok, Marta", " OK: Marta ", "OK\nMarta", "oK - Marta"] {
      #expect(AnswerText.name(in: text)?.lowercased() == "marta", "\(text)")
    }
    #expect(AnswerText.name(in: "OK") == "" && AnswerText.name(in: "ok.") == "", modemAgain)
    #expect(AnswerText.name(in: "OK Marta Puig") == "Marta Puig", modemAgain)
  }

  @Test(arguments: [
    "", "O", "SOS", "OKAY", "OK2", "not OK", "Oklahoma", "KO", "OK \u{1B}[2J", "OK a\nb",
    "OK \u{202E}atraM", "OK " + String(repeating: "a", count: 41),
  ])
  func `Anything else is none`(_ text: String) {
    #expect(AnswerText.name(in: text) == nil, modemAgain)
  }

  @Test func `What is written is read, with names of four languages`() {
    for (name, plain) in [("Marta", "Marta"), ("Núria Fàbregas", "Nuria Fabregas")] {
      #expect(AnswerText.text(by: name) == "OK \(plain)", modemAgain)
      #expect(AnswerText.name(in: AnswerText.text(by: name)) == plain, modemAgain)
    }
  }

  private static func number(_ text: String) throws -> PhoneNumber {
    let number = PhoneNumber(Array(text.utf8).span)
    return try #require(number)
  }

  @Test func `A number is the same with or without its country`() throws {
    let own = try Self.number("+34600000001")
    for same in ["+34600000001", "600000001", "0034600000001", "0600000001"] {
      let same = try Self.number(same)
      #expect(own.isSame(as: same) && same.isSame(as: own), "\(same.string)")
    }
    for other in ["+33600000001", "600000002", "00000001", "0033600000001", "+3460000000", "112"] {
      let other = try Self.number(other)
      #expect(!own.isSame(as: other), "\(other.string)")
    }
  }

  @Test func `Only the configured number answers, and only its answers are deleted`() throws {
    let own = try Self.number("+34600000001")
    let other = try Self.number("+34600000002")
    var reading = InboxReading()
    reading.texts = [
      IncomingText(place: 1, sender: other, text: "OK Mallory"),
      IncomingText(place: 2, sender: nil, text: "OK Mallory"),
      IncomingText(place: 3, sender: own, text: nil),
      IncomingText(place: 4, sender: own, text: "Where are you?"),
    ]
    #expect(AnswerText.outcome(of: reading, from: own).outcome == .failed, modemAgain)
    reading.isComplete = true
    #expect(AnswerText.outcome(of: reading, from: own).outcome == .nothing, modemAgain)
    reading.texts.append(IncomingText(place: 5, sender: own, text: "OK"))
    let found = AnswerText.outcome(of: reading, from: own)
    #expect(found.outcome == .answered(by: InlineText("+34600000001")), modemAgain)
    #expect(found.places == [5], modemAgain)
  }
}
