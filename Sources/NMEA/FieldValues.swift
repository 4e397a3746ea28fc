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
    let start = position
    let whole = try digits(in: bytes)
    let part = fraction(in: bytes, places: places)
    // At least one digit is required; a point alone is one byte.
    if whole.count == 0, position &- start < 2 { throw .malformed }
    try endField(in: bytes)
    var value = UInt64(whole.value) &* powerOfTen(places) &+ part.value
    if part.next >= 5 { value &+= 1 }
    return isNegative ? 0 &- Int64(truncatingIfNeeded: value) : Int64(truncatingIfNeeded: value)
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

  @inline(__always)
  private mutating func speed(
    in bytes: Span<UInt8>, numerator: UInt64
  ) throws(SentenceError) -> Int32? {
    if passesEmptyField(in: bytes) { return nil }
    let start = position
    let whole = try digits(in: bytes)
    let part = fraction(in: bytes, places: 9)
    if whole.count == 0, position &- start < 2 { throw .malformed }
    try endField(in: bytes)
    // Faster than anything that carries a receiver (51 km/s); also keeps the product below in
    // range.
    if whole.value > 99_999 { throw .malformed }
    let billionths = UInt64(whole.value) &* 1_000_000_000 &+ part.value
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
