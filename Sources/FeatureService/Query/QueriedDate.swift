import TrackerCore

/// Dates in SQL, in UTC.
enum QueriedDate {
  /// Milliseconds since 1970 of `2012-10-06`, `2012-10-06 10:00:00` or `2012-10-06T10:00:00.123Z`;
  /// `nil` if it is not such a date.
  static func milliseconds(_ text: String) -> Int64? {
    var text = Substring(text)
    if text.hasSuffix("Z") { text.removeLast() }
    let halves = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == " " || $0 == "T" })
    guard let date = halves.first, let days = days(date) else { return nil }
    guard halves.count > 1 else { return days * 86_400_000 }
    guard let time = timeOfDay(halves[1]) else { return nil }
    return days * 86_400_000 + time
  }

  private static func days(_ text: Substring) -> Int64? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = digits(parts[0], 4), let month = digits(parts[1], 2),
      let day = digits(parts[2], 2), year >= 1
    else { return nil }
    return CivilTime(year: Int32(year), month: Int32(month), day: Int32(day)).map {
      $0.utc.milliseconds / 86_400_000
    }
  }

  private static func timeOfDay(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let hour = digits(parts[0], 2), hour < 24,
      let minute = digits(parts[1], 2), minute < 60
    else { return nil }
    let upToMinute = (hour * 60 + minute) * 60_000
    guard parts.count == 3 else { return upToMinute }
    let halves = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count <= 2, let second = digits(halves[0], 2), second < 60 else { return nil }
    guard halves.count == 2 else { return upToMinute + second * 1000 }
    guard !halves[1].isEmpty, halves[1].count <= 9,
      let fraction = digits((halves[1] + "00").prefix(3), 3)
    else { return nil }
    return upToMinute + second * 1000 + fraction
  }

  private static func digits(_ text: Substring, _ count: Int) -> Int64? {
    guard text.utf8.count == count, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}
