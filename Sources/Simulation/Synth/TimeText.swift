public import TrackerCore

/// Times as typed by people.
public enum TimeText {
  /// A length of time: `0`, `2:30` (hours:minutes), `2:30:15`, `40min`, `1h30min`, `5s`, `200ms`.
  ///
  /// At most 1000 hours.
  public static func length(_ text: some StringProtocol) -> Milliseconds? {
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
  public static func span(_ text: String) -> TimeSpan? {
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
