import Testing

@testable import TrackerCore

/// The longest line of a modem that is kept.
@Suite struct ModemLineLengthTests {
  @Test(arguments: [(127, 127), (128, 128), (129, 128), (1000, 128)])
  func `A line is kept up to 128 bytes, and the next one is not harmed`(
    _ length: Int, _ kept: Int
  ) {
    var buffer = ModemLineBuffer()
    let letters = (0..<length).map { UInt8(0x21 + $0 % 90) }
    let ended = (letters + [0x0D]).map { buffer.append($0) }
    #expect(ended.firstIndex(of: true) == length, again(Self.self))
    #expect(buffer.count == kept, again(Self.self))
    #expect((0..<kept).map { buffer[$0] } == Array(letters.prefix(kept)), again(Self.self))
    #expect(buffer[kept] == 0 && buffer[kept - 1] != 0, again(Self.self))
    buffer.clear()
    // The line feed that belongs to the end, and another line.
    let next = "\nOK\r".utf8.map { buffer.append($0) }
    #expect(next == [false, false, false, true] && buffer.matches("OK"), again(Self.self))
  }

  @Test func `Blank and tilde are the first and the last that is printable`() {
    var buffer = ModemLineBuffer()
    for byte: UInt8 in [0x00, 0x1F, 0x20, 0x7E, 0x7F, 0x80, 0xFF] { _ = buffer.append(byte) }
    #expect(buffer.matches(" ~"), again(Self.self))
  }
}
