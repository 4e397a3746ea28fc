import TrackerCore

/// A point on the ground.
public struct GroundPoint: Sendable, Equatable {
  /// Degrees; closer to a pole a metre may be any number of degrees of longitude.
  public static let latitudes = -85.0...85.0
  public static let longitudes = -180.0...180.0
  /// Metres.
  public static let altitudes = -1000.0...10_000.0

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
