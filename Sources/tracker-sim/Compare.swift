import CommandLineSupport
import Courses
import Reports
import Statistics
import TrackerCore
import Wording

/// `tracker-sim compare A B`: which figures of two runs differ.
enum Compare {
  static let usage = """
    tracker-sim compare says which figures of two runs differ, or who was ahead
    where on a course.

    usage:
      tracker-sim compare A.json B.json [--report FILE [--tiles FILE]]
                          [--language CODE]
      tracker-sim compare A B --course FILE [--every METRES] [--json]
                          [--report FILE] [--language CODE]

      tracker-sim compare A --plan FILE --course FILE [...]

    A and B were written by tracker-sim --json. With a course they are walks:
    NMEA, GPX, or an export of one tracker.

      --course FILE     the course, GeoJSON or GPX: compare mark by mark
      --plan FILE       a timetable instead of B (CSV: place or km, and time)
      --every METRES    from mark to mark, beside the course's places [5000]
      --json            print the marks as JSON (with --course)
      --report FILE     write a page of HTML, too, with both runs
      --tiles FILE      MBTiles (PNG or JPEG) below the maps of runs
      --language CODE   ca, es, en or fr  [of the environment]

    exit code: 0 compared, whether they differ or not; 2 wrong use or unreadable
    input.

    """

  struct Options {
    var paths: [String] = []
    var report: String?
    var tiles: String?
    var course: String?
    var plan: String?
    var every = StatisticsBounds.usualCourseMarksEvery
    var isJSON = false
    var language: Language?
    var wantsHelp = false

    init(_ words: [String]) throws {
      var reader = ArgumentReader(words)
      while let word = reader.next() {
        switch word {
        case "--help", "-h": wantsHelp = true
        case "--report": report = try reader.value("a file")
        case "--tiles": tiles = try reader.value("an MBTiles file")
        case "--course": course = try reader.value("a file")
        case "--plan": plan = try reader.value("a file")
        case "--every": every = try reader.number(StatisticsBounds.marksEvery)
        case "--json": isJSON = true
        case "--language": language = try reader.language()
        case _ where word.hasPrefix("-"):
          throw UsageError("unknown option '\(word)'; see tracker-sim compare --help")
        default: paths.append(word)
        }
      }
      if wantsHelp { return }
      if plan != nil && course == nil { throw UsageError("--plan goes with --course; give one") }
      guard paths.count == (plan == nil ? 2 : 1) else {
        throw UsageError(
          course == nil
            ? "give two files that --json wrote: tracker-sim compare a.json b.json"
            : "give two walks, or one and --plan: tracker-sim compare a.gpx b.nmea --course FILE")
      }
      if tiles != nil && (report == nil || course != nil) {
        throw UsageError("--tiles goes below the maps of runs; give --report, and no --course")
      }
      if isJSON && course == nil { throw UsageError("--json goes with --course; give one") }
      if report == "-" { throw UsageError("--report cannot write to standard output; give a file") }
      let inputs = paths + [tiles].compactMap { $0 }
      if let report, inputs.contains(where: { $0 == report || Simulate.isSameFile($0, report) }) {
        throw UsageError("--report \(report) is an input of the comparison; give another name")
      }
    }
  }

  static func run(_ words: [String]) -> Int32 {
    complaining(command: "tracker-sim compare") {
      let options = try Options(words)
      if options.wantsHelp { return try say(usage) }
      let tiles = try options.tiles.map { path throws in try TileFile(path: path) }
      let report = try options.report.map { path throws in try OutputFile(path: path) }
      let language = Language.chosen(options.language)
      if let course = options.course { return try compare(options, on: course, report, language) }
      let runs = try options.paths.map { path throws in
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
  }

  /// Two walks, mark by mark.
  private static func compare(
    _ options: Options, on path: String, _ report: OutputFile?, _ language: Language
  ) throws -> Int32 {
    let course = try WalkFile.course(in: path)
    let walks = try options.paths.map { path throws in (path, try WalkFile.walk(in: path)) }
    let comparison: CourseComparison
    if let plan = options.plan, let (file, walk) = walks.first {
      let table = try InputFile.bytes(of: plan, atMost: Timetable.largestFile)
      let timetable: Timetable
      do throws(ImportError) { timetable = try Timetable(table) } catch {
        throw UsageError("\(plan): \(error)")
      }
      comparison = try ComparedWalks.comparison(file, walk, with: timetable, on: course)
    } else {
      comparison = ComparedWalks.comparison(walks, on: course, every: options.every)
    }
    if let report {
      let page = CourseComparisonPage(comparison, in: language).html(by: "tracker-sim \(version)")
      try report.write(Array(page.utf8))
      try report.finish()
    }
    return try say(
      options.isJSON
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
