/// ZDA, time and date with a year of four digits.
///
///     $GPZDA,160012.71,11,03,2004,-1,00*hh
public struct ZDA: Sendable, Equatable {
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  /// Days since 1970-01-01.
  public var dayNumber: Int32?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    let day = try fields.count(in: bytes, upTo: 31)
    let month = try fields.count(in: bytes, upTo: 12)
    let year = try fields.count(in: bytes, upTo: 9999)
    guard let day, let month, let year, day | month | year != 0 else {
      dayNumber = nil
      return
    }
    let date = CalendarDate(
      year: Int32(truncatingIfNeeded: year), month: Int32(truncatingIfNeeded: month),
      day: Int32(truncatingIfNeeded: day))
    // Other years are noise.
    guard let date, (1900...2999).contains(date.year) else { throw .malformed }
    dayNumber = date.dayNumber
  }
}
