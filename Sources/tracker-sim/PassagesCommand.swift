import CaptureStore
import CommandLineSupport
import Courses
import Reports
import TrackerCore
import Wording

/// `tracker-sim passages`: who was where on the course and when, from all trackers of a race.
enum PassagesCommand {
  static let usage = """
    tracker-sim passages says who was where on the course, and when.

    usage:
      tracker-sim passages --course FILE [options] FILE...

    Each FILE is a tracker's store, or what trackerctl export wrote as CSV or
    GeoJSON; one file may have several trackers.

      --course FILE        GeoJSON or GPX with a line and named points
      --plan FILE          timetable (CSV): columns place (or km), time, and team
                           where teams differ; a time is a date, or hours:minutes
                           since the team's start:  Amer,6:30
      --tolerance MINUTES  after the plan, until a place is past due  [30]
      --at DATE            what the table tells of, as 2026-04-18T08:00:00Z, within
                           7 days of the captures      [the latest capture of all]
      --json, --csv        instead of text
      --language CODE      ca, es, en or fr  [of the environment]

    Captures without a trusted date do not count. A place is past due when it has
    closed or its time in the plan is over, and missing when a later one was passed
    without it; inferred is who was seen before and after it, but not there; unknown
    is where a team is beyond it, and no capture tells whether it was there, or when.
    A row of the plan with km means the place within 1 km of these.

    exit code: 0 success; 2 wrong use or unreadable input.

    """

  private enum Format { case text, json, csv }

  private struct Options {
    var course = ""
    var plan: String?
    var tolerance = Milliseconds.minutes(30)
    var now: UTC?
    var format = Format.text
    var language: Language?
    var files: [String] = []
    var wantsHelp = false

    init(_ words: [String]) throws {
      var reader = ArgumentReader(words)
      while let word = reader.next() {
        switch word {
        case "--help", "-h": wantsHelp = true
        case "--course": course = try reader.value("a file")
        case "--plan": plan = try reader.value("a file")
        case "--tolerance": tolerance = .minutes(try reader.number(0...1440))
        case "--at":
          let text = try reader.value("a date")
          guard let date = DateText.xmlDate(text) else {
            throw UsageError("--at '\(printable(text))': give a date as 2026-04-18T08:00:00Z")
          }
          now = date
        case "--json": format = .json
        case "--csv": format = .csv
        case "--language": language = try reader.language()
        case _ where word.hasPrefix("-"):
          throw UsageError("unknown option '\(word)'; see tracker-sim passages --help")
        default: files.append(word)
        }
      }
      if wantsHelp { return }
      guard !course.isEmpty else {
        throw UsageError("give the course: tracker-sim passages --course FILE FILE...")
      }
      guard !files.isEmpty else {
        throw UsageError("give the trackers' stores or exports; see tracker-sim passages --help")
      }
    }
  }

  static func run(_ words: [String]) -> Int32 {
    complaining(command: "tracker-sim passages") {
      let options = try Options(words)
      if options.wantsHelp { return try say(usage) }
      try write(try table(options), options)
      return 0
    }
  }

  private static func table(_ options: Options) throws -> PassageTable {
    let course = try Self.course(at: options.course)
    var plan: CoursePlan?
    if let path = options.plan { plan = try Self.plan(at: path, course) }
    var sources: [PassageTable.Source] = []
    for path in options.files {
      let captures = try Self.captures(of: path)
      if captures.isEmpty { complain("\(path): no captures in it") }
      sources.append(PassageTable.Source(name: path, captures: captures))
    }
    if let now = options.now { try check(now, sources) }
    let table = PassageTable(
      of: sources, on: course, plan: plan, at: options.now, tolerance: options.tolerance)
    guard !table.isElsewhere || table.now == nil else {
      let when = options.now.map { " by \(CalendarText.text($0))" } ?? ""
      throw UsageError(
        "\(options.course): no capture is near this course\(when); give the course of this race"
          + (options.now == nil ? "" : ", or a later --at"))
    }
    return table
  }

  private static func write(_ table: PassageTable, _ options: Options) throws {
    let output = try OutputFile(path: nil)
    switch options.format {
    case .text: try output.write(Array(table.text(in: .chosen(options.language)).utf8))
    case .json: try output.write(Array((table.figure.json + "\n").utf8))
    case .csv: try output.write(table.csv)
    }
    try output.finish()
  }

  private static func course(at path: String) throws -> MappedCourse {
    let course = try WalkFile.course(in: path)
    guard !course.places.isEmpty else {
      throw UsageError("\(path): no places on the course: add named points, as checkpoints")
    }
    return course
  }

  /// How long before the first capture and after the last one a table makes sense.
  private static let aroundCaptures = Milliseconds.hours(7 * 24)

  /// A wrong year would make everything past due, or leave everything out.
  private static func check(_ now: UTC, _ sources: [PassageTable.Source]) throws {
    let dates = sources.flatMap(\.captures).filter(\.capture.isTimeTrusted).compactMap(
      \.capture.utc)
    guard let first = dates.min(), let last = dates.max() else { return }
    guard now < first + Milliseconds(-aroundCaptures.count) || now > last + aroundCaptures else {
      return
    }
    throw UsageError(
      "--at \(CalendarText.text(now)): the captures are from \(CalendarText.text(first)) to "
        + "\(CalendarText.text(last)); give a date within 7 days of these")
  }

  private static func plan(at path: String, _ course: MappedCourse) throws -> CoursePlan {
    let bytes = try InputFile.bytes(of: path, atMost: Timetable.largestFile)
    do {
      return try CoursePlan(try Timetable(bytes), on: course)
    } catch {
      throw UsageError("\(path): \(error)")
    }
  }

  /// The captures of a store or an export.
  private static func captures(of path: String) throws -> [ExportedCapture] {
    let bytes = try InputFile.bytes(of: path, atMost: CaptureImport.largestFile)
    guard !bytes.starts(with: "SQLite format 3\0".utf8) else {
      // Whether a server has them makes no difference here.
      return try CaptureStore.openAllForReading(path).flatMap { store in
        // A lost row is easily taken for a place that nobody passed.
        for remark in store.remarks { complain(remark[.english]) }
        return try store.captures()
      }.map {
        ExportedCapture($0.capture, device: $0.device, id: $0.id, state: .acknowledged)
      }
    }
    do throws(ImportError) {
      return try CaptureImport.captures(in: bytes)
    } catch {
      throw UsageError("\(path): \(error)")
    }
  }
}
