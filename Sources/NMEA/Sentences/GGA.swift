/// GGA, fix data: time, position, quality, satellites used, HDOP, altitude.
///
///     $GPGGA,123519.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,0000*hh
public struct GGA: Sendable, Equatable {
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  public var position: Position?
  /// 0 none, 1 GPS, 2 differential, 4 and 5 RTK, 6 dead reckoning, 7 manual, 8 simulator.
  public var quality: UInt8?
  public var satellitesUsed: UInt8?
  /// Horizontal dilution of precision in hundredths.
  public var hdopHundredths: UInt16?
  /// Height above mean sea level.
  public var altitudeMillimetres: Int32?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    position = try fields.coordinates(in: bytes)
    quality = try fields.count(in: bytes, upTo: 9).map { UInt8(truncatingIfNeeded: $0) }
    satellitesUsed = try fields.count(in: bytes, upTo: 255).map { UInt8(truncatingIfNeeded: $0) }
    hdopHundredths = try fields.dilution(in: bytes)
    altitudeMillimetres = try fields.metres(in: bytes)
  }
}
