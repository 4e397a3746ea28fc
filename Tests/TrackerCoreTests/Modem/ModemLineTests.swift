import Testing

@testable import TrackerCore

/// What a modem says, however it is cut.
@Suite struct ModemLineTests {
  /// The lines of some text, blank ones left out.
  private func lines(
    _ bytes: some Sequence<UInt8>, _ words: ModemStrings = .sim7600
  ) -> [ModemLine] {
    var buffer = ModemLineBuffer()
    var lines: [ModemLine] = []
    for byte in bytes where buffer.append(byte) {
      lines.append(ModemLine(buffer, words))
      buffer.clear()
    }
    return lines
  }

  private func line(_ text: String, _ words: ModemStrings = .sim7600) -> ModemLine {
    var buffer = ModemLineBuffer()
    for byte in text.utf8 { _ = buffer.append(byte) }
    return ModemLine(buffer, words)
  }

  @Test func `A blank after the colon is optional`() {
    let pairs = [
      ("+CPIN:READY", "+CPIN: READY"), ("+CPIN:SIM PIN", "+CPIN: SIM PIN"),
      ("+CSQ:15,99", "+CSQ: 15,99"), ("+CREG:0,1", "+CREG: 0,1"), ("+CBC:3.810V", "+CBC: 3.810V"),
      ("+CPINR:SIM PIN,3,3", "+CPINR: SIM PIN,3,3"), ("+CME ERROR:SIM busy", "+CME ERROR: 14"),
      ("+CPIN:NOT READY", "+CPIN: NOT READY"),
      ("+COPS:0,0,\"a:b\",7", "+COPS: 0,0,\"a:b\",7"),
    ]
    for (tight, usual) in pairs {
      #expect(line(tight) == line(usual) && line(usual) != .other, again(Self.self, tight))
    }
    #expect(line("*ATREADY:1", .a7670) == .begins, again(Self.self))
  }

