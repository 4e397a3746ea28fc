/// Detects a truncated JSON text, because Foundation's decoder does not report the position.
enum JSONCut {
  /// A message for a text that ends before its first object or list does; `nil` for any other.
  static func place(in bytes: [UInt8]) -> String? {
    var depth = 0
    var line = 1
    var quotes = JSONQuotes()
    for byte in bytes {
      if byte == 0x0A { line += 1 }
      if quotes.take(byte) { continue }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    guard depth > 0 else { return nil }
    return "is truncated: it ends at line \(line) (byte \(bytes.count)) with open brackets; "
      + "copy the file again"
  }
}
