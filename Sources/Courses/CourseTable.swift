public import TrackerCore

/// A course for a tracker, which reads it some twenty times with each position: of a `MappedCourse`
/// each reading would count a reference to each of its lists and names.
public final class CourseTable: Sendable {
  public let course: MappedCourse
  /// Valid as long as the table.
  public let view: CourseView

  public init(_ course: MappedCourse) {
    self.course = course
    view = CourseView(course)
  }

  deinit { view.deallocate() }
}

/// The points and places of a `CourseTable`, which are read without counting a reference to it.
public struct CourseView: @unchecked Sendable {
  private let points: UnsafeMutableBufferPointer<CoursePoint>
  private let places: UnsafeMutableBufferPointer<CoursePlace>
  fileprivate let errorMetres: Int32
  fileprivate let limits: CourseLimits

  fileprivate init(_ course: MappedCourse) {
    points = .allocate(capacity: course.points.count)
    _ = points.initialize(from: course.points)
    places = .allocate(capacity: course.places.count)
    _ = places.initialize(from: course.places.map(\.place))
    errorMetres = course.courseErrorMetres
    limits = course.limits
  }

  fileprivate func deallocate() {
    points.deallocate()
    places.deallocate()
  }

  fileprivate var pointCount: Int32 { Int32(points.count) }
  fileprivate var placeCount: Int32 { Int32(places.count) }

  fileprivate func point(_ index: Int32) -> CoursePoint {
    precondition(index >= 0 && Int(index) < points.count, "the core stays within the course")
    return points[Int(index)]
  }
  fileprivate func place(_ index: Int32) -> CoursePlace {
    precondition(index >= 0 && Int(index) < places.count, "the core stays within the course")
    return places[Int(index)]
  }
}

/// Somebody who may have a course.
public protocol CourseHolder: CourseMap, ~Copyable {
  var courseTable: CourseTable? { get }
  /// That of `courseTable`.
  var courseView: CourseView? { get }
}

extension CourseHolder where Self: ~Copyable {
  public var course: MappedCourse? { courseTable?.course }

  public var coursePointCount: Int32 { courseView?.pointCount ?? 0 }
  public func coursePoint(_ index: Int32) -> CoursePoint {
    courseView?.point(index)
      ?? CoursePoint(position: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var coursePlaceCount: Int32 { courseView?.placeCount ?? 0 }
  public func coursePlace(_ index: Int32) -> CoursePlace {
    courseView?.place(index)
      ?? CoursePlace(.checkpoint, at: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var courseErrorMetres: Int32 { courseView?.errorMetres ?? 0 }
  public var courseLimits: CourseLimits { courseView?.limits ?? CourseLimits() }
}
