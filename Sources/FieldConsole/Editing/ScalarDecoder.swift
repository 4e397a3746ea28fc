/// Decodes UTF-8. Invalid bytes are dropped, and decoding continues with the next one.
public struct ScalarDecoder: Sendable {
  /// The first bytes of a character, and how many it lacks.
  private var bytes: [UInt8] = []
  private var missing = 0

  public init() {}

  /// - Returns: the character that the byte completes, a control character too.
  public mutating func take(_ byte: UInt8) -> Unicode.Scalar? {
    if missing > 0 {
      guard byte & 0xC0 == 0x80 else {
        missing = 0
        return take(byte)
      }
      bytes.append(byte)
      missing -= 1
      guard missing == 0 else { return nil }
      return String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
    }
    switch byte {
    case 0..<0x80: return Unicode.Scalar(byte)
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF: missing = 2
    case 0xF0...0xF4: missing = 3
    default: return nil
    }
    bytes = [byte]
    return nil
  }
}
