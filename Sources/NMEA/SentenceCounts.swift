/// The outcomes of all input on a line. Each sentence or line of noise is counted once.
public struct SentenceCounts: Sendable, Equatable {
  /// Decoded into values.
  public var accepted: UInt32 = 0
  /// Complete and undamaged, of a kind that the decoder does not use (TXT, PMTK, AIS, ...).
  public var ignored: UInt32 = 0
  /// The checksum is wrong.
  public var checksumMismatch: UInt32 = 0
  /// No checksum on a kind of sentence that this stream has sent with one before.
  public var checksumMissing: UInt32 = 0
  /// The checksum agrees, but a field is not valid for the kind of sentence.
  public var malformed: UInt32 = 0
  /// Cut short: the next sentence began before this one's end of line, or the input ended.
  public var truncated: UInt32 = 0
  /// Longer than `NMEABounds.lineBytes` without an end.
  public var tooLong: UInt32 = 0
  /// A line with no sentence in it (binary protocols, noise).
  public var garbage: UInt32 = 0

  public init() {}

  public var rejected: UInt32 {
    checksumMismatch &+ checksumMissing &+ malformed &+ truncated &+ tooLong &+ garbage
  }
}
