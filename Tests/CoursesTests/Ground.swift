import Courses
import TrackerCore

/// Courses drawn in metres on a plane, and walks on them with a receiver's noise.
struct Ground {
  static let origin = GroundPoint(latitude: 42, longitude: 2.5, altitude: 100)

  static func point(_ east: Double, _ north: Double) -> GroundPoint {
    let scale = MetresPerDegree(latitude: origin.latitude)
    return GroundPoint(
      latitude: origin.latitude + north / scale.north,
      longitude: origin.longitude + east / scale.east, altitude: 100)
  }

  /// A course through corners, in metres east and north, with checkpoints on it.
  static func course(
    _ corners: [(Double, Double)], places: [(Double, Double)] = [], radius: Double = 100,
    distances: [Double?] = []
  ) throws -> MappedCourse {
    var line: [GroundPoint] = []
    for (a, b) in zip(corners, corners.dropFirst()) {
      let (east, north) = (b.0 - a.0, b.1 - a.1)
      let pieces = max(1, Int((east * east + north * north).squareRoot() / 50))
      for piece in 0..<pieces {
        let part = Double(piece) / Double(pieces)
        line.append(point(a.0 + east * part, a.1 + north * part))
      }
    }
    line.append(point(corners[corners.count - 1].0, corners[corners.count - 1].1))
    var file = try CourseFile(Self.geoJSON(line))
    for (index, place) in places.enumerated() {
      var read = CourseFile.Place(name: "P\(index)", point: point(place.0, place.1))
      read.radiusMetres = radius
      read.distance = index < distances.count ? distances[index] : nil
      file.places.append(read)
    }
    return try MappedCourse(file)
  }

  static func geoJSON(_ line: [GroundPoint]) -> [UInt8] {
    let points = line.map { "[\($0.longitude),\($0.latitude),\($0.altitude)]" }
    return Array(
      #"{"type":"LineString","coordinates":[\#(points.joined(separator: ","))]}"#.utf8)
  }
}

/// A team that walks through corners at a pace, seen now and then.
struct TestWalk {
  var corners: [(Double, Double)]
  /// Metres per second.
  var pace = 1.4
  /// Seconds from one position to the next.
  var interval = 1.0
  /// Metres, the standard error of each position; slowly varying, like a receiver's.
  var noise = 5.0
  var seed: UInt64 = 1
  /// Without positions from one second to another.
  var gaps: [ClosedRange<Double>] = []

  struct Seen {
    var seconds: Double
    var walked: Double
    var done: Double?
    var progress: CourseProgress
  }

  var length: Double {
    zip(corners, corners.dropFirst()).reduce(0) { sum, pair in
      let (east, north) = (pair.1.0 - pair.0.0, pair.1.1 - pair.0.1)
      return sum + (east * east + north * north).squareRoot()
    }
  }

  func place(at walked: Double) -> (Double, Double) {
    var rest = walked
    for (a, b) in zip(corners, corners.dropFirst()) {
      let (east, north) = (b.0 - a.0, b.1 - a.1)
      let long = (east * east + north * north).squareRoot()
      if rest <= long { return (a.0 + east * rest / long, a.1 + north * rest / long) }
      rest -= long
    }
    return corners[corners.count - 1]
  }

  /// Walks, and calls `look` after each position.
  func run(
    on course: MappedCourse, _ progress: inout CourseProgress, look: (Seen) -> Void = { _ in }
  ) -> [Passage] {
    var random = SplitMix64(seed: seed)
    func normal() -> Double {
      (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }
    var told: [Passage] = []
    var error = (normal() * noise, normal() * noise)
    var seconds = 0.0
    let end = length / pace
    // Half of an error is gone after 20 s.
    let keep = interval >= 60 ? 0.0 : 0.965
    let renew = (1 - keep * keep).squareRoot() * noise
    while seconds <= end {
      error = (error.0 * keep + normal() * renew, error.1 * keep + normal() * renew)
      if !gaps.contains(where: { $0.contains(seconds) }) {
        let (east, north) = place(at: seconds * pace)
        var passages = Passages()
        progress.move(
          to: Ground.point(east + error.0, north + error.1).coordinate,
          accuracyMetres: Int32(max(5, noise)), at: Instant(milliseconds: Int64(seconds * 1000)),
          on: course, into: &passages)
        for index in 0..<passages.count { told.append(passages[index]) }
        look(
          Seen(
            seconds: seconds, walked: seconds * pace,
            done: progress.doneMetres.map(Double.init), progress: progress))
      }
      seconds += interval
    }
    return told
  }
}

extension [Passage] {
  /// `entered 0, left 0, inferred 1`
  var text: String { map { "\($0.kind) \($0.place)" }.joined(separator: ", ") }
}
