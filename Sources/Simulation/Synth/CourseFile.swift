import JSONReading

extension Course {
  /// Degrees. Closer to a pole a metre may be any number of degrees of longitude.
  static let latitudes = -85.0...85.0
  static let longitudes = -180.0...180.0
  /// Metres.
  static let altitudes = -1000.0...10_000.0

  /// Metres between checkpoints if a file has none: as far apart as in the race.
  private static let checkpointSpacing = 12_000.0
  /// A point further than this from the previous one is a mistake in the file, in metres.
  private static let longestStep = 100_000.0
  /// A checkpoint may be this far from the line, in metres.
  private static let checkpointReach = 500.0

  /// Reads a course from GeoJSON (RFC 7946): the first LineString of a geometry, a Feature or a
  /// FeatureCollection. Its Points are checkpoints. Without altitudes all of it is at 0 m.
  ///
  /// - Parameter path: for messages.
  public init(geoJSON bytes: [UInt8], path: String) throws(SynthProblem) {
    let file = printable(path)
    let object: GeoObject
    do {
      object = try JSONDecoder().decode(GeoObject.self, from: bytes)
    } catch let problem as GeoProblem {
      throw SynthProblem("--course \(file): \(problem.text)")
    } catch {
      throw SynthProblem("--course \(file): this is not GeoJSON (RFC 7946): give a LineString")
    }
    guard let line = object.lines.first else {
      throw SynthProblem("--course \(file): no LineString in it: give a line of two points or more")
    }
    let points = line.map { Point(latitude: $0[1], longitude: $0[0], altitude: $0[2]) }
    let places = object.places.map { place in
      let point = Point(latitude: place.position[1], longitude: place.position[0], altitude: 0)
      return (name: place.name, point: point)
    }
    try self.init(
      line: points, places: places, name: object.names.first ?? "course from a file",
      source: "--course \(file): ")
  }

  /// A course to walk on, with checkpoints at the places near it.
  ///
  /// - Parameter source: in front of messages.
  init(
    line points: [Point], places: [(name: String?, point: Point)], name: String, source: String
  ) throws(SynthProblem) {
    self.init(name: name, points: points)
    guard length >= 10 else {
      throw SynthProblem("\(source)the line is shorter than 10 m: give one to walk on")
    }
    for (before, after) in zip(distances, distances.dropFirst())
    where after - before > Self.longestStep {
      throw SynthProblem(
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

private struct GeoProblem: Error {
  var text: String
}

/// The part of a GeoJSON object that a course needs.
private struct GeoObject: Decodable {
  struct Place {
    var name: String?
    var position: [Double]
  }

  /// Longitude, latitude, altitude of each point.
  var lines: [[[Double]]] = []
  var places: [Place] = []
  var names: [String] = []

  private enum Key: String, CodingKey { case type, geometry, features, coordinates, properties }
  private struct Properties: Decodable { var name: String? }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    switch try object.decode(String.self, forKey: .type) {
    case "FeatureCollection":
      for feature in try object.decode([GeoObject].self, forKey: .features) {
        lines += feature.lines
        places += feature.places
        names += feature.names
      }
    case "Feature":
      guard let geometry = try object.decodeIfPresent(GeoObject.self, forKey: .geometry) else {
        return
      }
      let name = try? object.decodeIfPresent(Properties.self, forKey: .properties)?.name
      lines = geometry.lines
      places = geometry.places.map { Place(name: name, position: $0.position) }
      if !lines.isEmpty, let name { names = [printable(name)] }
    case "LineString":
      let points = try object.decode([[Double]].self, forKey: .coordinates)
      lines = [try points.map(Self.checked)]
    case "Point":
      let point = try object.decode([Double].self, forKey: .coordinates)
      places = [Place(name: nil, position: try Self.checked(point))]
    default:
      // Polygons and other geometries are not courses.
      return
    }
  }

  private static func checked(_ position: [Double]) throws -> [Double] {
    guard position.count >= 2, Course.longitudes.contains(position[0]),
      Course.latitudes.contains(position[1])
    else {
      throw GeoProblem(
        text:
          "\(position.prefix(3)) is not longitude, latitude in degrees (85 at most): fix that point"
      )
    }
    let altitude = position.count > 2 ? position[2] : 0
    guard Course.altitudes.contains(altitude) else {
      throw GeoProblem(text: "altitude \(altitude) is not a height in metres: fix that point")
    }
    return [position[0], position[1], altitude]
  }
}
