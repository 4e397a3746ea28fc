import TrackerCore

extension FileNode {
  /// The latest time in a scenario: far beyond any race.
  public static let latestElapsed = Milliseconds.hours(1000)

  /// A time since the start: `"4:30:00"` (hours, minutes, seconds) or a duration.
  public func elapsed() throws(FileError) -> Milliseconds {
    guard case .text(let text) = value, text.contains(":") else {
      return try duration(in: 0...Self.latestElapsed)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isShaped =
      parts.count == 3 && (1...4).contains(parts[0].count)
      && parts[1].count == 2 && parts[2].count == 2
    let areDigits = parts.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }
    guard isShaped && areDigits, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
      let seconds = Int64(parts[2]), minutes < 60, seconds < 60
    else {
      throw error("\(quoted(text)) is not a time since the start; write for example \"4:30:00\"")
    }
    let result = Milliseconds.hours(hours) + .minutes(minutes) + .seconds(seconds)
    guard result <= Self.latestElapsed else {
      throw error("\(quoted(text)) is out of range; write at most \"1000:00:00\"")
    }
    return result
  }

  /// Midnight UTC of a day, for example `"2026-01-01"`.
  public func day() throws(FileError) -> UTC {
    let complaint =
      "write a day from 1980-01-06 (when GPS time began) to 2099-12-31, "
      + "for example \"2026-01-01\""
    guard case .text(let text) = value else { throw error("is \(value.summary); \(complaint)") }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    guard text.utf8.count == 10, text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }),
      numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      let date = CivilTime(year: year, month: month, day: day),
      "1980-01-06" <= text, text <= "2099-12-31"
    else { throw error("\(quoted(text)) is not a valid day; \(complaint)") }
    return date.utc
  }
}
