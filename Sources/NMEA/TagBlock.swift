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
