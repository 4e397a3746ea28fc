import TrackerCore

/// Times as typed by people.
enum TimeText {
  /// A length of time: `0`, `2:30` (hours:minutes), `2:30:15`, `40min`, `1h30min`, `5s`, `200ms`.
  ///
  /// At most 1000 hours.
  static func length(_ text: some StringProtocol) -> Milliseconds? {
    if text.utf8.contains(UInt8(ascii: ":")) { return clock(text) }
    if text == "0" { return 0 }
    var rest = text[...]
    var total: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix(while: { !isDigit($0) })
      rest = rest.dropFirst(unit.count)
      guard let count = number(digits), let scale = scale(of: unit) else { return nil }
      total += count * scale
    }
    return text.isEmpty || total > 3_600_000_000 ? nil : Milliseconds(total)
  }

  /// `2026-04-18T08:00:00Z`
  static func text(_ start: UTC) -> String {
    guard let time = CivilTime(start) else { return "" }
    let parts = [time.month, time.day, time.hour, time.minute, time.second].map(padded)
    return "\(time.year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
  }

  private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func scale(of unit: some StringProtocol) -> Int64? {
    switch unit {
    case "ms": 1
    case "s": 1000
    case "min": 60_000
    case "h": 3_600_000
    default: nil
    }
  }

  private static func clock(_ text: some StringProtocol) -> Milliseconds? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { return nil }
    let seconds = parts.count == 3 ? number(parts[2]) : 0
    guard let hours = number(parts[0]), hours <= 1000, let minutes = number(parts[1]),
      minutes < 60, let seconds, seconds < 60
    else { return nil }
    return Milliseconds((hours * 3600 + minutes * 60 + seconds) * 1000)
  }

  /// A period: `FROM-TO` or `FROM+LENGTH`, for example `2:00:00-2:04:00` or `3:00:00+40min`.
  static func span(_ text: String) -> TimeSpan? {
    if let sign = text.firstIndex(of: "+") {
      guard let from = length(text[..<sign]), let long = length(text[text.index(after: sign)...]),
        long > 0
      else { return nil }
      return TimeSpan(from: from, to: from + long)
    }
    guard let sign = text.firstIndex(of: "-"), let from = length(text[..<sign]),
      let to = length(text[text.index(after: sign)...]), to > from
    else { return nil }
    return TimeSpan(from: from, to: to)
  }

  /// A date in this century, `2026-04-18T08:00:00Z`: RMC has two digits for the year, and 1024
  /// weeks earlier has to be after 1970.
  static func date(_ text: String) -> UTC? {
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
  static func xmlDate(_ text: String) -> UTC? {
    guard text.utf8.count >= 19, let whole = date(String(text.prefix(19)) + "Z") else { return nil }
    var rest = text.dropFirst(19)
    var milliseconds: Int64 = 0
    if rest.first == "." || rest.first == "," {
      let digits = rest.dropFirst().prefix(while: isDigit)
      guard !digits.isEmpty, let fraction = number(String((digits + "000").prefix(3))) else {
        return nil
      }
      milliseconds = fraction
      rest = rest.dropFirst(1 + digits.count)
    }
    let local = whole + Milliseconds(milliseconds)
    guard let sign = rest.first, sign != "Z" else { return rest.count <= 1 ? local : nil }
    let ahead = rest.dropFirst()
    guard sign == "+" || sign == "-", ahead.count == 5, let offset = clock(ahead) else {
      return nil
    }
    return local + Milliseconds(sign == "+" ? -offset.count : offset.count)
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  /// A whole number of one to nine digits.
  private static func number(_ text: some StringProtocol) -> Int64? {
    guard (1...9).contains(text.utf8.count), text.allSatisfy(isDigit) else { return nil }
    return Int64(text)
  }
}

/// A part of a trace, counted from its beginning; `to` is exclusive.
public struct TimeSpan: Sendable, Equatable {
  public var from: Milliseconds
  public var to: Milliseconds

  public init(from: Milliseconds, to: Milliseconds) {
    self.from = from
    self.to = to
  }

  func contains(_ moment: Milliseconds) -> Bool { from <= moment && moment < to }
}

extension [TimeSpan] {
  func contain(_ moment: Milliseconds) -> Bool { contains { $0.contains(moment) } }
}
