public import TrackerCore

/// Dates for people.
public enum CalendarText {
  /// `2012-10-06 10:00:00`, UTC.
  public static func text(_ utc: UTC) -> String {
    guard let time = CivilTime(utc) else { return "a date outside the calendar" }
    var bytes: [UInt8] = []
    time.forEachByte { bytes.append($0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0) }
    return String(decoding: bytes.prefix(19), as: UTF8.self)
  }
}
