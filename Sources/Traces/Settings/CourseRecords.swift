import Courses
import TrackerCore

/// The course as records of a header, so that a replay needs no other file: one of its size and
/// limits, then its points, sixteen to a record, and its places.
enum CourseRecords {
  private static let name = "course"
  private static let points = "course.points."
  private static let places = "course.places."
  private static let pointsPerRecord = 16

  static func isPart(_ setting: String) -> Bool {
    setting == name || setting.hasPrefix(points) || setting.hasPrefix(places)
  }

  static func write(_ course: MappedCourse, to writer: inout TraceWriter) {
    writer.fields.text(name)
    writer.fields.number(course.points.count)
    writer.fields.number(course.places.count)
    writer.fields.number(course.errorMillimetres)
    writer.fields.number(course.readPoints)
    writer.fields.number(course.limits.offCourseMetres)
    writer.fields.number(course.limits.backwardsMetres)
    writer.fields.text(course.name)
    writer.end(.header)
    for start in stride(from: 0, to: course.points.count, by: pointsPerRecord) {
      writer.fields.text("\(points)\(start / pointsPerRecord)")
      for index in start..<min(start + pointsPerRecord, course.points.count) {
        let point = course.points[index]
        writer.fields.number(point.position.latitude)
        writer.fields.number(point.position.longitude)
        writer.fields.number(point.alongMillimetres)
        writer.fields.number(course.altitudesMillimetres[index])
      }
      writer.end(.header)
    }
    for (index, named) in course.places.enumerated() {
      let place = named.place
      writer.fields.text("\(places)\(index)")
      writer.fields.number(place.kind.rawValue)
      writer.fields.number(place.position.latitude)
      writer.fields.number(place.position.longitude)
      writer.fields.number(place.alongMillimetres)
      writer.fields.number(place.radiusMetres)
      writer.fields.add(place.opens)
      writer.fields.add(place.closes)
      writer.fields.text(named.name)
      writer.end(.header)
    }
  }

  /// - Returns: `nil` where there is none.
  static func read(_ settings: [String: [UInt8]]) throws(RecordingProblem) -> MappedCourse? {
    guard let bytes = settings[name] else { return nil }
    var fields = FieldReader(bytes)
    let pointCount: Int = try fields.number()
    let placeCount: Int = try fields.number()
    var course = MappedCourse(
      name: "", points: [], altitudesMillimetres: [], places: [],
      errorMillimetres: try fields.number(), readPoints: try fields.number())
    course.limits.offCourseMetres = try fields.number()
    course.limits.backwardsMetres = try fields.number()
    course.name = try fields.string()
    guard (2...Int(Bounds.coursePoints)).contains(pointCount),
      (0...Int(Bounds.coursePlaces)).contains(placeCount)
    else { throw .badSetting(name) }
    for index in 0..<(pointCount + pointsPerRecord - 1) / pointsPerRecord {
      try readPoints("\(points)\(index)", settings, into: &course)
    }
    for index in 0..<placeCount { try readPlace("\(places)\(index)", settings, into: &course) }
    let places = course.places.map(\.place.alongMillimetres)
    guard course.points.count == pointCount, (0...1_000_000_000).contains(course.errorMillimetres),
      zip(places, places.dropFirst()).allSatisfy({ $0 <= $1 })
    else { throw .badSetting(name) }
    return course
  }

  private static func readPoints(
    _ key: String, _ settings: [String: [UInt8]], into course: inout MappedCourse
  ) throws(RecordingProblem) {
    guard let bytes = settings[key] else { throw .settingMissing(key) }
    var fields = FieldReader(bytes)
    while !fields.isAtEnd, course.points.count < Int(Bounds.coursePoints) {
      let position = Coordinate(latitude: try fields.number(), longitude: try fields.number())
      let along: Int32 = try fields.number()
      // A matcher relies on distances that rise.
      guard along >= course.points.last?.alongMillimetres ?? 0, along <= 2_000_000_000 else {
        throw .badSetting(key)
      }
      course.points.append(CoursePoint(position: position, alongMillimetres: along))
      course.altitudesMillimetres.append(try fields.number())
    }
  }

  private static func readPlace(
    _ key: String, _ settings: [String: [UInt8]], into course: inout MappedCourse
  ) throws(RecordingProblem) {
    guard let bytes = settings[key] else { throw .settingMissing(key) }
    var fields = FieldReader(bytes)
    let number: UInt8 = try fields.number()
    guard let kind = CoursePlace.Kind(rawValue: number) else { throw .badSetting(key) }
    let position = Coordinate(latitude: try fields.number(), longitude: try fields.number())
    let along: Int32 = try fields.number()
    let radius: Int32 = try fields.number()
    guard (0...2_000_000_000).contains(along), (1...Bounds.placeRadius * 2).contains(radius) else {
      throw .badSetting(key)
    }
    let opens: UTC? = try fields.value()
    let closes: UTC? = try fields.value()
    course.places.append(
      MappedCourse.Place(
        name: try fields.string(),
        place: CoursePlace(
          kind, at: position, alongMillimetres: along, radiusMetres: radius, opens: opens,
          closes: closes)))
  }
}
