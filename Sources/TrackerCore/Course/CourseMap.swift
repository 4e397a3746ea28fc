/// Where a course goes, read one point or place at a time: a host has it in an array, firmware in
/// flash, and no `Tracker` or `CourseProgress` holds a copy.
///
/// Its points are those of a line, two or more, the distances along it rising from one to the next.
/// Its places stand in the order of their distances along. An index is never out of range.
public protocol CourseMap: ~Copyable {
  /// 0: there is no course; at most `Bounds.coursePoints`.
  var coursePointCount: Int32 { get }
  func coursePoint(_ index: Int32) -> CoursePoint
  /// At most `Bounds.coursePlaces`.
  var coursePlaceCount: Int32 { get }
  func coursePlace(_ index: Int32) -> CoursePlace
  /// How far the line may be from the one that it simplifies, metres.
  var courseErrorMetres: Int32 { get }
  var courseLimits: CourseLimits { get }
}

/// A host without a course.
extension CourseMap where Self: ~Copyable {
  public var coursePointCount: Int32 { 0 }
  public func coursePoint(_ index: Int32) -> CoursePoint {
    CoursePoint(position: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var coursePlaceCount: Int32 { 0 }
  public func coursePlace(_ index: Int32) -> CoursePlace {
    CoursePlace(.checkpoint, at: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var courseErrorMetres: Int32 { 0 }
  public var courseLimits: CourseLimits { CourseLimits() }

  public var hasCourse: Bool { coursePointCount > 1 }

  /// The whole length in millimetres; 0 without a course.
  public var courseLengthMillimetres: Int32 {
    hasCourse ? coursePoint(coursePointCount - 1).alongMillimetres : 0
  }

  /// The first place further along than `along` millimetres; `nil`: there is none.
  public func courseIndexOfPlace(after along: Int32) -> Int32? {
    var index: Int32 = 0
    while index < coursePlaceCount {
      if coursePlace(index).alongMillimetres > along { return index }
      index += 1
    }
    return nil
  }
}

/// A point of a course's line.
public struct CoursePoint: Sendable, Equatable {
  public var position: Coordinate
  /// From the start of the course, along the line before it was simplified; at most 2 000 km.
  public var alongMillimetres: Int32

  public init(position: Coordinate, alongMillimetres: Int32) {
    self.position = position
    self.alongMillimetres = alongMillimetres
  }
}

/// A circle on the course that a team enters and leaves.
public struct CoursePlace: Sendable, Equatable {
  public enum Kind: UInt8, Sendable, Equatable {
    case start
    case checkpoint
    case finish
  }

  public var kind: Kind
  public var position: Coordinate
  /// Of the point of the line where the place is passed.
  public var alongMillimetres: Int32
  /// 10...`Bounds.placeRadius`.
  public var radiusMetres: Int32
  /// Opening hours; `nil`: not stated.
  public var opens: UTC?
  public var closes: UTC?

  public init(
    _ kind: Kind, at position: Coordinate, alongMillimetres: Int32, radiusMetres: Int32 = 100,
    opens: UTC? = nil, closes: UTC? = nil
  ) {
    self.kind = kind
    self.position = position
    self.alongMillimetres = alongMillimetres
    self.radiusMetres = radiusMetres
    self.opens = opens
    self.closes = closes
  }
}

/// How far from the course is off it, and how far back is backwards.
public struct CourseLimits: Sendable, Equatable {
  /// Metres beside the line, beyond three times the fix's accuracy; 0...100 000.
  public var offCourseMetres: Int32
  /// Metres back from the furthest point, beyond three times the fix's accuracy; 0...100 000.
  public var backwardsMetres: Int32

  public init(offCourseMetres: Int32 = 150, backwardsMetres: Int32 = 150) {
    self.offCourseMetres = offCourseMetres
    self.backwardsMetres = backwardsMetres
  }
}
