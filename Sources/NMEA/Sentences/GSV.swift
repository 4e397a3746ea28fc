/// GSV, satellites in view: up to four of them per sentence.
///
///     $GPGSV,3,1,11,03,03,111,00,04,15,270,00,06,01,010,00,13,06,292,00,1*hh
///
/// From 4.1 on a signal number follows. Read are only the counts and the strongest signal.
public struct GSV: Sendable, Equatable {
  /// Which sentence of its group this is, from 1.
  public var number: UInt8?
  /// Satellites in view of the talker's system.
  public var satellitesInView: UInt8?
  /// The strongest signal among the satellites of this sentence, in dB-Hz.
  public var bestSignalDecibelHertz: UInt8?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    fields.skip(in: bytes)
    number = try fields.count(in: bytes, upTo: 99).map { UInt8(truncatingIfNeeded: $0) }
    satellitesInView = try fields.count(in: bytes, upTo: 255).map { UInt8(truncatingIfNeeded: $0) }
    var best: UInt32 = 0
    var place = 0
    // A signal number alone at the end is no satellite: its skips run past the end.
    while place < 4, !fields.isPastEnd {
      fields.skip(3, in: bytes)
      if fields.isPastEnd { break }
      if let signal = try fields.count(in: bytes, upTo: 99), signal > best { best = signal }
      place &+= 1
    }
    bestSignalDecibelHertz = best == 0 ? nil : UInt8(truncatingIfNeeded: best)
  }
}
