import TrackerCore

/// The form in which exports write a date.
enum CalendarDate {
  /// Reads `2026-04-18T09:30:00.250Z` (RFC 3339), years 0 to 9999; `nil` for any other form and for
  /// days that there are not.
  static func utc(_ text: String) -> UTC? {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00.000Z".utf8)
    guard bytes.count == form.count else { return nil }
    for (byte, wanted) in zip(bytes, form) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted else { return nil }
    }
    func number(_ range: Range<Int>) -> Int64 {
      bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let seconds = ((days(to: year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second
    return UTC(milliseconds: seconds * 1000 + number(20..<23))
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 to the first of a month.
  private static func days(to year: Int64, _ month: Int64) -> Int64 {
    // 719 528 days lie between 0000-01-01 and 1970-01-01; the year 0 is a leap year.
    let leaps = year == 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
    let before = (1..<month).reduce(0) { $0 + days(in: $1, of: year) }
    return year * 365 + leaps - 719_528 + before
  }
}
