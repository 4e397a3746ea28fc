/// RMC, recommended minimum: time, date, position, speed and course.
///
///     $GPRMC,123519.00,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W,A,V*hh
///
/// Versions: without mode indicator (before 2.3), with it (2.3), with navigational status (4.1).
public struct RMC: Sendable, Equatable {
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  /// Status `A` (or `D`, which some receivers write for a differential fix).
  public var isValid: Bool
  public var position: Position?
  public var speedMillimetresPerSecond: Int32?
  /// Thousandths of a degree, true.
  public var trackMillidegrees: Int32?
  /// Days since 1970-01-01; two-digit years 80...99 are 19xx, others 20xx.
  public var dayNumber: Int32?
  /// Mode indicator as sent (`A` `D` `E` `F` `M` `N` `P` `R` `S`), 0 when the field is missing.
  public var modeIndicator: UInt8

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    let status = fields.letter(in: bytes)
    isValid = status == 0x41 || status == 0x44
    position = try fields.coordinates(in: bytes)
    speedMillimetresPerSecond = try fields.knots(in: bytes)
    trackMillidegrees = try fields.track(in: bytes)
    dayNumber = try fields.shortDate(in: bytes)
    fields.skip(2, in: bytes)
    modeIndicator = fields.letter(in: bytes)
  }
}

extension FieldCursor {
  /// Reads `ddmmyy` as days since 1970-01-01; some receivers send `000000` when they have none.
  @inline(__always)
  mutating func shortDate(in bytes: Span<UInt8>) throws(SentenceError) -> Int32? {
    if passesEmptyField(in: bytes) { return nil }
    let date = try digits(in: bytes)
    try endField(in: bytes)
    if date.count != 6 { throw .malformed }
    if date.value == 0 { return nil }
    let year = Int32(truncatingIfNeeded: date.value % 100)
    let day = CalendarDate(
      year: year >= 80 ? 1900 &+ year : 2000 &+ year,
      month: Int32(truncatingIfNeeded: date.value / 100 % 100),
      day: Int32(truncatingIfNeeded: date.value / 10_000))
    guard let day else { throw .malformed }
    return day.dayNumber
  }
}
