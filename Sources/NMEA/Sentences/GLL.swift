/// GLL, position: many receivers send it in addition to RMC, a few old ones instead of it.
///
///     $GPGLL,4916.45,N,12311.12,W,225444.00,A,A*hh
///
/// The oldest form ends after the position.
public struct GLL: Sendable, Equatable {
  public var position: Position?
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  /// Status `A`; `nil` in the form that has no status.
  public var isValid: Bool?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    position = try fields.coordinates(in: bytes)
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    if fields.isPastEnd {
      isValid = nil
      return
    }
    let status = fields.letter(in: bytes)
    isValid = status == 0x41 || status == 0x44
  }
}
