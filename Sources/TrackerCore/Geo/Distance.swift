/// Distances on the ground, identical on every machine: integer arithmetic and one polynomial.
extension Coordinate {
  /// Length of 1e-7 degree of latitude on a sphere of 6 371 008.8 m (IUGG mean radius), 1e-9 m.
  static let nanometresPerUnit: Int64 = 11_119_508

  /// The distance to another position in millimetres, at most 25 000 km.
  ///
  /// Equirectangular about the middle latitude: off by less than 0.3 % (the earth's flattening)
  /// below 100 km, which is enough for captures, outliers and courses.
  public func distanceMillimetres(to other: Coordinate) -> Int64 {
    let north = Int64(other.latitude) - Int64(latitude)
    var east = Int64(other.longitude) - Int64(longitude)
    if east > 1_800_000_000 { east -= 3_600_000_000 }
    if east < -1_800_000_000 { east += 3_600_000_000 }
    let middle = (Int64(latitude) + Int64(other.latitude)) / 2
    let y = north * Self.nanometresPerUnit / 1_000_000
    let x = east * Self.cosineMillionths(middle) / 1_000_000 * Self.nanometresPerUnit / 1_000_000
    // Squares of more than 2 000 km in millimetres would not fit.
    let isFar = max(abs(x), abs(y)) > 2_000_000_000
    let scale: Int64 = isFar ? 1000 : 1
    let square = (x / scale) * (x / scale) + (y / scale) * (y / scale)
    return Self.squareRoot(UInt64(square)) * scale
  }

  public func distanceMetres(to other: Coordinate) -> Int32 {
    Int32(clamping: distanceMillimetres(to: other) / 1000)
  }

  /// Cosine of a latitude in 1e-7 degree, times 1 000 000; error below 2e-6.
  ///
  /// Taylor series in x² with x = |latitude| / 90° · π/2, terms up to x^10, in units of 2^-30.
  static func cosineMillionths(_ latitude: Int64) -> Int64 {
    let bounded = min(abs(latitude), 900_000_000)
    // π/2 · 2^30 = 1 686 629 713.07
    let x = bounded * 1_686_629_713 / 900_000_000
    let square = (x * x) >> 30
    let one: Int64 = 1 << 30
    // 1 - s/2 (1 - s/12 (1 - s/30 (1 - s/56 (1 - s/90))))
    var value = one - square / 90
    value = one - (((square / 56) * value) >> 30)
    value = one - (((square / 30) * value) >> 30)
    value = one - (((square / 12) * value) >> 30)
    value = one - (((square / 2) * value) >> 30)
    return max(0, (value * 1_000_000) >> 30)
  }

  /// The largest integer whose square does not exceed `value`.
  static func squareRoot(_ value: UInt64) -> Int64 {
    guard value > 0 else { return 0 }
    var guess = UInt64(1) << ((65 - UInt64(value.leadingZeroBitCount)) / 2)
    while true {
      let next = (guess + value / guess) / 2
      if next >= guess { return Int64(guess) }
      guess = next
    }
  }
}
