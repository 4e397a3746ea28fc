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

  @Test func `A store is full when all its places are taken`() {
    for (used, isFull) in [(19, false), (20, true), (21, true)] {
      var tape = Tape()
      _ = tape.begin()
      for _ in 0..<3 { _ = tape.hear("\r\nOK\r\n") }
      _ = tape.hear("\r\n+CPMS: \"ME\",20,20,\"ME\",20,20,\"SM\",\(used),20\r\n\r\nOK\r\n")
      #expect(tape.inbox.takeResult()?.isFull == isFull, "\(used)")
    }
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

  @Test func `A message says when it reached its centre, in any time zone`() throws {
    let bytes: [UInt8] = [0, 4, 11, 0xC8, 0x72, 0x38, 0x88, 0x09, 0x00, 0xF1, 0, 0]
    func sent(_ stamp: String) throws -> UTC? {
      let hex = bytes.map { format(Int($0)) }.joined() + stamp + "00"
      return try #require(IncomingText(place: 1, hex: hex, length: hex.count / 2 - 1)).sent
    }
    let noon = CivilTime(year: 2026, month: 11, day: 27, hour: 12, minute: 34)?.utc
    let time = try #require(noon) + .seconds(56)
    #expect(try sent("62117221436500") == time, modemAgain)
    // One hour east, and three and a half west: the sign is a bit of the lower digit.
    #expect(try sent("62117221436540") == time + (0 - .hours(1)), modemAgain)
    #expect(try sent("62117221436549") == time + .minutes(210), modemAgain)
    for bad in ["00000000000000", "6211722143F600", "62317221436500", "62117221A36500"] {
      #expect(try sent(bad) == nil, "\(bad)")
    }
    var tape = Tape()
    var modem = ModemEmulator(ModemScript(family: .generic), isOn: true)
    modem.deliver("OK", from: "600000000", sent: time)
    modem.receive(Array("ATE0\rAT+CMGF=0\rAT+CMGL=0\r".utf8), at: .start)
    modem.advance(to: .start + .seconds(10))
    let said = String(decoding: modem.takeOutput(), as: UTF8.self)
    let list = said.split(separator: "+CMGL:").dropFirst().map { "+CMGL:\($0)" }.joined()
    #expect(tape.read(list)?.texts.first?.sent == time, "\(said)")
  }

  /// A part of a message of two, "SOS we " and "are lost".
  private func part(
    _ number: UInt8, of message: UInt8 = 0x77, isWide: Bool = false, header: [UInt8]? = nil
  ) throws -> IncomingText {
    let header = header ?? [5, 0, 3, message, 2, number]
    let text = Array((number == 1 ? "SOS we " : "are lost").utf8)
    var body = header
    var units = header.count + text.count * 2
    if isWide {
      body += text.flatMap { [0, $0] }
    } else {
      // The text begins at the next septet.
      let skipped = (header.count * 8 + 6) / 7
      units = skipped + text.count
      body += [UInt8](repeating: 0, count: (units * 7 + 7) / 8 - header.count)
      for (index, letter) in text.enumerated() {
        let bit = (skipped + index) * 7
        let code = UInt16(letter) << UInt16(bit % 8)
        body[bit / 8] |= UInt8(code & 0xFF)
        if code > 0xFF { body[bit / 8 + 1] |= UInt8(code >> 8) }
      }
    }
    var bytes: [UInt8] = [0, 0x44, 11, 0x91, 0x43, 0x16, 0x11, 0x11, 0x11, 0xF1, 0]
    bytes += [isWide ? 8 : 0, 0, 0, 0, 0, 0, 0, 0, UInt8(units)] + body
    let hex = bytes.map { format(Int($0)) }.joined()
    return try #require(IncomingText(place: Int(number), hex: hex, length: bytes.count - 1))
  }

  @Test(arguments: [false, true])
  func `A long message is joined from its parts, in any order`(_ isWide: Bool) throws {
    var reading = InboxReading()
    reading.texts = [
      try part(2, isWide: isWide), try part(2, of: 9, isWide: isWide),
      IncomingText(place: 7, sender: nil, text: "OK"), try part(1, isWide: isWide),
    ]
    #expect(reading.texts[0].text == nil && reading.texts[3].text == nil, "no answer by itself")
    var wholes = reading.wholes
    #expect(wholes.map(\.message.text) == ["OK", "SOS we are lost"], modemAgain)
    #expect(wholes.map(\.places) == [[7], [1, 2]], modemAgain)
    // From another telephone.
    reading.texts[0].sender = PhoneNumber(Array("112".utf8).span)
    #expect(reading.wholes.map(\.message.text) == ["OK", "SOS we "], modemAgain)
    // The rest has not come.
    reading.texts = [try part(1, isWide: isWide)]
    wholes = reading.wholes
    #expect(wholes.map(\.message.text) == ["SOS we "] && wholes[0].places == [1], modemAgain)
  }

  @Test func `A header that says nothing of parts, or nonsense, gives no text and does not trap`()
    throws
  {
    let wide = try part(1, header: [6, 8, 4, 1, 2, 2, 1])
    #expect(wide.part == TextPart(of: 258, number: 1, count: 2, text: "SOS we "), modemAgain)
    for header: [UInt8] in [
      [6, 5, 4, 0x23, 0xF4, 0, 0], [5, 0, 3, 1, 2, 3], [5, 0, 3, 1, 0, 0], [5, 0, 9, 1, 2, 1],
      [255],
      [0], [3, 0, 0, 0],
    ] {
      let text = try part(1, header: header)
      #expect(text.text == nil && text.part == nil, "\(header)")
    }
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
    #expect(AnswerText.finding(in: reading, from: own, to: nil).outcome == .failed, modemAgain)
    reading.isComplete = true
    #expect(AnswerText.finding(in: reading, from: own, to: nil).outcome == .nothing, modemAgain)
    reading.texts.append(IncomingText(place: 5, sender: own, text: "OK"))
    let found = AnswerText.finding(in: reading, from: own, to: nil)
    #expect(found.outcome == .answered(by: InlineText("+34600000001")), modemAgain)
    #expect(found.places == [5], modemAgain)
  }

  private static let call = CallCode(device: UniqueID(high: 1, low: 2), firstSequence: 7)

  /// What is found in such messages of the configured number, in places from 0 on.
  private static func find(
    _ texts: [(text: String, sent: Int64?)], to call: CallCode? = call
  ) throws -> AnswerText.Finding {
    let own = try number("+34600000001")
    var reading = InboxReading()
    reading.isComplete = true
    reading.texts = texts.enumerated().map { place, one in
      IncomingText(
        place: place, sender: own, text: one.text, sent: one.sent.map { UTC(milliseconds: $0) })
    }
    return AnswerText.finding(in: reading, from: own, to: call)
  }

  @Test func `An answer that names the emergency needs no stamp, one to another is none`() throws {
    let mine = AnswerText.text(by: "Núria", to: Self.call.emergency)
    #expect(mine == "OK Nuria #07", modemAgain)
    var found = try Self.find([(mine, 5)])
    #expect(found.outcome == .answered(by: InlineText("Nuria")), modemAgain)
    found = try Self.find([("OK Marta #08", 5), ("ok pau", 9)])
    #expect(
      found.outcome == .answered(by: InlineText("pau"), sent: UTC(milliseconds: 9)), modemAgain)
    #expect(found.places == [0, 1], "both are deleted")
    found = try Self.find([("OK Marta #07", 5)], to: nil)
    #expect(found.outcome == .nothing && found.places == [0], modemAgain)
    #expect(AnswerText.name(in: "OK #07") == "" && AnswerText.name(in: "OK Ana#07") == "Ana#07")
  }

  @Test func `Of several answers the one that names the emergency counts, else the one sent last`()
    throws
  {
    func at(_ sent: Int64) -> UTC { UTC(milliseconds: sent) }
    #expect(
      try Self.find([("OK A", 7), ("OK B", 9), ("OK C", 8)]).outcome
        == .answered(by: InlineText("B"), sent: at(9)), modemAgain)
    for texts: [(String, Int64?)] in [
      [("OK A", 9), ("OK B #07", 1)], [("OK B #07", 1), ("OK A", 9)], [("OK B", nil), ("OK A", 9)],
    ] {
      #expect(try Self.find(texts).outcome == .answered(by: InlineText("B")), "\(texts)")
    }
  }

  @Test func `That the room has ended it is believed where it names the emergency`() throws {
    let text = AnswerText.text(endedBy: "Núria", because: "són al CP4: tot bé", to: "07")
    #expect(text == "OVER Nuria: son al CP4: tot be #07", modemAgain)
    let readings: [[(String, Int64?)]] = [
      [(text, 1)], [(text, 1), ("OK A", nil)], [("OK A", 2), (text, 1)],
    ]
    for texts in readings {
      let found = try Self.find(texts)
      #expect(found.outcome == .ended(by: InlineText("Nuria")), "\(texts)")
      #expect(found.reason == "son al CP4: tot be" && found.places.count == texts.count)
    }
    for other in ["OVER Nuria: x #08", "OVER Nuria: x", "OVER Nuria #07", "OVERT N: x #07"] {
      #expect(try Self.find([(other, 1)]).outcome == .nothing, "\(other)")
    }
    // Nothing in a reason can be cut off so that the emergency's name is.
    let long = AnswerText.text(
      endedBy: String(repeating: "N", count: 99), because: String(repeating: "r ", count: 99),
      to: "07")
    #expect(long.count <= 160 && long.hasSuffix(" #07"), "\(long)")
    #expect(try Self.find([(long, 1)]).outcome != .nothing, "\(long)")
    let name = AnswerText.text(by: String(repeating: "N", count: 99), to: "07")
    #expect(try Self.find([(name, 1)]).outcome != .nothing, "\(name)")
  }
}
