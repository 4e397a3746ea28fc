import TrackerCore

/// A course as the tracker uses it: a bounded number of points and places, on which a position has
/// a distance.
///
/// Distances along it are those of the file's line on the ellipsoid, whatever its simplification
/// leaves out.
public struct MappedCourse: Sendable, Equatable {
  public struct Place: Sendable, Equatable {
    public var name: String
    public var place: CoursePlace

    public init(name: String, place: CoursePlace) {
      self.name = name
      self.place = place
    }
  }

  public var name: String
  /// Of the simplified line, 2...`Bounds.coursePoints`.
  public var points: [CoursePoint]
  /// Millimetres, as many as there are points.
  public var altitudesMillimetres: [Int32]
  /// In the order along the course, at most `Bounds.coursePlaces`.
  public var places: [Place]
  /// How far the file's line is from the simplified one, millimetres.
  public var errorMillimetres: Int32
  /// The points of the file's line.
  public var readPoints: Int
  public var limits = CourseLimits()
  /// What is noteworthy about the file, each in one line.
  public var doubts: [String] = []

  public init(
    name: String, points: [CoursePoint], altitudesMillimetres: [Int32], places: [Place],
    errorMillimetres: Int32, readPoints: Int
  ) {
    self.name = name
    self.points = points
    self.altitudesMillimetres = altitudesMillimetres
    self.places = places
    self.errorMillimetres = errorMillimetres
    self.readPoints = readPoints
  }

  /// The length of the file's line, metres.
  public var lengthMetres: Double { Double(courseLengthMillimetres) / 1000 }

  /// The length of the simplified line, metres.
  public var simplifiedLengthMetres: Double {
    zip(points, points.dropFirst()).reduce(0) {
      $0 + GroundPoint($1.0.position).distance(to: GroundPoint($1.1.position))
    }
  }

  /// `20000 points, kept 812, off by at most 3.2 m, length 100.6 km (of those kept 100.4)`
  public var summary: String {
    let length = Self.kilometres(lengthMetres)
    guard points.count < readPoints else { return "\(readPoints) points, length \(length) km" }
    let tenths = (Int(errorMillimetres) + 99) / 100
    return
      "\(readPoints) points, kept \(points.count), off by at most \(tenths / 10).\(tenths % 10)"
      + " m, length \(length) km (of those kept \(Self.kilometres(simplifiedLengthMetres)))"
  }

  private static func kilometres(_ metres: Double) -> String {
    let tenths = Int((metres / 100).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension MappedCourse: CourseMap {
  public var coursePointCount: Int32 { Int32(points.count) }
  public func coursePoint(_ index: Int32) -> CoursePoint { points[Int(index)] }
  public var coursePlaceCount: Int32 { Int32(places.count) }
  public func coursePlace(_ index: Int32) -> CoursePlace { places[Int(index)].place }
  public var courseErrorMetres: Int32 { Int32((Int64(errorMillimetres) + 999) / 1000) }
  public var courseLimits: CourseLimits { limits }
}

extension GroundPoint {
  public init(_ coordinate: Coordinate) {
    self.init(
      latitude: Double(coordinate.latitude) / 1e7, longitude: Double(coordinate.longitude) / 1e7,
      altitude: 0)
  }
}
