/// Passes only lines of NMEA 0183: those that begin with `$`, `!` or `\` (a TAG block). Other lines
/// from gpsd are JSON.
struct NMEAFilter {
  private enum State { case lineStart, passing, dropping }
  private var state = State.lineStart

  /// Moves the part of the first `count` bytes that passes to the front.
  ///
  /// - Returns: the number of bytes that pass.
  mutating func keep(_ count: Int, in bytes: inout MutableSpan<UInt8>) -> Int {
    var kept = 0
    for index in 0..<min(count, bytes.count) {
      let byte = bytes[index]
      if state == .lineStart { state = Self.begins(byte) ? .passing : .dropping }
      if state == .passing {
        bytes[kept] = byte
        kept += 1
      }
      if byte == UInt8(ascii: "\n") { state = .lineStart }
    }
    return kept
  }

  private static func begins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "\\")
  }
}
