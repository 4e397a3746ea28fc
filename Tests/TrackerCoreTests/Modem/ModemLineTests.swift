import Testing

@testable import TrackerCore

/// What a modem says, however it is cut.
@Suite struct ModemLineTests {
  /// The lines of some text, blank ones left out.
  private func lines(_ bytes: some Sequence<UInt8>) -> [ModemLine] {
    var buffer = ModemLineBuffer()
    var lines: [ModemLine] = []
    for byte in bytes where buffer.append(byte) {
      lines.append(ModemLine(buffer))
      buffer.clear()
    }
    return lines
  }

  @Test(arguments: [
    ("OK", ModemLine.ok), ("ERROR", .error), ("+CME ERROR: 10", .equipmentError(10)),
    ("+CME ERROR:11", .equipmentError(11)), ("+CME ERROR: ", .error),
    ("+CME ERROR: SIM not inserted", .equipmentError(10)),
    ("+CME ERROR: SIM PIN required", .equipmentError(11)),
    ("+CME ERROR: SIM PUK required", .equipmentError(12)), ("+CME ERROR: unknown", .error),
    ("+CPIN: READY", .simReady), ("+CPIN: SIM PIN", .simLocked), ("+CPIN: SIM PUK", .simLocked),
    ("+CPIN: NOT READY", .other), ("+CREG: 0,1", .registration(.home)),
    ("+CREG: 0, 5", .registration(.roaming)), ("+CREG: 1", .registration(.home)),
    ("+CREG: 1,\"00C3\",\"0F2A\"", .registration(.home)),
    ("+CREG: 2,5,\"00C3\",\"0F2A\"", .registration(.roaming)),
    ("+CGREG: 0,2", .registration(.searching)), ("+CEREG: 0,8", .registration(.emergencyOnly)),
    ("+CREG: 0,", .registration(.idle)), ("+CREG: 0,9999999999999", .other),
    ("+CREG: -1", .other), ("ok", .other), ("OK ", .other), ("", .other), ("+CREG", .other),
  ])
  func `A line is read for what it says`(_ text: String, _ expected: ModemLine) {
    var buffer = ModemLineBuffer()
    for byte in text.utf8 { _ = buffer.append(byte) }
    #expect(ModemLine(buffer) == expected, again(Self.self, text))
  }

  @Test func `Lines come whole however the bytes are cut, with any line end`() {
    let text = "\r\n+CPIN: READY\r\n\r\nOK\r\n\n\nERROR\r+CREG: 0,1\n"
    let expected: [ModemLine] = [.simReady, .ok, .error, .registration(.home)]
    #expect(lines(text.utf8) == expected, again(Self.self))
  }

  @Test func `A line at the bound is kept whole, a longer one is cut, the next is sound`() {
    let prefix = "+CREG: 0,1"
    let full = prefix + String(repeating: " ", count: Bounds.modemLineBytes - prefix.utf8.count)
    var buffer = ModemLineBuffer()
    for byte in full.utf8 { _ = buffer.append(byte) }
    #expect(buffer.count == Bounds.modemLineBytes, again(Self.self))
    for _ in 0..<10_000 { _ = buffer.append(0x41) }
    #expect(buffer.count == Bounds.modemLineBytes, again(Self.self))
    #expect(ModemLine(buffer) == .registration(.home), again(Self.self))
    let overlong = String(repeating: "A", count: 5000) + "OK\r\nOK\r\n"
    #expect(lines(overlong.utf8) == [.other, .ok], again(Self.self))
  }

  @Test func `No bytes trap`() {
    var seeded = Seeded(11)
    let words = [
      "+CREG:", "+CME ERROR:", "+CPIN: ", "OK", ",", "9999999999", " ", "\r", "\n", "\0",
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

  @Test func `Every command is one line that ends with CR`() {
    for command in [ModemCommand.attention, .simStatus, .registration, .powerOff] {
      let text = command.bytes.description
      #expect(text.hasPrefix("AT") && text.hasSuffix("\r"), again(Self.self, text))
      #expect(text.filter { $0 == "\r" || $0 == "\n" }.count == 1, again(Self.self, text))
    }
  }
}
