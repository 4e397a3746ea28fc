import TrackerCore

/// Dates in files.
public enum DateText {
  /// A date in this century, `2026-04-18T08:00:00Z`: RMC has two digits for the year, and 1024
  /// weeks earlier has to be after 1970.
  public static func date(_ text: String) -> UTC? {
    let bytes = Array(text.utf8)
    let shape = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
    guard bytes.count == shape.count else { return nil }
    var numbers: [Int32] = [0]
    for (byte, wanted) in zip(bytes, shape) {
      if wanted == UInt8(ascii: "d") {
        guard (48...57).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int32(byte - 48)
      } else {
        guard byte == wanted else { return nil }
        numbers.append(0)
      }
    }
    guard (2000..<2100).contains(numbers[0]) else { return nil }
    return CivilTime(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5])?.utc
  }

  /// A date of XML in this century (ISO 8601): `2026-04-18T10:00:00.250+02:00`; without a zone it
  /// is UTC, as in GPX.
  public static func xmlDate(_ text: String) -> UTC? {
    guard text.utf8.count >= 19, let whole = date(String(text.prefix(19)) + "Z") else { return nil }
    var rest = Array(text.utf8.dropFirst(19))[...]
    var milliseconds: Int64 = 0
    if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
      let digits = rest.dropFirst().prefix { (48...57).contains($0) }
      guard !digits.isEmpty else { return nil }
      for place in 0..<3 {
        let digit = digits.dropFirst(place).first ?? 48
        milliseconds = milliseconds * 10 + Int64(digit - 48)
      }
      rest = rest.dropFirst(1 + digits.count)
    }
    let local = whole + Milliseconds(milliseconds)
    guard let sign = rest.first, sign != UInt8(ascii: "Z") else {
      return rest.count <= 1 ? local : nil
    }
    guard let ahead = offset(Array(rest.dropFirst())) else { return nil }
    switch sign {
    case UInt8(ascii: "+"): return local + Milliseconds(-ahead.count)
    case UInt8(ascii: "-"): return local + ahead
    default: return nil
    }
  }

  /// `02:00`
  private static func offset(_ bytes: [UInt8]) -> Milliseconds? {
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
    let digits = [bytes[0], bytes[1], bytes[3], bytes[4]]
    guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let numbers = digits.map { Int64($0) - 48 }
    guard numbers[2] < 6 else { return nil }
    return .minutes((numbers[0] * 10 + numbers[1]) * 60 + numbers[2] * 10 + numbers[3])
  }
}
