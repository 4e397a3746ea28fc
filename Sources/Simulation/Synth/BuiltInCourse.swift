import Courses

/// A course on the ground: a line of points with the distance to each.
public struct Course: Sendable, Equatable {
  public typealias Point = GroundPoint

  /// A place where a team rests.
  public struct Checkpoint: Sendable, Equatable {
    var name: String
    /// Metres from the start of the course.
    public var distance: Double
  }

  let name: String
  public let points: [Point]
  /// Metres from the first point to each point; as many as there are points.
  let distances: [Double]
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

extension Course {
  /// The course as a file (GeoJSON), with its checkpoints, its start and its finish as places.
  ///
  /// - Parameters:
  ///   - names: of the line, the start and the finish.
  ///   - closes: when checkpoints close, by their names.
  public func geoJSON(
    names: (line: String, start: String, finish: String), closes: [String: String] = [:]
  ) -> String {
    func position(_ point: Point) -> String {
      "[\(point.longitude),\(point.latitude),\(point.altitude)]"
    }
    func feature(_ name: String, _ kind: String, _ along: Double) -> String {
      var segment = 0
      let place = position(point(at: along, segment: &segment))
      let more = closes[name].map { ",\"closes\":\"\($0)\"" } ?? ""
      return
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name)\",\"kind\":\"\(kind)\"\(more)},"
        + "\"geometry\":{\"type\":\"Point\",\"coordinates\":\(place)}}"
    }
    let line = points.map(position).joined(separator: ",")
    var features = [
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(names.line)\"},"
        + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(line)]}}",
      feature(names.start, "start", 0),
    ]
    features += checkpoints.map { feature($0.name, "checkpoint", $0.distance) }
    features.append(feature(names.finish, "finish", length))
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  /// Metres between checkpoints if a file has none: as far apart as in the race.
  private static let checkpointSpacing = 12_000.0
  /// A checkpoint may be this far from the line, in metres.
  private static let checkpointReach = 500.0

  /// Reads a course from GeoJSON or GPX, as `CourseFile` says: its first line. Its places are
  /// checkpoints. Without altitudes all of it is at 0 m.
  ///
  /// - Parameter path: for messages.
  public init(file bytes: [UInt8], path: String) throws(SynthError) {
    let file: CourseFile
    do throws(CourseError) { file = try CourseFile(bytes) } catch {
      throw SynthError("--course \(printable(path)): \(error.description)")
    }
    try self.init(
      line: file.lines[0], places: file.places.map { ($0.name, $0.point) },
      name: file.name ?? "course from a file", source: "--course \(printable(path)): ")
  }

  /// A course to walk on, with checkpoints at the places near it.
  ///
  /// - Parameter source: in front of messages.
  init(
    line points: [Point], places: [(name: String?, point: Point)], name: String, source: String
  ) throws(SynthError) {
    self.init(name: name, points: points)
    guard length >= 10 else {
      throw SynthError("\(source)the line is shorter than 10 m: give one to walk on")
    }
    for (before, after) in zip(distances, distances.dropFirst())
    where after - before > SimulationBounds.courseStep {
      throw SynthError(
        "\(source)a gap of more than 100 km after km \(Int(before / 1000)): fix the line")
    }
    checkpoints = checkpoints(at: places)
  }

  private func checkpoints(at places: [(name: String?, point: Point)]) -> [Checkpoint] {
    guard !places.isEmpty else {
      let count = Int((length / Self.checkpointSpacing).rounded(.up)) - 1
      return (0..<max(count, 0)).map {
        Checkpoint(name: "\($0 + 1)", distance: Double($0 + 1) * Self.checkpointSpacing)
      }
    }
    let found = places.compactMap { place -> Checkpoint? in
      guard let distance = distanceOfNearestPoint(to: place.point) else { return nil }
      return Checkpoint(name: place.name ?? "", distance: distance)
    }
    return found.sorted { $0.distance < $1.distance }
  }

  /// The distance along the line of the point nearest to `place`; `nil` when the line is too far
  /// away.
  private func distanceOfNearestPoint(to place: Point) -> Double? {
    var best = (away: Self.checkpointReach, along: -1.0)
    for index in 1..<points.count {
      let a = points[index - 1]
      let b = points[index]
      let scale = MetresPerDegree(latitude: a.latitude)
      let (east, north) = (
        (b.longitude - a.longitude) * scale.east, (b.latitude - a.latitude) * scale.north
      )
      let (x, y) = (
        (place.longitude - a.longitude) * scale.east, (place.latitude - a.latitude) * scale.north
      )
      let squared = east * east + north * north
      let part = min(max((x * east + y * north) / squared, 0), 1)
      let (missX, missY) = (x - part * east, y - part * north)
      let away = (missX * missX + missY * missY).squareRoot()
      if away < best.away {
        best = (away, distances[index - 1] + part * (distances[index] - distances[index - 1]))
      }
    }
    return best.along >= 0 ? best.along : nil
  }
}

