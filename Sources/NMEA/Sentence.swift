/// The address of an undamaged sentence, and where its fields are.
struct SentenceAddress {
  var kind: SentenceKind
  var talker: Talker
  var fields: FieldCursor

  /// Reads the address of a sentence whose `$` is at `start` and whose last field ends before
  /// `end`.
  @inline(__always)
  init(in line: Span<UInt8>, from start: Int, to end: Int) throws(SentenceError) {
    guard end &- start >= 8 else { throw .unsupported }
    let word = line.bytes.littleEndianWord(at: start)
    guard UInt8(truncatingIfNeeded: word &>> 48) == .comma,
      let talker = Talker(letters: UInt16(truncatingIfNeeded: word &>> 8)),
      let kind = SentenceKind(formatter: UInt32(truncatingIfNeeded: word &>> 24) & 0xFF_FFFF)
    else { throw .unsupported }
    self.kind = kind
    self.talker = talker
    fields = FieldCursor(from: start &+ 7, to: end)
  }
}

/// The kinds of sentence that the decoder supports.
///
/// Those up to `zda` carry a time of day; the others belong to the instant of the sentences around
/// them.
public enum SentenceKind: UInt8, Sendable, Equatable {
  case rmc, gga, gns, gll, zda
  case gsa, gsv, vtg

  /// Whether the kind has a field for the time of day.
  var isTimed: Bool { rawValue <= Self.zda.rawValue }

  /// The bit of this kind in a set of kinds.
  var bit: UInt8 { 1 &<< rawValue }

  /// The kind for a formatter of three letters, the first in the lowest byte.
  @inline(__always)
  init?(formatter: UInt32) {
    switch formatter {
    case 0x43_4D52: self = .rmc
    case 0x41_4747: self = .gga
    case 0x53_4E47: self = .gns
    case 0x4C_4C47: self = .gll
    case 0x41_445A: self = .zda
    case 0x41_5347: self = .gsa
    case 0x56_5347: self = .gsv
    case 0x47_5456: self = .vtg
    default: return nil
    }
  }
}

/// The satellite system of a sentence, from the first two letters of its address.
public enum Talker: UInt8, Sendable, Equatable {
  case gps, glonass, galileo, beiDou, qzss, navIC
  /// Several systems together (`GN`).
  case combined
  /// Integrated instrumentation and navigation (`II`, `IN`), as some plotters and modems send.
  case instrument

  var bit: UInt8 { 1 &<< rawValue }

  /// The talker of two letters, the first in the low byte. Source: NMEA 0183 version 4.11, table 2;
  /// `BD` and `QZ` are what BeiDou and QZSS receivers sent before their letters were assigned.
  @inline(__always)
  init?(letters: UInt16) {
    // The two most frequent ones first.
    if letters == 0x5047 {
      self = .gps
      return
    }
    if letters == 0x4E47 {
      self = .combined
      return
    }
    switch letters {
    case 0x4C47: self = .glonass
    case 0x4147: self = .galileo
    case 0x4247, 0x4442: self = .beiDou
    case 0x5147, 0x5A51: self = .qzss
    case 0x4947: self = .navIC
    case 0x4949, 0x4E49: self = .instrument
    default: return nil
    }
  }
}

/// Why a line is not a sentence that the decoder can use.
public enum SentenceError: Error, Sendable, Equatable {
  /// No `$`, no address, or bytes that are not printable.
  case notASentence
  /// The checksum is wrong.
  case checksumMismatch
  /// Complete, but of a kind or talker that the decoder does not support.
  case unsupported
  /// A field is not valid for the kind of sentence.
  case malformed
}

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
