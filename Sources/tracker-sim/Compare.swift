import CommandLineSupport
import Courses
import NMEA
import Reports
import Simulation
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
      let table = try InputFile.bytes(of: plan, atMost: ReportBounds.timetableBytes)
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
    let bytes = try InputFile.bytes(of: path, atMost: SimulatorBounds.figuresBytes)
    let figures: Figure
    do throws(FigureError) {
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

/// `tracker-sim stats FILE`: distance, times, speeds and climb of a walk, and its marks.
enum Stats {
  static func run(_ arguments: Arguments) throws -> Int32 {
    let tracks = try WalkFile.tracks(in: arguments.operands[0])
    let course = try arguments.text(.course).map { path throws in try WalkFile.course(in: path) }
    let every = arguments.number(.every) ?? StatisticsBounds.usualMarksEvery
    let all = tracks.map { ($0.name, SessionStatistics($0.points, every: every, on: course)) }
    if arguments.has(.json) { return try say(StatisticsText.json(of: all)) }
    return try say(StatisticsText.text(of: all, in: .chosen(arguments.language)))
  }
}

/// The walks in a file, whatever its format.
enum WalkFile {
  /// One walk, or of an export one for each tracker, with its team's name.
  ///
  /// - Throws: an error of one line that says what, where and what to do.
  static func tracks(in path: String) throws -> [(name: String, points: [TrackPoint])] {
    var file = try TraceFile(path: path)
    let beginning = try file.read(upTo: 65_536)
    if beginning.isEmpty { throw TraceError(path: path, reason: .empty) }
    if GPXFile.isGPX(beginning) {
      let bytes = try rest(of: &file, after: beginning, atMost: SimulatorBounds.courseBytes)
      do throws(CourseError) {
        return [("", try TrackPoint.points(inGPX: bytes))]
      } catch {
        throw UsageError("\(path): \(error)")
      }
    }
    if CaptureImport.isExport(beginning) {
      let bytes = try rest(of: &file, after: beginning, atMost: ReportBounds.captureFileBytes)
      do throws(ImportError) {
        return CaptureImport.tracks(of: try CaptureImport.captures(in: bytes))
      } catch {
        throw UsageError("\(path): \(error)")
      }
    }
    return [("", try points(of: &file, after: beginning))]
  }

  /// The last session of a file with one tracker.
  static func walk(in path: String) throws -> Walk {
    var file = try TraceFile(path: path)
    let beginning = try file.read(upTo: 65_536)
    guard GPXFile.isGPX(beginning) || CaptureImport.isExport(beginning) else {
      return Walk(team: "", points: try points(of: &file, after: beginning))
    }
    let bytes = try rest(of: &file, after: beginning, atMost: ReportBounds.walkFileBytes)
    do { return try Walk(in: bytes) } catch { throw UsageError("\(path): \(error)") }
  }

  /// The course in a file; says on standard error what of it is not taken.
  static func course(in path: String) throws -> MappedCourse {
    let bytes = try InputFile.regularBytes(of: path, atMost: SimulatorBounds.courseBytes)
    let course: MappedCourse
    do throws(CourseError) { course = try MappedCourse(bytes) } catch {
      throw UsageError("\(path): \(error)")
    }
    for doubt in course.doubts.prefix(SimulatorBounds.doubts) { complain("\(path): \(doubt)") }
    return course
  }

  private static func rest(
    of file: inout TraceFile, after beginning: [UInt8], atMost limit: Int
  ) throws -> [UInt8] {
    var bytes = beginning
    while true {
      let more = try file.read(upTo: 1 << 20)
      if more.isEmpty { return bytes }
      bytes += more
      guard bytes.count <= limit else {
        throw UsageError("\(file.path): larger than \(limit >> 20) MiB: use a smaller file")
      }
    }
  }

  private static func points(
    of file: inout TraceFile, after beginning: [UInt8]
  ) throws -> [TrackPoint] {
    var decoder = Decoder()
    var points: [TrackPoint] = []
    var bytes = beginning
    func hasSentence() -> Bool { decoder.counts.accepted > 0 || decoder.counts.ignored > 0 }
    while !bytes.isEmpty {
      var position = 0
      while let epoch = decoder.next(in: bytes.span, from: &position) { add(epoch, to: &points) }
      // Neither a device nor a pipe need ever end.
      if file.bytesRead >= SimulatorBounds.bytesWithoutSentence, !hasSentence() { break }
      guard file.bytesRead <= SimulatorBounds.logBytes else {
        throw UsageError(
          "\(file.path): larger than \(SimulatorBounds.logBytes >> 20) MiB: use a smaller file")
      }
      bytes = try file.read(upTo: 65_536)
    }
    while let epoch = decoder.finish() { add(epoch, to: &points) }
    guard hasSentence() else { throw TraceError(path: file.path, reason: .noSentence) }
    return points
  }

  /// A report without a position is no point.
  private static func add(_ epoch: Epoch, to points: inout [TrackPoint]) {
    guard epoch.hasPosition, let latitude = epoch.latitude, let longitude = epoch.longitude else {
      return
    }
    var point = TrackPoint(
      Coordinate(latitude: latitude, longitude: longitude),
      utc: epoch.utcMilliseconds.map { UTC(milliseconds: $0) },
      altitudeMillimetres: epoch.altitudeMillimetres)
    point.speedMillimetresPerSecond = epoch.speedMillimetresPerSecond
    point.accuracyMetres = FixFilter.accuracyMetres(hdopHundredths: epoch.hdopHundredths)
    points.append(point)
  }
}
