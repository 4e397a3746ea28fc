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

  /// Whether to read eight bytes at a time. A processor of 32 bits needs several instructions for
  /// each step of that, and the loops over bytes, which are there anyway, are smaller.
  @inline(__always)
  static var readsWords: Bool { Int.bitWidth == 64 }

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
    while Self.readsWords, position &+ 8 <= end {
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
    if Self.readsWords, position &+ 8 <= end {
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
    if Self.readsWords, position &+ 9 <= end {
      let run = DigitRun(bytes.bytes.littleEndianWord(at: position &+ 1))
      if run.count < 8, run.count <= places {
        position &+= 1 &+ run.count
        return (UInt64(run.value) &* powerOfTen(places &- run.count), 0)
      }
    }
    return fractionOneByOne(in: bytes, places: places)
  }

  @inline(never)
  private mutating func fractionOneByOne(
    in bytes: Span<UInt8>, places: Int
  ) -> (value: UInt64, next: UInt8) {
    guard position < end, bytes[unchecked: position] == .point else { return (0, 0) }
    position &+= 1
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

extension UInt16 {
  /// Whether its bytes, the low one first, are the hexadecimal digits of `value`, in either case.
  /// There is no branch, as each would be as good as random.
  @inline(__always)
  func isHexadecimal(_ value: UInt8) -> Bool {
    let digits = UInt16(value &>> 4) | UInt16(value & 15) &<< 8
    let letters = (digits &+ 0x0606) &>> 4 & 0x0101
    let lowerCase = letters &<< 5
    return (self ^ (digits &+ 0x3030 &+ letters &* 7)) & ~lowerCase == 0
  }
}

/// The fields of NMEA 0183 that are more than a plain letter, as exact integers.
extension FieldCursor {
  /// Reads a number, scaled by ten to the power of `places` and rounded half away from zero.
  ///
  /// - Returns: `nil` for an empty field.
  @inline(__always)
  mutating func decimal(in bytes: Span<UInt8>, places: Int) throws(SentenceError) -> Int64? {
    if passesEmptyField(in: bytes) { return nil }
    let first = bytes[unchecked: position]
    let isNegative = first == 0x2D
    if isNegative || first == 0x2B { position &+= 1 }
    let part = try number(in: bytes, places: places)
    let value = Int64(truncatingIfNeeded: part.next >= 5 ? part.value &+ 1 : part.value)
    return isNegative ? 0 &- value : value
  }

  /// Reads a field with digits, and perhaps a point, scaled by ten to the power of `places`.
  ///
  /// - Returns: the number, and the first digit that did not fit (0 when none).
  @inline(never)
  private mutating func number(
    in bytes: Span<UInt8>, places: Int
  ) throws(SentenceError) -> (value: UInt64, next: UInt8) {
    let start = position
    // Beyond the last field there are bytes that are not its own.
    if Self.readsWords, start &+ 8 <= bytes.count,
      let run = DecimalRun(bytes.bytes.littleEndianWord(at: start)),
      run.places <= places, start &+ run.count <= end
    {
      position = start &+ run.count
      try endField(in: bytes)
      return (UInt64(run.value) &* powerOfTen(places &- run.places), 0)
    }
    let whole = try digitsOneByOne(in: bytes)
    let part = fractionOneByOne(in: bytes, places: places)
    // At least one digit is required; a point alone is one byte.
    if whole.count == 0, position &- start < 2 { throw .malformed }
    try endField(in: bytes)
    return (UInt64(whole.value) &* powerOfTen(places) &+ part.value, part.next)
  }

  /// Reads a whole number without a sign, 0...limit.
  @inline(__always)
  mutating func count(
    in bytes: Span<UInt8>, upTo limit: UInt32
  ) throws(SentenceError) -> UInt32? {
    if passesEmptyField(in: bytes) { return nil }
    let number = try digits(in: bytes)
    try endField(in: bytes)
    if number.count == 0 || number.value > limit { throw .malformed }
    return number.value
  }

  /// Reads `hhmmss` with any number of decimals as milliseconds since midnight.
  ///
  /// Decimals beyond the third are cut off, not rounded, so that a time never moves into the next
  /// second. Only 23:59:60 is a leap second (86 400 000 and up).
  @inline(__always)
  mutating func timeOfDay(in bytes: Span<UInt8>) throws(SentenceError) -> Int32? {
    if passesEmptyField(in: bytes) { return nil }
    let clock = try digits(in: bytes)
    let part = fraction(in: bytes, places: 3)
    try endField(in: bytes)
    let hour = clock.value / 10_000
    let minute = clock.value / 100 % 100
    let second = clock.value % 100
    if clock.count != 6 || hour > 23 || minute > 59 { throw .malformed }
    if second > 59, second > 60 || hour != 23 || minute != 59 { throw .malformed }
    let seconds = (hour &* 60 &+ minute) &* 60 &+ second
    return Int32(truncatingIfNeeded: UInt64(seconds) &* 1000 &+ part.value)
  }

  /// Reads a latitude or longitude and its hemisphere: four fields for a position.
  ///
  /// - Returns: `nil` when one of the four is empty.
  @inline(__always)
  mutating func coordinates(in bytes: Span<UInt8>) throws(SentenceError) -> Position? {
    let latitude = try angle(in: bytes, limit: 90)
    let northOrSouth = letter(in: bytes)
    let longitude = try angle(in: bytes, limit: 180)
    let eastOrWest = letter(in: bytes)
    guard let latitude, let longitude, northOrSouth != 0, eastOrWest != 0 else { return nil }
    let isSouth = northOrSouth == 0x53
    let isWest = eastOrWest == 0x57
    if !isSouth && northOrSouth != 0x4E || !isWest && eastOrWest != 0x45 { throw .malformed }
    return Position(
      latitude: isSouth ? 0 &- latitude : latitude, longitude: isWest ? 0 &- longitude : longitude)
  }

  /// Reads `dddmm.mmm…` as 1e-7 degree, rounded half away from zero.
  ///
  /// Eight decimals of a minute are read and the rest cut off; this does not change the result,
  /// because a unit is 600 times the eighth decimal, so the halfway point, 300, is a multiple of
  /// it.
  @inline(__always)
  private mutating func angle(
    in bytes: Span<UInt8>, limit: UInt32
  ) throws(SentenceError) -> Int32? {
    if passesEmptyField(in: bytes) { return nil }
    let whole = try digits(in: bytes)
    let part = fraction(in: bytes, places: 8)
    try endField(in: bytes)
    let degrees = whole.value / 100
    let minutes = whole.value % 100
    if whole.count == 0 || degrees > limit || minutes > 59 { throw .malformed }
    let units = (UInt64(minutes) &* 100_000_000 &+ part.value &+ 300) / 600
    let total = degrees &* 10_000_000 &+ UInt32(truncatingIfNeeded: units)
    if total > limit &* 10_000_000 { throw .malformed }
    return Int32(truncatingIfNeeded: total)
  }

  /// Reads a speed in knots as millimetres per second, rounded half away from zero.
  ///
  /// A knot is exactly 1852 m in 3600 s, that is 4630/9 mm/s. Decimals beyond the ninth are cut
  /// off.
  @inline(__always)
  mutating func knots(in bytes: Span<UInt8>) throws(SentenceError) -> Int32? {
    try speed(in: bytes, numerator: 4630)
  }

  /// Reads a speed in km/h as millimetres per second: 2500/9 of it, rounded half away from zero.
  @inline(__always)
  mutating func kilometresPerHour(in bytes: Span<UInt8>) throws(SentenceError) -> Int32? {
    try speed(in: bytes, numerator: 2500)
  }

  @inline(never)
  private mutating func speed(
    in bytes: Span<UInt8>, numerator: UInt64
  ) throws(SentenceError) -> Int32? {
    if passesEmptyField(in: bytes) { return nil }
    let billionths = try number(in: bytes, places: 9).value
    // Faster than anything that carries a receiver (51 km/s); also keeps the product below in
    // range.
    if billionths >= 100_000_000_000_000 { throw .malformed }
    return Int32(truncatingIfNeeded: (billionths &* numerator &+ 4_500_000_000) / 9_000_000_000)
  }

  /// Reads a course in degrees as thousandths, 0..<360 000; 360 is north and becomes 0.
  @inline(__always)
  mutating func track(in bytes: Span<UInt8>) throws(SentenceError) -> Int32? {
    guard let value = try decimal(in: bytes, places: 3) else { return nil }
    if value < 0 || value > 360_000 { throw .malformed }
    return value == 360_000 ? 0 : Int32(truncatingIfNeeded: value)
  }

  /// Reads a height in metres as millimetres, within ±1000 km.
  @inline(__always)
  mutating func metres(in bytes: Span<UInt8>) throws(SentenceError) -> Int32? {
    guard let value = try decimal(in: bytes, places: 3) else { return nil }
    if value < -1_000_000_000 || value > 1_000_000_000 { throw .malformed }
    return Int32(truncatingIfNeeded: value)
  }

  /// Reads a dilution of precision as hundredths; values above 655.35 are clamped.
  @inline(__always)
  mutating func dilution(in bytes: Span<UInt8>) throws(SentenceError) -> UInt16? {
    guard let value = try decimal(in: bytes, places: 2) else { return nil }
    if value < 0 { throw .malformed }
    return value > 65535 ? 65535 : UInt16(truncatingIfNeeded: value)
  }
}

/// A position from a sentence: degrees scaled by 1e7, north and east positive.
public struct Position: Sendable, Equatable {
  public var latitude: Int32
  public var longitude: Int32

  public init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
