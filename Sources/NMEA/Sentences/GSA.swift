/// GSA, the satellites used and the dilution of precision.
///
///     $GNGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1,1*hh
///
/// Twelve satellites, three dilutions, from 4.1 on a system number. Some receivers have more fields
/// for satellites (Navior CH-4701: 24); of these the first twelve are counted, and HDOP is unknown.
public struct GSA: Sendable, Equatable {
  /// `nil` when empty, or not 1...3 (the Antaris chips write `E` for dead reckoning).
  public var mode: FixMode?
  /// The number of satellites listed.
  public var satellitesUsed: UInt8
  /// Horizontal dilution of precision in hundredths.
  public var hdopHundredths: UInt16?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    fields.skip(in: bytes)
    mode = FixMode(rawValue: fields.letter(in: bytes) &- .zero)
    satellitesUsed = fields.countNonZero(12, in: bytes)
    hdopHundredths = nil
    fields.skip(in: bytes)
    if fields.isPastEnd { return }
    let hdop = try fields.dilution(in: bytes)
    fields.skip(2, in: bytes)
    if fields.isPastEnd { hdopHundredths = hdop }
  }
}
