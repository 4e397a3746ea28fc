import LeanUplink
import TrackerCore

extension Failure {
  /// A request that is too large for the link, with HTTP's code for that: Content Too Large (RFC
  /// 9110 §15.5.14). A smaller request may get through; a capture that is too large even alone is
  /// set aside as if the server had refused it.
  static let tooLarge = Failure.refused(code: 413)

  /// The meaning of an HTTP status; `nil` for success, where the body decides.
  init?(status: Int32, headers: [HTTPHeader], at now: UTC) {
    if (200...299).contains(status) { return nil }
    self.init(status: status, retryAfter: RetryAfter.wait(in: headers, at: now))
  }
}

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

  /// Reads `2026-11-21T09:05:09.120+01:00`, with or without a fraction, or with `Z` for UTC; `nil`
  /// without an offset.
  static func parse(iso8601 text: String) -> UTC? {
    let bytes = Array(text.utf8)
    func number(_ place: Int, _ count: Int, _ range: ClosedRange<Int32>) -> Int32? {
      guard bytes.count >= place + count else { return nil }
      return Self.number(Substring(decoding: bytes[place..<place + count], as: UTF8.self), range)
    }
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[13] == 0x3A,
      bytes[16] == 0x3A, [0x54, 0x20].contains(bytes[10]), let year = number(0, 4, 1970...2999),
      let month = number(5, 2, 1...12), let day = number(8, 2, 1...31),
      let hour = number(11, 2, 0...23),
      let minute = number(14, 2, 0...59), let second = number(17, 2, 0...59),
      let time = CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    let tail = bytes[19...].drop { $0 == 0x2E || (0x30...0x39).contains($0) }
    if tail.elementsEqual([0x5A]) { return time.utc }
    let place = tail.startIndex
    guard tail.count == 6, [0x2B, 0x2D].contains(tail[place]), tail[place + 3] == 0x3A,
      let hours = number(place + 1, 2, 0...23), let minutes = number(place + 4, 2, 0...59)
    else { return nil }
    let offset = Int64(hours) * 3600 + Int64(minutes) * 60
    return time.utc + .seconds(tail[place] == 0x2B ? -offset : offset)
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