extension Course {
  /// Olot to Sant Feliu de Guíxols, 100.0 km, after the Trailwalker of Girona. **Synthetic**: only
  /// the towns are real (within some 300 m).
  ///
  /// Straight lines between the towns add up to 79.5 km. A smooth curve through them swings from
  /// side to side, just enough to be 100.0 km long; the altitude changes smoothly from town to
  /// town, with small rises in between.
  public static let olotToTheSea: Course = {
    // The length grows with the swings: bisection finds the amplitude for 100 km.
    var small = 0.0
    var large = 1000.0
    for _ in 0..<40 {
      let middle = (small + large) / 2
      if meandering(amplitude: middle).length < 100_000 { small = middle } else { large = middle }
    }
    return meandering(amplitude: (small + large) / 2)
  }()

  private struct Town {
    var name: String
    var point: Point
    /// Whether teams rest here. Chosen for the simulation, every 8 to 16 km.
    var isCheckpoint: Bool

    init(
      _ name: String, _ latitude: Double, _ longitude: Double, _ altitude: Double,
      checkpoint: Bool = false
    ) {
      self.name = name
      point = Point(latitude: latitude, longitude: longitude, altitude: altitude)
      isCheckpoint = checkpoint
    }
  }

  /// Towns along the Ruta del Carrilet; positions from memory, within some 300 m: unverified.
  private static let towns = [
    Town("Olot", 42.1822, 2.4890, 443),
    Town("Les Preses", 42.1447, 2.4606, 480),
    Town("Sant Feliu de Pallerols", 42.0783, 2.5089, 490, checkpoint: true),
    Town("Les Planes d'Hostoles", 42.0569, 2.5400, 367),
    Town("Amer", 42.0097, 2.6025, 180, checkpoint: true),
    Town("La Cellera de Ter", 41.9686, 2.6278, 165),
    Town("Anglès", 41.9561, 2.6372, 181, checkpoint: true),
    Town("Bonmatí", 41.9656, 2.6642, 150),
    Town("Bescanó", 41.9664, 2.7397, 103, checkpoint: true),
    Town("Salt", 41.9750, 2.7928, 85),
    Town("Girona", 41.9794, 2.8214, 75, checkpoint: true),
    Town("Quart", 41.9392, 2.8425, 110),
    Town("Llambilles", 41.9219, 2.8525, 120),
    Town("Cassà de la Selva", 41.8886, 2.8758, 136, checkpoint: true),
    Town("Llagostera", 41.8281, 2.8939, 163, checkpoint: true),
    Town("Santa Cristina d'Aro", 41.8131, 2.9972, 20, checkpoint: true),
    Town("Castell d'Aro", 41.8175, 3.0261, 30),
    Town("Sant Feliu de Guíxols", 41.7806, 3.0281, 4),
  ]

  private static func meandering(amplitude: Double) -> Course {
    var points = [towns[0].point]
    var townPoints: [Int] = [0]
    var straight = 0.0
    for stage in 0..<towns.count - 1 {
      let length = towns[stage].point.distance(to: towns[stage + 1].point)
      let steps = Int(length / 25)
      for step in 1...steps {
        let part = Double(step) / Double(steps)
        points.append(
          meander(stage: stage, part: part, length: length, from: straight, amplitude: amplitude))
      }
      townPoints.append(points.count - 1)
      straight += length
    }
    var course = Course(name: "Olot - Sant Feliu de Guíxols (synthetic)", points: points)
    course.checkpoints = zip(towns, townPoints).compactMap { town, point in
      guard town.isCheckpoint else { return nil }
      return Checkpoint(name: town.name, distance: course.distances[point])
    }
    return course
  }

  /// The point at `part` (0...1) of the stage that begins `from` metres after the start.
  private static func meander(
    stage: Int, part: Double, length: Double, from: Double, amplitude: Double
  ) -> Point {
    let last = towns.count - 1
    let a = towns[max(stage - 1, 0)].point
    let b = towns[stage].point
    let c = towns[stage + 1].point
    let d = towns[min(stage + 2, last)].point
    let latitude = spline(a.latitude, b.latitude, c.latitude, d.latitude, at: part)
    let longitude = spline(a.longitude, b.longitude, c.longitude, d.longitude, at: part)
    let scale = MetresPerDegree(latitude: latitude)
    let north = (c.latitude - b.latitude) * scale.north / length
    let east = (c.longitude - b.longitude) * scale.east / length

    // Zero at a town, full 500 m away, so that the course passes through the towns.
    let fromTown = min(part, 1 - part) * length
    let window = smoothStep(min(fromTown / 500, 1))
    let along = (from + part * length) * 2 * Double.pi
    let swing = 0.6 * sine(along / 3100) + 0.3 * sine(along / 1270 + 1) + 0.1 * sine(along / 410)
    let aside = amplitude * window * swing
    let rise = window * (9 * sine(along / 1700 + 2) + 4 * sine(along / 640))
    return Point(
      latitude: latitude + aside * east / scale.north,
      longitude: longitude - aside * north / scale.east,
      altitude: b.altitude + (c.altitude - b.altitude) * smoothStep(part) + rise)
  }

  /// A Catmull-Rom spline from `b` to `c`.
  private static func spline(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, at part: Double
  ) -> Double {
    let square = part * part
    let linear = (c - a) * part + (2 * a - 5 * b + 4 * c - d) * square
    return b + (linear + (3 * b - a - 3 * c + d) * square * part) / 2
  }

  private static func smoothStep(_ part: Double) -> Double { part * part * (3 - 2 * part) }
}
