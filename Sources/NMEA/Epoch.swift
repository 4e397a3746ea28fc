/// The kind of fix that a receiver reports.
///
/// Raw values are those of GSA field 2 (NMEA 0183) and of gpsd's `mode`.
public enum FixMode: UInt8, Sendable, Equatable {
  case noFix = 1
  case twoDimensional = 2
  case threeDimensional = 3
}

/// One position report: what a receiver said about one instant, merged from all its sentences.
///
/// A member is `nil` when no sentence of the epoch gave it. All numbers are exact integers.
public struct Epoch: Sendable, Equatable {
  /// Milliseconds since midnight UTC, 0..<86 401 000 (a leap second is 86 400 000 and up).
  public var timeOfDayMilliseconds: Int32?
  /// Days since 1970-01-01 as the receiver reports them, not corrected for week rollover. From a
  /// sentence of this epoch (`isDateCarried == false`), or carried over from an earlier one, across
  /// midnight if need be.
  public var dayNumber: Int32?
  /// Whether `dayNumber` was carried over from an earlier epoch.
  public var isDateCarried = false
  public var mode = FixMode.noFix
  /// Latitude in 1e-7 degree, north positive, -900 000 000...900 000 000.
  public var latitude: Int32?
  /// Longitude in 1e-7 degree, east positive, -1 800 000 000...1 800 000 000.
  public var longitude: Int32?
  /// Height above mean sea level in millimetres.
  public var altitudeMillimetres: Int32?
  public var speedMillimetresPerSecond: Int32?
  /// Course over ground, true, in thousandths of a degree, 0..<360 000.
  public var trackMillidegrees: Int32?
  public var satellitesUsed: UInt8?
  /// Horizontal dilution of precision in hundredths.
  public var hdopHundredths: UInt16?
  /// Satellites in view over all constellations that reported in this epoch (GSV).
  public var satellitesInView: UInt8?
  /// The strongest signal in this epoch, in dB-Hz (GSV).
  public var bestSignalDecibelHertz: UInt8?

  public init() {}

  /// Milliseconds since 1970-01-01T00:00:00Z, or `nil` while either part is unknown.
  public var utcMilliseconds: Int64? {
    guard let dayNumber, let timeOfDayMilliseconds else { return nil }
    return Int64(dayNumber) * 86_400_000 + Int64(timeOfDayMilliseconds)
  }

  /// Whether the epoch has a fix with a latitude and a longitude.
  public var hasPosition: Bool { mode != .noFix && latitude != nil && longitude != nil }
}
