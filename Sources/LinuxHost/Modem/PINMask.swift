/// Hides the digits of a PIN in what comes from a modem.
///
/// Echo is switched off before the PIN is entered; a modem that echoes all the same must not bring
/// it into a trace. It keeps the count of bytes, so that a replay sees the same pieces.
public struct PINMask: Sendable, Equatable {
  private static let mark = Array("+CPIN=".utf8)
  private var matched = 0
  private var isInside = false

  public init() {}

  /// Replaces the rest of a line after `+CPIN=` by `*`, over the pieces that the line comes in.
  public mutating func apply(to bytes: inout [UInt8]) {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == 0x0D || byte == 0x0A {
        isInside = false
        matched = 0
      } else if isInside {
        bytes[index] = 0x2A
      } else {
        matched = byte == Self.mark[matched] ? matched + 1 : (byte == Self.mark[0] ? 1 : 0)
        if matched == Self.mark.count {
          isInside = true
          matched = 0
        }
      }
    }
  }
}
