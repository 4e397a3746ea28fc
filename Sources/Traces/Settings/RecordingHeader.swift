public import Courses
import TrackerCore

/// A tracker's state when a recording begins: everything needed to create it again, and information
/// for people.
public struct RecordingHeader: Sendable, Equatable {
  public var board: Board
  public var configuration: Configuration
  public var identity: Identity
  public var instant: Instant
  /// The system clock's date at `instant`; `nil` if unknown, as after a boot without a network. It
  /// only dates the lines for other tools.
  var utc: UTC?
  /// Name and version of the program that recorded.
  public var program: String
  /// More comments for the header: provenance, for people.
  var comments: [String] = []
  /// `nil`: the tracker has none.
  public var course: MappedCourse?

  public init(
    board: Board, configuration: Configuration, identity: Identity, at instant: Instant,
    utc: UTC? = nil, program: String, comments: [String] = []
  ) {
    self.board = board
    self.configuration = configuration
    self.identity = identity
    self.instant = instant
    self.utc = utc
    self.program = program
    self.comments = comments
  }

  /// Creates the tracker as it was.
  public var tracker: Tracker {
    Tracker(board: board, configuration: configuration, identity: identity, at: instant)
  }
}

/// The recording and part that a file belongs to.
public struct RecordingLabel: Sendable, Equatable {
  /// The version of the format, the only one that is read.
  static let format: UInt32 = 1

  /// Counts from 1.
  public var part: UInt32
  /// Identifies the recording: the same in all parts, different from the device's other recordings.
  public var recording: UInt64
  var program: String
}

extension RecordingLabel {
  func write(to fields: inout FieldWriter) {
    fields.word("recording")
    fields.add(Self.format)
    fields.add(part)
    fields.text(String(recording, radix: 16))
    fields.text(program)
  }

  /// Reads the fields after the word `recording`.
  init(from fields: inout FieldReader) throws(RecordError) {
    let format: UInt32 = try fields.value()
    part = try fields.value()
    let identifier = try fields.word()
    guard let recording = UInt64(identifier, radix: 16) else { throw .field(.notANumber) }
    self.recording = recording
    program = try fields.string()
    if format != Self.format { throw .otherFormat(program: program) }
    try fields.expectEnd()
  }
}

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
    if !course.coverage.isEmpty { writer.fields.text(course.text(of: course.coverage)) }
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
  static func read(_ settings: [String: [UInt8]]) throws(RecordError) -> MappedCourse? {
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
    let coverage = fields.isAtEnd ? nil : try fields.string()
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
    if let coverage { course.use(coverage: coverage) }
    return course
  }

  private static func readPoints(
    _ key: String, _ settings: [String: [UInt8]], into course: inout MappedCourse
  ) throws(RecordError) {
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
  ) throws(RecordError) {
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
