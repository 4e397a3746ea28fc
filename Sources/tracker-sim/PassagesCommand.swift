import CaptureStore
import CommandLineSupport
import Courses
import Reports
import TrackerCore
import Wording

/// `tracker-sim passages`: who was where on the course and when, from all trackers of a race.
enum PassagesCommand {
  static func run(_ arguments: Arguments) throws -> Int32 {
    let table = try table(arguments)
    let output = try OutputFile(path: nil)
    if arguments.has(.json) {
      try output.write(Array((table.figure.json + "\n").utf8))
    } else if arguments.has(.csv) {
      try output.write(table.csv)
    } else {
      try output.write(Array(table.text(in: .chosen(arguments.language)).utf8))
    }
    try output.finish()
    return 0
  }

  private static func table(_ arguments: Arguments) throws -> PassageTable {
    let now = try arguments.value(.at, DateText.xmlDate)
    let path = arguments.text(.course) ?? ""
    let course = try Self.course(at: path)
    let plan = try arguments.text(.timetable).map { path throws in try Self.plan(at: path, course) }
    let sources = try arguments.operands.map { path throws in
      let captures = try Self.captures(of: path)
      if captures.isEmpty { complain("\(path): no captures in it") }
      return PassageTable.Source(name: path, captures: captures)
    }
    if let now { try check(now, sources) }
    let table = PassageTable(
      of: sources, on: course, plan: plan, at: now,
      tolerance: .minutes(arguments.number(.tolerance) ?? 30))
    guard !table.isElsewhere || table.now == nil else {
      let when = now.map { " by \(CalendarText.text($0))" } ?? ""
      throw UsageError(
        "\(path): no capture is near this course\(when); give the course of this race"
          + (now == nil ? "" : ", or a later --at"))
    }
    return table
  }

  private static func course(at path: String) throws -> MappedCourse {
    let course = try WalkFile.course(in: path)
    guard !course.places.isEmpty else {
      throw UsageError("\(path): no places on the course: add named points, as checkpoints")
    }
    return course
  }

  /// A wrong year would make everything past due, or leave everything out.
  private static func check(_ now: UTC, _ sources: [PassageTable.Source]) throws {
    let dates = sources.flatMap(\.captures).filter(\.capture.isTimeTrusted).compactMap(
      \.capture.utc)
    guard let first = dates.min(), let last = dates.max() else { return }
    guard
      now < first + Milliseconds(-SimulatorBounds.aroundCaptures.count)
        || now > last + SimulatorBounds.aroundCaptures
    else {
      return
    }
    throw UsageError(
      "--at \(CalendarText.text(now)): the captures are from \(CalendarText.text(first)) to "
        + "\(CalendarText.text(last)); give a date within 7 days of these")
  }

  static func plan(at path: String, _ course: MappedCourse) throws -> CoursePlan {
    let bytes = try InputFile.bytes(of: path, atMost: ReportBounds.timetableBytes)
    do {
      return try CoursePlan(try Timetable(bytes), on: course)
    } catch {
      throw UsageError("\(path): \(error)")
    }
  }

  /// The captures of a store or an export.
  private static func captures(of path: String) throws -> [ExportedCapture] {
    let bytes = try InputFile.bytes(of: path, atMost: ReportBounds.captureFileBytes)
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
