/// A course on the ground: a line of points with the distance to each.
public struct Course: Sendable, Equatable {
  public struct Point: Sendable, Equatable {
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
  }

  /// A place where a team rests.
  public struct Checkpoint: Sendable, Equatable {
    public var name: String
    /// Metres from the start of the course.
    public var distance: Double
  }

  public let name: String
  public let points: [Point]
  /// Metres from the first point to each point; as many as there are points.
  public let distances: [Double]
  public var checkpoints: [Checkpoint] = []

  /// The whole length in metres.
  public var length: Double { distances.last ?? 0 }

  /// - Parameter points: at least one; repeated points are left out.
  public init(name: String, points: [Point]) {
    var kept: [Point] = []
    var distances: [Double] = []
    for point in points {
      guard let last = kept.last else {
        kept.append(point)
        distances.append(0)
        continue
      }
      let step = Course.distance(last, point)
      guard step > 0 else { continue }
      kept.append(point)
      distances.append(distances[distances.count - 1] + step)
    }
    self.name = name
    self.points = kept
    self.distances = distances
  }

  /// Metres between two nearby points on the ellipsoid.
  public static func distance(_ a: Point, _ b: Point) -> Double {
    let scale = MetresPerDegree(latitude: (a.latitude + b.latitude) / 2)
    let north = (b.latitude - a.latitude) * scale.north
    let east = degreesEast(a, b) * scale.east
    return (north * north + east * east).squareRoot()
  }

  /// Degrees of longitude from `a` to `b`, by the shorter way over the antimeridian.
  static func degreesEast(_ a: Point, _ b: Point) -> Double {
    let east = b.longitude - a.longitude
    return east > 180 ? east - 360 : east < -180 ? east + 360 : east
  }

  /// The point `distance` metres from the start.
  ///
  /// - Parameter segment: where the last search ended; a walker only moves forward, so the next
  ///   search starts there.
  func point(at distance: Double, segment: inout Int) -> Point {
    guard points.count > 1 else { return points[0] }
    while segment < points.count - 2, distances[segment + 1] < distance { segment += 1 }
    let a = points[segment]
    let b = points[segment + 1]
    let share = (distance - distances[segment]) / (distances[segment + 1] - distances[segment])
    let part = min(max(share, 0), 1)
    return Point(
      latitude: a.latitude + (b.latitude - a.latitude) * part,
      longitude: a.longitude + (b.longitude - a.longitude) * part,
      altitude: a.altitude + (b.altitude - a.altitude) * part)
  }
}

/// The length of a degree on the WGS 84 ellipsoid at a latitude.
struct MetresPerDegree: Equatable {
  let north: Double
  let east: Double

  /// Semi-major axis and flattening: NIMA TR8350.2, table 3.1.
  init(latitude: Double) {
    let semiMajor = 6_378_137.0
    let flattening = 1 / 298.257223563
    let squaredEccentricity = flattening * (2 - flattening)
    let angle = latitude * radiansPerDegree
    let root = (1 - squaredEccentricity * sine(angle) * sine(angle)).squareRoot()
    north = semiMajor * (1 - squaredEccentricity) / (root * root * root) * radiansPerDegree
    east = semiMajor / root * cosine(angle) * radiansPerDegree
  }
}
