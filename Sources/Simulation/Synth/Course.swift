import Courses

/// A course on the ground: a line of points with the distance to each.
public struct Course: Sendable, Equatable {
  public typealias Point = GroundPoint

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
      let step = last.distance(to: point)
      guard step > 0 else { continue }
      kept.append(point)
      distances.append(distances[distances.count - 1] + step)
    }
    self.name = name
    self.points = kept
    self.distances = distances
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
