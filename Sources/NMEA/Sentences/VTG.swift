/// VTG, course and speed over ground.
///
///     $GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A*hh
///     $GPVTG,054.7,034.4,005.5,010.2*hh          (old, without unit letters)
public struct VTG: Sendable, Equatable {
  public var speedMillimetresPerSecond: Int32?
  /// Thousandths of a degree, true.
  public var trackMillidegrees: Int32?
  /// Mode indicator `N`: the values are not valid and are left out.
  public var isInvalid: Bool

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    var track = try fields.track(in: bytes)
    var probe = fields
    let second = probe.letter(in: bytes)
    probe.skip(in: bytes)
    let fourth = probe.letter(in: bytes)
    let hasUnits = second == 0x54 || fourth == 0x4D || second == 0 && fourth == 0
    if hasUnits { fields = probe } else { fields.skip(in: bytes) }
    var speed = try fields.knots(in: bytes)
    if hasUnits { fields.skip(in: bytes) }
    let metric = try fields.kilometresPerHour(in: bytes)
    if speed == nil { speed = metric }
    if hasUnits { fields.skip(in: bytes) }
    isInvalid = fields.letter(in: bytes) == 0x4E
    if isInvalid {
      speed = nil
      track = nil
    }
    speedMillimetresPerSecond = speed
    trackMillidegrees = track
  }
}
