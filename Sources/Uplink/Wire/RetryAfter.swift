import TrackerCore

/// How long a server asks to be left alone (RFC 9110 §10.2.3).
enum RetryAfter {
  /// Seconds, or a date, which is counted from the server's own `Date` where it has one: this
  /// device's clock may be wrong.
  static func wait(in headers: [HTTPHeader], at now: UTC) -> Milliseconds? {
    guard let value = header("retry-after", in: headers) else { return nil }
    if let seconds = Int64(value) { return seconds < 0 ? nil : .seconds(seconds) }
    guard let until = HTTPDate.parse(value) else { return nil }
    let servers = header("date", in: headers).flatMap { HTTPDate.parse($0) }
    return max(0, until - (servers ?? now))
  }

  private static func header(_ name: String, in headers: [HTTPHeader]) -> String? {
    guard let found = headers.first(where: { $0.name.lowercased() == name }) else { return nil }
    return found.value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
  }
}

/// Dates of HTTP and of ISO 8601.
enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads the form that servers must send, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
  static func parse(_ text: String) -> UTC? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = number(words[1], 1...31),
      let month = months.firstIndex(of: words[2].lowercased()),
      let year = number(words[3], 1970...2999)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = number(clock[0], 0...23),
      let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
    else { return nil }
    let days = dayNumber(year: year, month: Int64(month) + 1, day: day)
    return UTC(milliseconds: (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
    guard let value = Int64(text), range.contains(value) else { return nil }
    return value
  }

  /// Days since 1970-01-01 (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
  /// days_from_civil; years here are never negative).
  static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// `2026-11-21T08:05:09.120Z`; `nil` outside of the years 1970 to 9999.
  static func iso8601(_ date: UTC) -> String? {
    guard (0..<253_402_300_800_000).contains(date.milliseconds) else { return nil }
    let seconds = date.milliseconds / 1000
    let shifted = seconds / 86_400 + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let ofDay = seconds % 86_400
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(ofDay / 3600, 2)):\(padded(ofDay / 60 % 60, 2)):\(padded(ofDay % 60, 2))"
      + ".\(padded(date.milliseconds % 1000, 3))Z"
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
