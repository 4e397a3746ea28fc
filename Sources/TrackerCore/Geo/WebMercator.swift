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
