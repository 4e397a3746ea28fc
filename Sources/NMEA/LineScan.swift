// Eight bytes at a time: finding the end of a line and its checksum in one pass.

extension RawSpan {
  /// The eight bytes from `offset` on, the first in the lowest place. They must be in bounds.
  @inline(__always)
  func littleEndianWord(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }
}

/// A line found in a buffer.
struct LineScan {
  /// The index of the CR or LF that ends the line; the limit when there is none before it.
  var end: Int
  /// The XOR of all bytes before `end`, when `isEnded`.
  var xor: UInt8
  var isEnded: Bool

  /// Finds the end of the line that begins at `start`, up to `limit`.
  @inline(__always)
  init(_ bytes: RawSpan, from start: Int, limit: Int) {
    var position = start
    var sum: UInt64 = 0
    // Two words at a time while no byte of them can be below 16, which covers most of a line. The
    // test also stops at bytes from 144 on; the loop below distinguishes them.
    while position &+ 16 <= limit {
      let first = bytes.littleEndianWord(at: position)
      let second = bytes.littleEndianWord(at: position &+ 8)
      let low = (first &- 0x1010_1010_1010_1010) | (second &- 0x1010_1010_1010_1010)
      if low & 0x8080_8080_8080_8080 != 0 { break }
      sum ^= first ^ second
      position &+= 16
    }
    while position &+ 8 <= limit {
      let word = bytes.littleEndianWord(at: position)
      // The top bit of each byte below 16, exact for the lowest such byte.
      let low = (word &- 0x1010_1010_1010_1010) & ~word & 0x8080_8080_8080_8080
      if low != 0 {
        let bits = UInt64(truncatingIfNeeded: low.trailingZeroBitCount & ~7)
        let byte = UInt8(truncatingIfNeeded: word &>> bits)
        if byte.isLineEnd {
          sum ^= word & ((1 &<< bits) &- 1)
          self.init(
            end: position &+ Int(truncatingIfNeeded: bits &>> 3), xor: sum.foldedXOR,
            isEnded: true)
          return
        }
        break
      }
      sum ^= word
      position &+= 8
    }
    self.init(slowly: bytes, from: position, limit: limit, sum: sum.foldedXOR)
  }

  private init(end: Int, xor: UInt8, isEnded: Bool) {
    self.end = end
    self.xor = xor
    self.isEnded = isEnded
  }

  /// Continues byte by byte: near the limit, or from a control character on.
  @inline(never)
  private init(slowly bytes: RawSpan, from start: Int, limit: Int, sum: UInt8) {
    var position = start
    var sum = sum
    while position < limit {
      let byte = bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
      if byte.isLineEnd {
        self.init(end: position, xor: sum, isEnded: true)
        return
      }
      sum ^= byte
      position &+= 1
    }
    self.init(end: limit, xor: sum, isEnded: false)
  }
}

extension UInt64 {
  /// The XOR of its eight bytes.
  @inline(__always)
  var foldedXOR: UInt8 {
    let half = self ^ (self &>> 32)
    let quarter = half ^ (half &>> 16)
    return UInt8(truncatingIfNeeded: quarter ^ (quarter &>> 8))
  }
}

/// The digits that eight bytes begin with, as a number. There is no loop, because its branches
/// would cost more than the work.
struct DigitRun {
  /// How many digits, 0...8.
  var count: Int
  var value: UInt32

  @inline(__always)
  init(_ word: UInt64) {
    let digits = word ^ 0x3030_3030_3030_3030
    // The top bit of each byte above 9, exact for the lowest such byte.
    let others = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
    let bits = others.trailingZeroBitCount & ~7
    count = bits &>> 3
    if bits == 0 {
      value = 0
      return
    }
    value = (digits &<< UInt64(truncatingIfNeeded: 64 &- bits)).decimalValue
  }
}

/// A number with a point that eight bytes begin with, and that ends before their last one.
struct DecimalRun {
  /// Its digits as a number, without the point.
  var value: UInt32
  /// How many digits follow the point.
  var places: Int
  /// Its bytes.
  var count: Int

  /// `nil` for other bytes: no digit, no point, or a number that is longer.
  @inline(__always)
  init?(_ word: UInt64) {
    let digits = word ^ 0x3030_3030_3030_3030
    // The top bit of each byte above 9.
    let others =
      (digits & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
    let pointBits = others.trailingZeroBitCount & ~7
    let endBits = (others & (others &- 1)).trailingZeroBitCount & ~7
    // 1 in the place of the point.
    let point = (others & (0 &- others)) &>> 7
    guard endBits > 8, endBits < 64, (digits ^ point &* 0x1E) & (point &* 0xFF) == 0
    else { return nil }
    let below = point &- 1
    let joined = digits & below | digits &>> 8 & ~below
    value = (joined &<< UInt64(truncatingIfNeeded: 72 &- endBits)).decimalValue
    places = (endBits &- pointBits) &>> 3 &- 1
    count = endBits &>> 3
  }
}

extension UInt64 {
  /// The number whose eight digits are its bytes, the first digit in the lowest.
  ///
  /// Adds up pairs, fours and eights. Method: D. Lemire, "Quickly parsing eight digits", 2022.
  @inline(__always)
  fileprivate var decimalValue: UInt32 {
    let sum = self &* 10 &+ (self &>> 8)
    let evens = (sum & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let odds = (sum &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return UInt32(truncatingIfNeeded: (evens &+ odds) &>> 32)
  }
}

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
