import TrackerCore

/// A point on the ground.
public struct GroundPoint: Sendable, Equatable {
  /// Degrees; closer to a pole a metre may be any number of degrees of longitude.
  static let latitudes = -85.0...85.0
  static let longitudes = -180.0...180.0
  /// Metres.
  static let altitudes = -1000.0...10_000.0

  /// Degrees north, WGS 84.
  public var latitude: Double
  /// Degrees east, WGS 84.
  public var longitude: Double
  /// Metres above mean sea level.
  public var altitude: Double

  public init(latitude: Double, longitude: Double, altitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Metres to another point on the ellipsoid, altitudes not counted.
  ///
  /// On the plane that touches the ellipsoid at the middle latitude: within 1 m in 10 km of the
  /// geodesic below 70° (GeographicLib; see `CourseDistanceTests`), and better the nearer they are.
  public func distance(to other: GroundPoint) -> Double {
    let scale = MetresPerDegree(latitude: (latitude + other.latitude) / 2)
    let north = (other.latitude - latitude) * scale.north
    let east = degreesEast(to: other) * scale.east
    return (north * north + east * east).squareRoot()
  }

  /// Degrees of longitude to another point, by the shorter way over the antimeridian.
  public func degreesEast(to other: GroundPoint) -> Double {
    let east = other.longitude - longitude
    return east > 180 ? east - 360 : east < -180 ? east + 360 : east
  }

  /// In the tracker's units.
  public var coordinate: Coordinate {
    Coordinate(
      latitude: Int32((latitude * 1e7).rounded()), longitude: Int32((longitude * 1e7).rounded()))
  }
}

/// The length of a degree on the WGS 84 ellipsoid at a latitude.
public struct MetresPerDegree: Equatable {
  public let north: Double
  public let east: Double

  /// Semi-major axis and flattening: NIMA TR8350.2, table 3.1.
  public init(latitude: Double) {
    let semiMajor = 6_378_137.0
    let flattening = 1 / 298.257223563
    let squaredEccentricity = flattening * (2 - flattening)
    let angle = latitude * radiansPerDegree
    let root = (1 - squaredEccentricity * sine(angle) * sine(angle)).squareRoot()
    north = semiMajor * (1 - squaredEccentricity) / (root * root * root) * radiansPerDegree
    east = semiMajor / root * cosine(angle) * radiansPerDegree
  }
}

// Trigonometry from polynomials: C libraries differ in the last bit between versions and
// processors, and a trace has to be the same everywhere. Addition, multiplication, division and
// square root are correctly rounded by IEEE 754.

public let radiansPerDegree = Double.pi / 180

/// The sine of an angle in radians, accurate to 1e-12 for angles below 1e6.
public func sine(_ angle: Double) -> Double {
  let quarters = (angle * (2 / Double.pi)).rounded()
  let rest = angle - quarters * (Double.pi / 2)
  switch Int64(quarters) & 3 {
  case 0: return sineSeries(rest)
  case 1: return cosineSeries(rest)
  case 2: return -sineSeries(rest)
  default: return -cosineSeries(rest)
  }
}

public func cosine(_ angle: Double) -> Double { sine(angle + Double.pi / 2) }

/// Taylor's series; `angle` within a quarter of pi, so the first term left out is below 1e-15.
private func sineSeries(_ angle: Double) -> Double {
  let square = angle * angle
  var sum = 1.0
  for k in [14.0, 12, 10, 8, 6, 4, 2] { sum = 1 - square / (k * (k + 1)) * sum }
  return angle * sum
}

private func cosineSeries(_ angle: Double) -> Double {
  let square = angle * angle
  var sum = 1.0
  for k in [15.0, 13, 11, 9, 7, 5, 3, 1] { sum = 1 - square / (k * (k + 1)) * sum }
  return sum
}

/// The direction of a vector in radians, -pi...pi, from the first axis towards the second.
public func direction(_ first: Double, _ second: Double) -> Double {
  let low = min(first.magnitude, second.magnitude)
  let high = max(first.magnitude, second.magnitude)
  guard high > 0 else { return 0 }
  var angle = arctangentUpToOne(low / high)
  if second.magnitude > first.magnitude { angle = Double.pi / 2 - angle }
  if first < 0 { angle = Double.pi - angle }
  return second < 0 ? -angle : angle
}

/// Halves the angle twice, after which a short series is accurate to 1e-12.
private func arctangentUpToOne(_ tangent: Double) -> Double {
  var reduced = tangent
  for _ in 0..<2 { reduced = reduced / (1 + (1 + reduced * reduced).squareRoot()) }
  let square = reduced * reduced
  var sum = 0.0
  for k in [15.0, 13, 11, 9, 7, 5, 3, 1] { sum = 1 / k - square * sum }
  return 4 * reduced * sum
}
