public import Courses
public import Statistics

/// Two walks over a course.
public enum ComparedWalks {
  /// - Parameters:
  ///   - walks: two, each with the name of its file.
  ///   - every: metres from mark to mark, beside the course's places.
  public static func comparison(
    _ walks: [(file: String, walk: Walk)], on course: MappedCourse, every: Int64
  ) -> CourseComparison {
    let marks = CourseMark.all(of: course, every: every)
    let times = walks.map { CourseTimes($0.walk.points, on: course, at: marks) }
    return CourseComparison(times[0], times[1], names: walks.map { name($0.file, $0.walk) })
  }

  /// `Els Senglars (2026.csv)`
  static func name(_ file: String, _ walk: Walk) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return walk.team.isEmpty ? last : "\(walk.team) (\(last))"
  }
}
