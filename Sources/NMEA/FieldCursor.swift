/// Reads the comma-separated fields of one sentence from left to right, each byte once.
///
/// Every access is below `end`, which the caller of `init` has checked against the bytes, so the
/// reads are unchecked. A field beyond the last reads as empty: sentences grew over the versions of
/// NMEA 0183, and older receivers leave out the later fields.
struct FieldCursor {
  /// The first byte of the next field; beyond `end` when there is none left.
  var position: Int
  let end: Int

  /// - Parameters:
  ///   - position: the first byte after the comma that ends the address.
  ///   - end: one past the last byte of the last field, at most the count of the bytes.
  @inline(__always)
  init(from position: Int, to end: Int) {
    self.position = position
    self.end = end
  }

  /// Whether there is no field left.
  @inline(__always)
  var isPastEnd: Bool { position > end }

  /// Skips one byte.
  @inline(__always)
  mutating func advance() { position &+= 1 }

  /// Skips one field.
  @inline(__always)
  mutating func skip(in bytes: Span<UInt8>) {
    while position < end, bytes[unchecked: position] != .comma { position &+= 1 }
    position &+= 1
  }

  /// Skips several fields, eight bytes at a time.
  @inline(__always)
  mutating func skip(_ count: Int, in bytes: Span<UInt8>) {
    var left = count
    let raw = bytes.bytes
    while position &+ 8 <= end {
      var commas = raw.littleEndianWord(at: position).commas
      while commas != 0 {
        left &-= 1
        if left == 0 {
          position &+= (commas.trailingZeroBitCount &>> 3) &+ 1
          return
        }
        commas &= commas &- 1
      }
      position &+= 8
    }
    while left > 0 {
      skip(in: bytes)
      left &-= 1
    }
  }

  /// Reads the first character of a field, 0 when the field is empty.
  @inline(__always)
  mutating func letter(in bytes: Span<UInt8>) -> UInt8 {
    guard position < end else {
      position &+= 1
      return 0
    }
    let first = bytes[unchecked: position]
    position &+= 1
    if first == .comma { return 0 }
    if position < end, bytes[unchecked: position] == .comma {
      position &+= 1
    } else {
      skip(in: bytes)
    }
    return first
  }

  /// Whether the next field is empty; skips it if so.
  @inline(__always)
  mutating func passesEmptyField(in bytes: Span<UInt8>) -> Bool {
    if position < end, bytes[unchecked: position] != .comma { return false }
    position &+= 1
    return true
  }

  /// Reads a run of digits as a number; stops at the first byte that is not a digit.
  /// - Throws: `malformed` for more than nine digits.
  @inline(__always)
  mutating func digits(in bytes: Span<UInt8>) throws(SentenceError) -> (value: UInt32, count: Int) {
    if position &+ 8 <= end {
      let run = DigitRun(bytes.bytes.littleEndianWord(at: position))
      if run.count < 8 {
        position &+= run.count
        return (run.value, run.count)
      }
    }
    return try digitsOneByOne(in: bytes)
  }

  @inline(never)
  private mutating func digitsOneByOne(
    in bytes: Span<UInt8>
  ) throws(SentenceError) -> (value: UInt32, count: Int) {
    let start = position
    var value: UInt32 = 0
    while position < end {
      let digit = bytes[unchecked: position] &- .zero
      if digit > 9 { break }
      value = value &* 10 &+ UInt32(truncatingIfNeeded: digit)
      position &+= 1
    }
    let count = position &- start
    if count > 9 { throw .malformed }
    return (value, count)
  }

  /// Reads the decimals after a point, cut or padded with zeros to `places` digits.
  ///
  /// - Returns: the digits as a number, and the first digit that did not fit (0 when none).
  @inline(__always)
  mutating func fraction(in bytes: Span<UInt8>, places: Int) -> (value: UInt64, next: UInt8) {
    guard position < end, bytes[unchecked: position] == .point else { return (0, 0) }
    position &+= 1
    if position &+ 8 <= end {
      let run = DigitRun(bytes.bytes.littleEndianWord(at: position))
      if run.count < 8, run.count <= places {
        position &+= run.count
        return (UInt64(run.value) &* powerOfTen(places &- run.count), 0)
      }
    }
    return fractionOneByOne(in: bytes, places: places)
  }

