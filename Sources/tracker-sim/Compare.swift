import CommandLineSupport
import Courses
import Reports
import Statistics
import TrackerCore
import Wording

/// `tracker-sim compare A B`: which figures of two runs differ.
enum Compare {
  static func run(_ arguments: Arguments) throws -> Int32 {
    let path = arguments.text(.comparisonPage)
    try check(arguments, path)
    let tiles = try arguments.text(.tiles).map { path throws in try TileFile(path: path) }
    let report = try path.map { path throws in try OutputFile(path: path) }
    let language = Language.chosen(arguments.language)
    if let course = arguments.text(.course) {
      return try compare(arguments, on: course, report, language)
    }
    let runs = try arguments.operands.map { path throws in
      Comparison.Run(name: path, figures: try figures(in: path))
    }
    let comparison = Comparison(runs[0], runs[1], in: language)
    if let report {
      let page = comparison.page(by: "tracker-sim \(version)", tiles: tiles?.mosaic)
      try report.write(Array(page.utf8))
      try report.finish()
    }
    return try say(comparison.text)
  }

  private static func check(_ arguments: Arguments, _ report: String?) throws {
    guard arguments.operands.count == (arguments.has(.plan) ? 1 : 2) else {
      let phrase = arguments.has(.course) ? SimPhrase.twoWalks : .twoRuns
      throw UsageError(phrase.texts)
    }
    if report == "-" { throw UsageError(SimPhrase.notStandardOutput.texts("--report")) }
    let inputs = arguments.operands + arguments.texts(.tiles)
    if let report, inputs.contains(where: { $0 == report || Simulate.isSameFile($0, report) }) {
      throw UsageError(SimPhrase.isInput.texts("--report", report))
    }
  }

  /// Two walks, mark by mark.
  private static func compare(
    _ arguments: Arguments, on path: String, _ report: OutputFile?, _ language: Language
  ) throws -> Int32 {
    let course = try WalkFile.course(in: path)
    let walks = try arguments.operands.map { path throws in (path, try WalkFile.walk(in: path)) }
    let comparison: CourseComparison
    if let plan = arguments.text(.plan), let (file, walk) = walks.first {
      let table = try InputFile.bytes(of: plan, atMost: Timetable.largestFile)
      let timetable: Timetable
      do throws(ImportError) { timetable = try Timetable(table) } catch {
        throw UsageError("\(plan): \(error)")
      }
      comparison = try ComparedWalks.comparison(file, walk, with: timetable, on: course)
    } else {
      let every = arguments.number(.every) ?? StatisticsBounds.usualCourseMarksEvery
      comparison = ComparedWalks.comparison(walks, on: course, every: every)
    }
    if let report {
      let page = CourseComparisonPage(comparison, in: language).html(by: "tracker-sim \(version)")
      try report.write(Array(page.utf8))
      try report.finish()
    }
    return try say(
      arguments.has(.json)
        ? comparison.figures.json : CourseComparisonText(comparison, in: language).text)
  }

  /// The figures that a run has written.
  private static func figures(in path: String) throws -> Figure {
    let bytes = try InputFile.bytes(of: path, atMost: 16 << 20)
    let figures: Figure
    do throws(FigureProblem) {
      figures = try Figure(parsing: bytes, like: Summary.blank(hasCourse: true))
    } catch {
      throw UsageError("\(path): no JSON from byte \(error.offset) on; \(advice)")
    }
    guard figures[path: "captures.taken"] != nil else {
      throw UsageError("\(path): not the figures of a run; \(advice)")
    }
    return figures
  }

  private static let advice = "give a file that tracker-sim --json wrote"
}