  @Test func `The body of a short message that is delivered is nobody's line`() {
    let head = "\r\n+CMT: \"+34600000001\",,\"26/05/28,10:00:00+08\"\r\n"
    for body in [
      "RDY", "+CPIN: NOT READY", "OK", "> +CMT: 1", "", String(repeating: "x", count: 999),
    ] {
      #expect(
        lines("\(head)\(body)\r\n\r\nOK\r\n".utf8) == [.delivery, .ok], again(Self.self, body))
    }
    #expect(lines("+CBM: 1,2,3,1,1\nSTART\nERROR\n".utf8) == [.delivery, .error], again(Self.self))
    #expect(lines("+CMTI: \"SM\",3\r\nRDY\r\n".utf8) == [.other, .begins], again(Self.self))
  }

  static let answers: [(String, ModemLine)] = [
    ("OK", .ok), ("ERROR", .error), ("+CMS ERROR: 500", .error), ("+CMS ERROR: no network", .error),
    ("+CME ERROR: 10", .equipmentError(10)), ("+CME ERROR:11", .equipmentError(11)),
    ("+CME ERROR: 123456789", .equipmentError(123_456_789)),
    ("+CME ERROR: 1234567890", .equipmentError(123_456_789)),
    ("+CME ERROR: ", .error), ("+CME ERROR: SIM not inserted", .equipmentError(10)),
    ("+CME ERROR: SIM PIN required", .equipmentError(11)),
    ("+CME ERROR: SIM PUK required", .equipmentError(12)),
    ("+CME ERROR: SIM busy", .equipmentError(14)),
    ("+CME ERROR: incorrect password", .equipmentError(16)), ("+CME ERROR: unknown", .error),
    ("+CPIN: READY", .sim(.ready)), ("+CPIN: SIM PIN", .sim(.wantsPIN)),
    ("+CPIN: SIM PUK", .sim(.blocked)), ("+CPIN: SIM PIN2", .sim(.blocked)),
    ("+CPIN: PH-NET PIN", .sim(.foreign)),
    ("+CME ERROR: PH-NET PIN required", .equipmentError(5)),
    ("+CREG: 0,6", .registration(.circuit, .textsOnly)),
    ("+CEREG: 0,7", .registration(.packet, .textsOnly)),
    ("+CEREG: 0,9", .registration(.packet, .home)),
    ("+CEREG: 0,10", .registration(.packet, .roaming)),
    ("+CREG: 0,11", .registration(.circuit, .emergencyOnly)),
    ("+CREG: 0,1", .registration(.circuit, .home)),
    ("+CREG: 0, 5", .registration(.circuit, .roaming)),
    ("+CREG: 1", .registration(.circuit, .home)),
    ("+CREG: 1,\"00C3\",\"0F2A\"", .registration(.circuit, .home)),
    ("+CREG: 2,5,\"00C3\",\"0F2A\"", .registration(.circuit, .roaming)),
    ("+CGREG: 0,2", .registration(.packet, .searching)),
    ("+CEREG: 0,8", .registration(.packet, .emergencyOnly)),
    ("+CREG: 0,", .registration(.circuit, .idle)), ("+CSQ: 15,99", .signal(dBm: -83)),
    ("+CSQ: 0,0", .signal(dBm: -113)), ("+CSQ: 31,0", .signal(dBm: -51)),
    ("+CSQ: 99,99", .signal(dBm: nil)), ("+CBC: 0,75,3.810V", .supply(millivolts: 3810)),
    ("+CBC: 3.591V", .supply(millivolts: 3591)), ("+CBC: 4.2V", .supply(millivolts: 4200)),
    ("+CBC:3.8V", .supply(millivolts: 3800)), ("+CSQ:15,99", .signal(dBm: -83)),
    ("+CREG:1", .registration(.circuit, .home)), ("+CGREG:0,5", .registration(.packet, .roaming)),
    ("+SPIC:12", .pinTries(12)), ("+CPINR: SIM PIN,12,3", .pinTries(12)),
    ("+CPINR: \"SIM PIN\",12,3", .pinTries(12)),
    ("+CBC: 3.12345V", .supply(millivolts: 3123)),
    ("+COPS: 0,0,\"Movistar\",7", .networkOperator(InlineText("Movistar"))),
    ("+COPS: 1,2,\"21407\"", .networkOperator(InlineText("21407"))),
    ("+COPS: 0,0,Vodafone ES,2", .networkOperator(InlineText("Vodafone ES"))),
    ("+COPS:0,1,\"A,B\"", .networkOperator(InlineText("A,B"))),
    (
      "+COPS: 0,0,\"A name that is longer than a name may be\",7",
      .networkOperator(InlineText("A name that is longer th"))
    ),
    ("+COPS: 0", .networkOperator(InlineText())), ("+COPS: 0,0,\"", .networkOperator(InlineText())),
    ("+COPS:", .networkOperator(InlineText())),
    // UCS2 for "Movi".
    ("+COPS: 0,0,\"004D006F00760069\",7", .networkOperator(InlineText())),
    ("+COPS: 0,0,\"Beef\",7", .networkOperator(InlineText("Beef"))),
    ("214070000000001", .digits(InlineText("214070000000001"))),
    ("3516020003305701", .digits(InlineText("3516020003305701"))), ("ATE0", .echo),
    ("AT+CPIN?", .echo), ("RDY", .begins), ("START", .begins), ("PB DONE", .ready),
    ("SMS DONE", .ready), ("+CPIN: NOT READY", .simGone), ("+CPIN: SIM REMOVED", .simGone),
    ("+SIMCARD: NOT AVAILABLE", .simGone),
  ]

  static let others = [
    "+CREG: 0,9999999999999", "+CREG: -1", "+CREG:", "+CREG: x", "ok", "OK ", "OKOK", "", "+CREG",
    "+CSQ:", "+CSQ: x", "+CBC:", "+CBC: V", "+CBC: .5V", "+CBC:.5V", "2140700",
    "123456789012345678", "21407000000000a", "+HTTPACTION: 1,200,5", "DOWNLOAD", "RING",
    "NO CARRIER", "> ", "*ATREADY: 1", "+CPIN: ", "NORMAL POWER DOWN", "+CGEV: ME DETACH",
  ]

  @Test(arguments: answers.indices)
  func `A line is read for what it says`(_ number: Int) {
    let (text, expected) = Self.answers[number]
    #expect(line(text) == expected, again(Self.self, text))
  }

  @Test(arguments: others)
  func `What a tracker does not care for is none of them`(_ text: String) {
    #expect(line(text) == .other, again(Self.self, text))
  }

  @Test func `The first words of a modem are its family's`() {
    #expect(line("*ATREADY: 1", .a7670) == .begins, again(Self.self))
    #expect(line("START", .sim5320) == .begins, again(Self.self))
    #expect(line("RDY", .sim5320) == .other, again(Self.self))
    #expect(line("+CPIN: NOT INSERTED", .generic) == .simGone, again(Self.self))
    // A part of a word does not count, and the mark between words is not a word.
    #expect(line("RD", .generic) == .other && line("|", .generic) == .other, again(Self.self))
  }

  @Test func `Lines come whole however the bytes are cut, with any line end`() {
    let text = "\r\n+CPIN: READY\r\n\r\nOK\r\n\n\nERROR\r+CREG: 0,1\n"
    let expected: [ModemLine] = [
      .sim(.ready), .ok, .error, .registration(.circuit, .home),
    ]
    #expect(lines(text.utf8) == expected, again(Self.self))
  }

  @Test func `Line noise and the zeros of a modem that boots are left out`() {
    let noise: [UInt8] = [0, 0, 0xFF, 0x4F, 0x00, 0x4B, 0x80, 0x0D, 0xC3, 0xA9, 0x0A]
    #expect(lines(noise) == [.ok], again(Self.self))
  }

  @Test func `A line at the bound is kept whole, a longer one is cut, the next is sound`() {
    let prefix = "+CREG: 0,1"
    let full = prefix + String(repeating: " ", count: Bounds.modemLineBytes - prefix.utf8.count)
    var buffer = ModemLineBuffer()
    for byte in full.utf8 { _ = buffer.append(byte) }
    #expect(buffer.count == Bounds.modemLineBytes, again(Self.self))
    for _ in 0..<10_000 { _ = buffer.append(0x41) }
    #expect(buffer.count == Bounds.modemLineBytes, again(Self.self))
    #expect(ModemLine(buffer) == .registration(.circuit, .home), again(Self.self))
    let overlong = String(repeating: "A", count: 5000) + "OK\r\nOK\r\n"
    #expect(lines(overlong.utf8) == [.other, .ok], again(Self.self))
  }

  @Test func `No bytes trap`() {
    var seeded = Seeded(11)
    let words = [
      "+CREG:", "+CME ERROR:", "+CPIN: ", "+CBC: ", "+CSQ:", "OK", ",", ".", "9999999999", " ",
      "\r", "\n", "\0", "RDY",
    ]
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<(seeded.next() % 40) {
        if seeded.chance(50) {
          bytes.append(UInt8(truncatingIfNeeded: seeded.next()))
        } else {
          bytes += Array(words[Int(seeded.next() % UInt64(words.count))].utf8)
        }
      }
      _ = lines(bytes + [0x0D])
    }
  }

  @Test func `Buffers are equal when their bytes in use are`() {
    var one = ModemLineBuffer()
    var other = ModemLineBuffer()
    for byte in "ABC".utf8 { _ = one.append(byte) }
    one.clear()
    #expect(one == other, again(Self.self))
    _ = one.append(0x41)
    #expect(one != other, again(Self.self))
    _ = other.append(0x42)
    #expect(one != other, again(Self.self))
  }
}
