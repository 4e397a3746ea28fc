/// What became of everything that came in on a line. Each line is counted exactly once.
public struct SentenceCounts: Sendable, Equatable {
  /// Decoded into values.
  public var accepted: UInt32 = 0
  /// Whole and undamaged, of a kind that the decoder has no use for (TXT, PMTK, AIS, ...).
  public var ignored: UInt32 = 0
  /// The checksum is there and differs.
  public var checksumMismatch: UInt32 = 0
  /// No checksum on a kind of sentence that this stream has sent with one before.
  public var checksumMissing: UInt32 = 0
  /// Undamaged by its checksum, but a field is not what the kind of sentence asks for.
  public var malformed: UInt32 = 0
  /// Cut short: the next sentence began before this one's end of line, or the input ended.
  public var truncated: UInt32 = 0
  /// Longer than `NMEABounds.lineBytes` without an end.
  public var tooLong: UInt32 = 0
  /// A line with no sentence in it (binary protocols, noise, comments).
  public var garbage: UInt32 = 0

  public init() {}

  public var rejected: UInt32 {
    checksumMismatch &+ checksumMissing &+ malformed &+ truncated &+ tooLong &+ garbage
  }
}
