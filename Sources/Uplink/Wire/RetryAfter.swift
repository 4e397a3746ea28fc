import TrackerCore

/// The wait that a server asks for (RFC 9110 §10.2.3).
enum RetryAfter {
  /// Seconds, or a date, which counts from the server's `Date` header if there is one, because this
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

/// Dates in the forms of HTTP and ISO 8601.
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
    // `CivilTime` has no leap seconds; one counts as the first second of the next minute.
    let time = CivilTime(
      year: year, month: Int32(month) + 1, day: day, hour: hour, minute: minute,
      second: min(second, 59))
    return time.map { $0.utc + .seconds(second == 60 ? 1 : 0) }
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int32>) -> Int32? {
    guard let value = Int32(text), range.contains(value) else { return nil }
    return value
  }

  /// `2026-11-21T08:05:09.120Z`; `nil` outside the years 1970 to 9999.
  static func iso8601(_ date: UTC) -> String? {
    guard date.milliseconds >= 0, let time = CivilTime(date) else { return nil }
    var bytes: [UInt8] = []
    time.forEachByte { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
