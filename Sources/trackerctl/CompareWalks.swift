import CaptureStore
import CommandLineSupport
import Courses
import FieldConsole
import Reports
import Statistics
import TrackerCore
import Wording

/// `trackerctl compare A B --course FILE`: two sessions over one course, mark by mark.
enum CompareWalks {
  /// - Returns: the exit code, 0.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let plan = arguments.text(.plan)
    guard arguments.operands.count == (plan == nil ? 2 : 1) else {
      throw UsageError(CommandPhrase.twoSessions.texts)
    }
    let course = try course(in: arguments.text(.course) ?? "")
    let walks = try arguments.operands.map { path throws in (path, try walk(in: path)) }
    let comparison: CourseComparison
    if let plan, let (path, walk) = walks.first {
      comparison = try ComparedWalks.comparison(
        path, walk, with: try reading(plan) { try Timetable($0) }, on: course)
    } else {
      comparison = ComparedWalks.comparison(
        walks, on: course,
        every: arguments.number(.every) ?? StatisticsBounds.usualCourseMarksEvery)
    }
    return try say(
      arguments.has(.json)
        ? comparison.figures.json
        : CourseComparisonText(comparison, in: .chosen(arguments.language)).text)
  }

  static func course(in path: String) throws -> MappedCourse {
    let bytes = try InputFile.regularBytes(of: path, atMost: ReportBounds.walkFileBytes)
    let course = try reading(path, bytes) { try MappedCourse($0) }
    for doubt in course.doubts.prefix(20) { Program.complain("\(path): \(doubt)") }
    return course
  }

  private static let storeMark = Array("SQLite format 3".utf8)

  /// The last session of a store, an export or a GPX file.
  private static func walk(in path: String) throws -> Walk {
    let bytes = try InputFile.bytes(of: path, atMost: ReportBounds.walkFileBytes)
    guard bytes.starts(with: storeMark) else {
      return try reading(path, bytes) { try Walk(in: $0) }
    }
    let stores = try CaptureStore.openAllForReading(path)
    for store in stores { Program.complainOfDamage(store) }
    let session = try StoredSessions.all(in: stores).last ?? []
    return Walk(
      team: session.last.map { String($0.team) } ?? "", points: session.compactMap(TrackPoint.init))
  }

  private static func reading<Content>(
    _ path: String, _ bytes: [UInt8]? = nil, _ body: ([UInt8]) throws -> Content
  ) throws -> Content {
    let bytes = try bytes ?? InputFile.bytes(of: path, atMost: ReportBounds.walkFileBytes)
    do { return try body(bytes) } catch { throw UsageError("\(path): \(error)") }
  }
}
