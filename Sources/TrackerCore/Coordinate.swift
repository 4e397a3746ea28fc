/// A position on WGS 84.
public struct Coordinate: Sendable, Equatable {
  /// 1e-7 degree, north positive, -900 000 000...900 000 000.
  public var latitude: Int32
  /// 1e-7 degree, east positive, -1 800 000 000...1 800 000 000.
  public var longitude: Int32

  public init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are in their ranges.
  public var isOnEarth: Bool {
    abs(Int64(latitude)) <= 900_000_000 && abs(Int64(longitude)) <= 1_800_000_000
  }
}

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

  /// Whether the distance to another position is certainly less than that: asked first, as most
  /// reports are a step away from the one before, and a distance takes a cosine and a root.
  func isNearer(than millimetres: Int64, to other: Coordinate) -> Bool {
    let north = abs(Int64(other.latitude) - Int64(latitude))
    let east = abs(Int64(other.longitude) - Int64(longitude))
    return (north + east) * Self.nanometresPerUnit / 1_000_000 < millimetres
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

/// The distance covered, without the noise of a receiver at rest.
public struct Odometer: Sendable, Equatable {
  private(set) var millimetres: Int64 = 0
  private var anchor: Coordinate?

  public init() {}

  /// Adds the distance to `position` once it is further from the last counted position than its own
  /// accuracy and `Bounds.odometerStepMetres`.
  ///
  /// - Returns: whether it was counted, as the first position is.
  @discardableResult
  public mutating func move(to position: Coordinate, accuracyMetres: Int32?) -> Bool {
    guard let anchor else {
      self.anchor = position
      return true
    }
    let least = Int64(max(Bounds.odometerStepMetres, accuracyMetres ?? 0)) * 1000
    if anchor.isNearer(than: least, to: position) { return false }
    let moved = anchor.distanceMillimetres(to: position)
    guard moved >= least else { return false }
    millimetres &+= moved
    self.anchor = position
    return true
  }
}

/// A position in Web Mercator (EPSG:3857, which ArcGIS also calls 102100), metres.
///
/// x = R λ and y = R ln tan(π/4 + φ/2) on a sphere of R = 6 378 137 m (IOGP Guidance Note 7-2,
/// method 1024). y is computed as R/2 · ln((1 + sin φ) / (1 − sin φ)), which is equal. Sine and
/// logarithm are our own series, so that a request and a page have the same bytes on every machine;
/// the error is below 1e-6 m.
public struct WebMercator: Sendable, Equatable {
  public var x: Double
  public var y: Double

  /// Latitudes beyond this, 1e-7 degree, are projected as this one, because the poles are at
  /// infinity.
  public static let latitudeLimit: Int32 = 850_600_000
  public static let radiusMetres = 6_378_137.0

  public init(_ position: Coordinate) {
    let radiansPerUnit = Double.pi / 180 / 10_000_000
    let latitude = max(-Self.latitudeLimit, min(Self.latitudeLimit, position.latitude))
    let longitude = max(-1_800_000_000, min(1_800_000_000, position.longitude))
    x = Self.radiusMetres * (Double(longitude) * radiansPerUnit)
    let sine = Self.sine(Double(latitude) * radiansPerUnit)
    y = Self.radiusMetres / 2 * Self.logarithm((1 + sine) / (1 - sine))
  }

  /// Taylor's series for |angle| < 1.5; the first term left out is below 1e-20.
  static func sine(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 1.0
    for k in stride(from: 26.0, through: 2, by: -2) { sum = 1 - square / (k * (k + 1)) * sum }
    return angle * sum
  }

  /// The natural logarithm of a positive number: 2 artanh((m − 1) / (m + 1)) of the significand m
  /// in √½...√2, and the exponent times ln 2. The first term left out is below 1e-19.
  static func logarithm(_ value: Double) -> Double {
    var exponent = Double(value.exponent)
    var significand = value.significand
    if significand > 2.0.squareRoot() {
      significand /= 2
      exponent += 1
    }
    let ratio = (significand - 1) / (significand + 1)
    let square = ratio * ratio
    var sum = 0.0
    for k in stride(from: 23.0, through: 1, by: -2) { sum = 1 / k + square * sum }
    return 2 * ratio * sum + exponent * 0.693_147_180_559_945_309_4
  }
}
