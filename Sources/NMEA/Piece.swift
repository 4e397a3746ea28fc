/// A part of a line that may hold one sentence: from its `$` (or `!`) up to the next one or the
/// end.
struct Piece {
  enum Checksum { case agrees, differs, absent, cutOff }

  var start: Int
  /// One past the last byte that is not blank, or past the checksum if it agrees.
  var end: Int
  /// Where the fields end: at the star, or at `end` without one.
  var bodyEnd: Int
  var checksum: Checksum

  /// Verifies the checksum of the sentence at `start`. Bytes after it are left for the next piece.
  init(of line: Span<UInt8>, from start: Int, to limit: Int) {
    self.start = start
    end = limit
    while end > start, line[unchecked: end &- 1] <= 0x20 { end &-= 1 }
    var position = start &+ 1
    var sum: UInt8 = 0
    while position < end, line[unchecked: position] != .star {
      sum ^= line[unchecked: position]
      position &+= 1
    }
    bodyEnd = position < end ? position : end
    if position >= end {
      checksum = .absent
    } else if position &+ 2 >= end {
      checksum = .cutOff
    } else {
      let high = line[unchecked: position &+ 1].hexadecimalValue
      let low = line[unchecked: position &+ 2].hexadecimalValue
      checksum = high < 16 && low < 16 && high &<< 4 | low == sum ? .agrees : .differs
      if checksum == .agrees { end = position &+ 3 }
    }
  }

  /// Whether it consists of an address, a comma and printable characters.
  func looksLikeSentence(in line: Span<UInt8>) -> Bool {
    var position = start &+ 1
    while position < end, line[unchecked: position] != .comma {
      let byte = line[unchecked: position]
      let isLetter = (byte | 0x20) &- 0x61 < 26
      let isDigit = byte &- .zero < 10
      if !isLetter && !isDigit { return false }
      position &+= 1
    }
    if position >= end || position &- start < 4 || position &- start > 12 { return false }
    while position < end {
      let byte = line[unchecked: position]
      if byte < 0x20 || byte > 0x7E { return false }
      position &+= 1
    }
    return true
  }
}
