import Courses

extension Course {
  /// Metres between checkpoints if a file has none: as far apart as in the race.
  private static let checkpointSpacing = 12_000.0
  /// A point further than this from the previous one is a mistake in the file, in metres.
  private static let longestStep = 100_000.0
  /// A checkpoint may be this far from the line, in metres.
  private static let checkpointReach = 500.0

  /// Reads a course from GeoJSON or GPX, as `CourseFile` says: its first line. Its places are
  /// checkpoints. Without altitudes all of it is at 0 m.
  ///
  /// - Parameter path: for messages.
  public init(file bytes: [UInt8], path: String) throws(SynthProblem) {
    let file: CourseFile
    do throws(CourseProblem) { file = try CourseFile(bytes) } catch {
      throw SynthProblem("--course \(printable(path)): \(error.description)")
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
