public import TrackerCore

/// A course for a tracker, which reads it some twenty times with each position: of a `MappedCourse`
/// each reading would count a reference to each of its lists and names.
public final class CourseTable: Sendable {
  public let course: MappedCourse
  fileprivate let points: [CoursePoint]
  fileprivate let places: [CoursePlace]
  fileprivate let errorMetres: Int32
  fileprivate let limits: CourseLimits

  public init(_ course: MappedCourse) {
    self.course = course
    points = course.points
    places = course.places.map(\.place)
    errorMetres = course.courseErrorMetres
    limits = course.limits
  }
}

/// Somebody who may have a course.
public protocol CourseHolder: CourseMap, ~Copyable {
  var courseTable: CourseTable? { get }
}

extension CourseHolder where Self: ~Copyable {
  public var course: MappedCourse? { courseTable?.course }

  public var coursePointCount: Int32 {
    guard let courseTable else { return 0 }
    return Int32(courseTable.points.count)
  }
  public func coursePoint(_ index: Int32) -> CoursePoint {
    courseTable?.points[Int(index)]
      ?? CoursePoint(position: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var coursePlaceCount: Int32 {
    guard let courseTable else { return 0 }
    return Int32(courseTable.places.count)
  }
  public func coursePlace(_ index: Int32) -> CoursePlace {
    courseTable?.places[Int(index)]
      ?? CoursePlace(.checkpoint, at: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var courseErrorMetres: Int32 { courseTable?.errorMetres ?? 0 }
  public var courseLimits: CourseLimits { courseTable?.limits ?? CourseLimits() }
}