  @inline(never)
  private mutating func fractionOneByOne(
    in bytes: Span<UInt8>, places: Int
  ) -> (value: UInt64, next: UInt8) {
    var value: UInt64 = 0
    var count = 0
    var next: UInt8 = 0
    while position < end {
      let digit = bytes[unchecked: position] &- .zero
      if digit > 9 { break }
      if count < places {
        value = value &* 10 &+ UInt64(truncatingIfNeeded: digit)
      } else if count == places {
        next = digit
      }
      count &+= 1
      position &+= 1
    }
    if count < places { value = value &* powerOfTen(places &- count) }
    return (value, next)
  }

  /// Ends a field: the position must be at its comma or at the end.
  @inline(__always)
  mutating func endField(in bytes: Span<UInt8>) throws(SentenceError) {
    if position < end, bytes[unchecked: position] != .comma { throw .malformed }
    position &+= 1
  }
}

extension FieldCursor {
  /// Skips several fields and counts those that contain more than zeros.
  @inline(__always)
  mutating func countNonZero(_ count: Int, in bytes: Span<UInt8>) -> UInt8 {
    var found: UInt8 = 0
    var isNonZero: UInt8 = 0
    var left = count
    var at = position
    // Fast path for the usual widths, two digits or none.
    while left > 0, at &+ 3 <= end {
      if bytes[unchecked: at] == .comma {
        at &+= 1
      } else if bytes[unchecked: at &+ 2] == .comma, bytes[unchecked: at &+ 1] != .comma {
        if bytes[unchecked: at] | bytes[unchecked: at &+ 1] != .zero { found &+= 1 }
        at &+= 3
      } else {
        break
      }
      left &-= 1
    }
    if left == 0 {
      position = at
      return found
    }
    while at < end {
      let byte = bytes[unchecked: at]
      at &+= 1
      if byte == .comma {
        found &+= isNonZero
        isNonZero = 0
        left &-= 1
        if left == 0 {
          position = at
          return found
        }
      } else if byte != .zero {
        isNonZero = 1
      }
    }
    // Missing fields read as empty.
    position = end &+ left
    return found &+ isNonZero
  }
}

/// 10 to the power of `exponent`, 0...9.
@inline(__always)
func powerOfTen(_ exponent: Int) -> UInt64 {
  switch exponent {
  case 0: 1
  case 1: 10
  case 2: 100
  case 3: 1000
  case 4: 10_000
  case 5: 100_000
  case 6: 1_000_000
  case 7: 10_000_000
  case 8: 100_000_000
  default: 1_000_000_000
  }
}

extension UInt64 {
  /// The top bit of each of the eight bytes that is a comma; exact for all of them.
  @inline(__always)
  var commas: UInt64 {
    let differences = self ^ 0x2C2C_2C2C_2C2C_2C2C
    let low = differences & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7F7F_7F7F_7F7F_7F7F
    return ~(low | differences | 0x7F7F_7F7F_7F7F_7F7F)
  }
}

extension UInt8 {
  static var zero: UInt8 { 0x30 }
  static var comma: UInt8 { 0x2C }
  static var point: UInt8 { 0x2E }
  static var star: UInt8 { 0x2A }
  static var dollar: UInt8 { 0x24 }
  static var exclamation: UInt8 { 0x21 }
  static var hash: UInt8 { 0x23 }
  static var backslash: UInt8 { 0x5C }
  static var carriageReturn: UInt8 { 0x0D }
  static var lineFeed: UInt8 { 0x0A }

  /// CR and LF each end a line; so CRLF ends a line and an empty one, which is not counted.
  @inline(__always)
  var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }

  /// The value of a hexadecimal digit of either case; above 15 for any other byte.
  @inline(__always)
  var hexadecimalValue: UInt8 {
    let digit = self &- 0x30
    if digit < 10 { return digit }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : 0xFF
  }
}
