import Glibc
public import TrackerCore

/// Dates for people.
public enum CalendarText {
  /// `2012-10-06 10:00:00`, UTC.
  public static func text(_ utc: UTC) -> String {
    var seconds = time_t(utc.milliseconds / 1000)
    var parts = tm()
    // A date that the calendar does not hold leaves zeros, which are no date either.
    gmtime_r(&seconds, &parts)
    var bytes = [CChar](repeating: 0, count: 64)
    let count = strftime(&bytes, bytes.count, "%Y-%m-%d %H:%M:%S", &parts)
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
