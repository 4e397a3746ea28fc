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
  private struct Options {
    var paths: [String] = []
    var course = ""
    var plan: String?
    var every = StatisticsBounds.usualCourseMarksEvery
    var isJSON = false
    var language: Language?

    init(_ words: [String]) throws {
      var reader = ArgumentReader(words)
      while let word = reader.next() {
        switch word {
        case "--help", "-h": throw HelpRequested()
        case "--course": course = try reader.value(UsagePhrase.file.texts)
        case "--plan": plan = try reader.value(UsagePhrase.file.texts)
        case "--every": every = try reader.number(StatisticsBounds.marksEvery)
        case "--json": isJSON = true
        case "--language": language = try reader.language()
        case _ where word.hasPrefix("-"):
          throw UsageError(UsagePhrase.unknownOption.texts(word, "trackerctl"))
        default: paths.append(word)
        }
      }
      guard paths.count == (plan == nil ? 2 : 1) else {
        throw UsageError(CommandPhrase.twoSessions.texts)
      }
      guard !course.isEmpty else { throw UsageError(CommandPhrase.noCourse.texts) }
    }
  }

  /// - Returns: the exit code, 0.
  static func run(_ words: [String]) throws -> Int32 {
    let options = try Options(words)
    let course = try course(in: options.course)
    let walks = try options.paths.map { path throws in (path, try walk(in: path)) }
    let comparison: CourseComparison
    if let plan = options.plan, let (path, walk) = walks.first {
      comparison = try ComparedWalks.comparison(
        path, walk, with: try reading(plan) { try Timetable($0) }, on: course)
    } else {
      comparison = ComparedWalks.comparison(walks, on: course, every: options.every)
    }
    let language = Language.chosen(options.language)
    return try say(
      options.isJSON
        ? comparison.figures.json : CourseComparisonText(comparison, in: language).text)
  }

  static func course(in path: String) throws -> MappedCourse {
    let bytes = try InputFile.regularBytes(of: path, atMost: Walk.largestFile)
    let course = try reading(path, bytes) { try MappedCourse($0) }
    for doubt in course.doubts.prefix(20) { Program.complain("\(path): \(doubt)") }
    return course
  }

  private static let storeMark = Array("SQLite format 3".utf8)

  /// The last session of a store, an export or a GPX file.
  private static func walk(in path: String) throws -> Walk {
    let bytes = try InputFile.bytes(of: path, atMost: Walk.largestFile)
    guard bytes.starts(with: storeMark) else {
      return try reading(path, bytes) { try Walk(in: $0) }
    }
    let stores = try CaptureStore.openAllForReading(path)
    for store in stores { Program.complainOfDamage(store) }
    let session = try StoredSessions.all(in: stores).last ?? []
    return Walk(
      team: session.last.map { String($0.team) } ?? "", points: session.map(TrackPoint.init))
  }

  private static func reading<Content>(
    _ path: String, _ bytes: [UInt8]? = nil, _ body: ([UInt8]) throws -> Content
  ) throws -> Content {
    let bytes = try bytes ?? InputFile.bytes(of: path, atMost: Walk.largestFile)
    do { return try body(bytes) } catch { throw UsageError("\(path): \(error)") }
  }
}
