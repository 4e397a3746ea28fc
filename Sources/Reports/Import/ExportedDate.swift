import TrackerCore

/// The form of dates in exports.
enum ExportedDate {
  /// Reads `2026-04-18T09:30:00.250Z` (RFC 3339), years 0 to 9999; `nil` for any other form or a
  /// day that does not exist.
  static func utc(_ text: String) -> UTC? {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00.000Z".utf8)
    guard bytes.count == form.count else { return nil }
    for (byte, wanted) in zip(bytes, form) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted else { return nil }
    }
    func number(_ range: Range<Int>) -> Int32 {
      bytes[range].reduce(0) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    }
    return CivilTime(
      year: number(0..<4), month: number(5..<7), day: number(8..<10), hour: number(11..<13),
      minute: number(14..<16), second: number(17..<19), millisecond: number(20..<23))?.utc
  }
}
