/// What a trace player needs to know about a line: its length and the instant it belongs to.
///
/// Framing, checksum, address, time and date are the decoder's; nothing else is looked at.
public struct LinePeek: Sendable, Equatable {
  /// One past the end of the line, its CR or LF included.
  public var end: Int
  /// Whether it contains a complete sentence of any kind.
  public var isSentence = false
  /// The kind, if the decoder supports it.
  public var kind: SentenceKind?
  public var talker = Talker.gps
  /// Milliseconds since midnight UTC, for the kinds that have it.
  public var timeOfDayMilliseconds: Int32?
  /// Days since 1970-01-01, for RMC and ZDA.
  public var dayNumber: Int32?
  /// The time of a TAG block before the sentence: milliseconds since 1970.
  public var tagMilliseconds: Int64?

  /// Looks at the line that begins at `start`; `nil` when its end is not in `bytes`.
  public init?(nextIn bytes: Span<UInt8>, from start: Int) {
    guard start >= 0, start < bytes.count else { return nil }
    // The LF of a CRLF, or a blank line.
    if bytes[unchecked: start].isLineEnd {
      self.init(end: start &+ 1)
      return
    }
    let line = LineScan(bytes.bytes, from: start, limit: bytes.count)
    guard line.isEnded else { return nil }
    self.init(in: bytes, from: start, to: line.end, xor: line.xor)
    end = line.end &+ 1
  }

  /// Looks at an unfinished line, the last of a trace.
  public init(lastIn bytes: Span<UInt8>, from start: Int) {
    let from = max(0, min(start, bytes.count))
    let line = LineScan(bytes.bytes, from: from, limit: bytes.count)
    self.init(in: bytes, from: from, to: line.end, xor: line.xor)
    end = bytes.count
  }

  private init(end: Int) { self.end = end }

  @inline(__always)
  private init(in bytes: Span<UInt8>, from start: Int, to limit: Int, xor: UInt8) {
    end = limit
    if LineReader.isWhole(bytes, from: start, to: limit, xor: xor) {
      look(at: bytes, from: start, to: limit &- 3)
    } else {
      lookCloser(at: bytes, from: start, to: limit)
    }
  }

  /// Reads a complete sentence.
  @inline(__always)
  private mutating func look(at bytes: Span<UInt8>, from start: Int, to end: Int) {
    isSentence = true
    guard let address = try? SentenceAddress(in: bytes, from: start, to: end) else { return }
    var fields = address.fields
    talker = address.talker
    do throws(SentenceError) {
      switch address.kind {
      case .rmc:
        timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
        fields.skip(7, in: bytes)
        dayNumber = try fields.shortDate(in: bytes)
      case .gga, .gns:
        timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
      case .gll:
        fields.skip(4, in: bytes)
        timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
      case .zda:
        let sentence = try ZDA(bytes, &fields)
        timeOfDayMilliseconds = sentence.timeOfDayMilliseconds
        dayNumber = sentence.dayNumber
      case .gsa, .gsv, .vtg: break
      }
      kind = address.kind
    } catch {
      // The decoder rejects it too; the line keeps its place in the trace.
      timeOfDayMilliseconds = nil
      dayNumber = nil
    }
  }

  /// Looks for a TAG block, and for a sentence after noise or without a checksum.
  @inline(never)
  private mutating func lookCloser(at bytes: Span<UInt8>, from start: Int, to limit: Int) {
    guard start < limit, bytes[unchecked: start] != .hash else { return }
    if let tag = TagBlock(at: start, in: bytes, to: limit), tag.isIntact {
      tagMilliseconds = tag.milliseconds
    }
    var dollar = limit &- 1
    while dollar >= start, bytes[unchecked: dollar] != .dollar { dollar &-= 1 }
    if dollar < start {
      if bytes[unchecked: start] == .exclamation {
        isSentence = Piece(of: bytes, from: start, to: limit).checksum == .agrees
      }
      return
    }
    let piece = Piece(of: bytes, from: dollar, to: limit)
    let isUnchecked = piece.checksum == .absent && piece.looksLikeSentence(in: bytes)
    if piece.checksum == .agrees || isUnchecked {
      look(at: bytes, from: dollar, to: piece.bodyEnd)
    }
  }
}

/// A TAG block of NMEA 0183 version 4: the source and the time of the sentence that follows.
///
///     \s:gnss,c:1349517600123*hh\$GPRMC,...
public struct TagBlock: Sendable, Equatable {
  /// Where the block ends: the index after its closing backslash.
  public var end: Int
  /// Whether it has a checksum and the checksum agrees.
  public var isIntact: Bool
  /// `c:`, milliseconds since 1970. Numbers below 1e11 are seconds: as seconds, 1e11 is the year
  /// 5138; as milliseconds, 1973, before there were such receivers.
  public var milliseconds: Int64?
  /// `s:`, the name of the source: a range of indices in the line; empty when not given.
  public var source: Range<Int> = 0..<0

  /// Reads the block at `start`; `nil` when there is none or it is not closed.
  public init?(at start: Int, in line: Span<UInt8>, to limit: Int) {
    guard start >= 0, limit <= line.count, start < limit, line[unchecked: start] == .backslash
    else { return nil }
    var close = start &+ 1
    while close < limit, line[unchecked: close] != .backslash { close &+= 1 }
    guard close < limit else { return nil }
    end = close &+ 1
    let piece = Piece(of: line, from: start, to: close)
    isIntact = piece.checksum == .agrees && piece.end == close
    var position = start &+ 1
    while position &+ 1 < piece.bodyEnd {
      let key = line[unchecked: position]
      let isPair = line[unchecked: position &+ 1] == 0x3A
      var next = position
      while next < piece.bodyEnd, line[unchecked: next] != .comma { next &+= 1 }
      if isPair, key == 0x63 {
        milliseconds = Self.time(in: line, from: position &+ 2, to: next)
      } else if isPair, key == 0x73 {
        source = position &+ 2..<next
      }
      position = next &+ 1
    }
  }

  private static func time(in line: Span<UInt8>, from start: Int, to end: Int) -> Int64? {
    guard end > start, end &- start <= 15 else { return nil }
    var value: Int64 = 0
    var position = start
    while position < end {
      let digit = line[unchecked: position] &- .zero
      if digit > 9 { return nil }
      value = value &* 10 &+ Int64(digit)
      position &+= 1
    }
    return value < 100_000_000_000 ? value &* 1000 : value
  }
}
