import Testing

@testable import TrackerCore

/// The bytes for receivers, held against the rules of their protocols.
@Suite struct ReceiverDialectTests {
  static let dialects: [ReceiverDialect] = [.ublox, .ubloxM10, .mediatek, .casic]
  static let commands: [ReceiverCommand] = [.sleep, .wake, .setRate, .setSentences]

  private func bytes(_ dialect: ReceiverDialect, _ command: ReceiverCommand) -> [UInt8] {
    let bytes = dialect.words.bytes(of: command)
    return (0..<bytes.count).map { bytes[$0] }
  }

  @Test(arguments: dialects)
  func `Every command has its bytes, and every frame its checksum`(_ dialect: ReceiverDialect) {
    for command in Self.commands {
      let bytes = bytes(dialect, command)
      let detail = "\(dialect) \(command)"
      #expect(!bytes.isEmpty && bytes.count < 128, again(Self.self, detail))
      switch bytes.first {
      case 0xB5: #expect(isUBX(bytes), again(Self.self, detail))
      case 0x24: #expect(isNMEA(bytes), again(Self.self, detail))
      default: #expect(bytes == [0xFF] && command == .wake, again(Self.self, detail))
      }
    }
  }

  @Test func `Those that nobody speaks to are told nothing`() {
    for dialect in [ReceiverDialect.none, .modemGPS] {
      for command in Self.commands {
        #expect(bytes(dialect, command).isEmpty, again(Self.self))
      }
    }
  }

  /// Length, and the 8-bit Fletcher sum over class, identifier, length and payload.
  private func isUBX(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 8, bytes[1] == 0x62 else { return false }
    var a: UInt8 = 0
    var b: UInt8 = 0
    for byte in bytes[2..<bytes.count - 2] {
      a &+= byte
      b &+= a
    }
    let length = Int(bytes[4]) + Int(bytes[5]) << 8
    return bytes.count == length + 8 && Array(bytes.suffix(2)) == [a, b]
  }

  private func isNMEA(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").allSatisfy { line in
      let parts = line.dropFirst().split(separator: "*", omittingEmptySubsequences: false)
      guard parts.count == 2, let sum = UInt8(parts[1], radix: 16) else { return false }
      return line.hasPrefix("$") && parts[0].utf8.reduce(0, ^) == sum
    }
  }
}
