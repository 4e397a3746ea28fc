/// GNS, fix data of several satellite systems.
///
///     $GNGNS,224749.00,3333.4268304,N,11153.3538273,W,DAN,19,0.6,406.110,-26.294,6.0,0138,S*hh
public struct GNS: Sendable, Equatable {
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  public var position: Position?
  /// Whether any system's mode indicator is other than `N`; `nil` when the field is empty.
  public var hasFix: Bool?
  public var satellitesUsed: UInt8?
  /// Horizontal dilution of precision in hundredths.
  public var hdopHundredths: UInt16?
  /// Height above mean sea level.
  public var altitudeMillimetres: Int32?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    position = try fields.coordinates(in: bytes)
    hasFix = fields.modeIndicators(in: bytes)
    satellitesUsed = try fields.count(in: bytes, upTo: 255).map { UInt8(truncatingIfNeeded: $0) }
    hdopHundredths = try fields.dilution(in: bytes)
    altitudeMillimetres = try fields.metres(in: bytes)
  }
}

extension FieldCursor {
  /// Reads one mode indicator for each system; returns whether any of them is not `N`.
  mutating func modeIndicators(in bytes: Span<UInt8>) -> Bool? {
    if passesEmptyField(in: bytes) { return nil }
    var hasFix = false
    while position < end, bytes[unchecked: position] != .comma {
      if bytes[unchecked: position] != 0x4E { hasFix = true }
      advance()
    }
    advance()
    return hasFix
  }
}
