/// One sentence, decoded.
public enum Sentence: Sendable, Equatable {
  case rmc(RMC)
  case gga(GGA)
  case gns(GNS)
  case gll(GLL)
  case zda(ZDA)
  case gsa(GSA)
  case gsv(GSV)
  case vtg(VTG)

  /// Decodes one line, with or without its line end.
  ///
  /// A missing checksum is accepted here: the rule for that (see `Decoder`) needs the stream.
  public init(parsing line: Span<UInt8>) throws(SentenceError) {
    let address = try SentenceAddress(of: line)
    var fields = address.fields
    switch address.kind {
    case .rmc: self = .rmc(try RMC(line, &fields))
    case .gga: self = .gga(try GGA(line, &fields))
    case .gns: self = .gns(try GNS(line, &fields))
    case .gll: self = .gll(try GLL(line, &fields))
    case .zda: self = .zda(try ZDA(line, &fields))
    case .gsa: self = .gsa(try GSA(line, &fields))
    case .gsv: self = .gsv(try GSV(line, &fields))
    case .vtg: self = .vtg(try VTG(line, &fields))
    }
  }
}

/// The address of an undamaged sentence, and where its fields are.
struct SentenceAddress {
  var kind: SentenceKind
  var talker: Talker
  var fields: FieldCursor

  /// Finds the last sentence in a line (a TAG block or noise may stand before it) and verifies
  /// its checksum, if it has one.
  init(of line: Span<UInt8>) throws(SentenceError) {
    var end = line.count
    while end > 0, line[unchecked: end &- 1] <= 0x20 { end &-= 1 }
    var start = end &- 1
    while start >= 0, line[unchecked: start] != .dollar { start &-= 1 }
    guard start >= 0 else { throw .notASentence }
    let piece = Piece(of: line, from: start, to: end)
    switch piece.checksum {
    case .differs: throw .checksumMismatch
    case .cutOff: throw .notASentence
    case .absent where !piece.looksLikeSentence(in: line): throw .notASentence
    case .absent, .agrees: break
    }
    self = try Self(in: line, from: start, to: piece.bodyEnd)
  }

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
