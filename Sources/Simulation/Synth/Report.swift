import NMEA

/// The receiver's report for one moment: the values for all its sentences.
struct Report {
  /// Milliseconds since 1970 according to the receiver; `nil` before it knows the time.
  var utcMilliseconds: Int64?
  var mode = FixMode.noFix
  /// 1e-7 degree.
  var latitude: Int32 = 0
  /// 1e-7 degree.
  var longitude: Int32 = 0
  var altitudeMillimetres: Int32 = 0
  var speedMillimetresPerSecond: Int32 = 0
  /// `nil` when it is too slow for a course.
  var trackMillidegrees: Int32?
  var satellites: [Satellite] = []
  var dilution = DilutionOfPrecision.unknown

  var hasFix: Bool { mode != .noFix }
  var used: Int { satellites.reduce(0) { $0 + ($1.isUsed ? 1 : 0) } }
}
