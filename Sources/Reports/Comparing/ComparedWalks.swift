public import Courses
public import Statistics
import TrackerCore
public import Wording

/// A session from a file, to be compared with another one.
public struct Walk: Sendable {
  /// Its team; empty: not known.
  public var team: String
  public var points: [TrackPoint]

  public init(team: String, points: [TrackPoint]) {
    self.team = team
    self.points = points
  }

  /// The last session in an export of one tracker, or a GPX track.
  ///
  /// - Throws: an error of one line, without the file's name.
  public init(in bytes: [UInt8]) throws {
    if GPXFile.isGPX(Array(bytes.prefix(65_536))) {
      self.init(team: "", points: try TrackPoint.points(inGPX: bytes))
      return
    }
    let captures = try CaptureImport.captures(in: bytes)
    guard let last = captures.last, captures.allSatisfy({ $0.device == last.device }) else {
      throw FilePlace().error("it has several trackers; give an export of one")
    }
    let session = Sessions.split(captures.map(\.capture)).last ?? []
    self.init(team: last.team, points: session.compactMap(TrackPoint.init))
  }
}

/// Two walks over a course.
public enum ComparedWalks {
  /// - Parameters:
  ///   - walks: two, each with the name of its file.
  ///   - every: metres from mark to mark, beside the course's places.
  public static func comparison(
    _ walks: [(file: String, walk: Walk)], on course: MappedCourse, every: Int64
  ) -> CourseComparison {
    let marks = TimingMark.all(of: course, every: every)
    let times = walks.map { CourseTimes($0.walk.points, on: course, at: marks) }
    return CourseComparison(times[0], times[1], names: walks.map { name($0.file, $0.walk) })
  }

  /// A walk against a plan, at the places that the plan names, by the time of the day.
  ///
  /// - Throws: that the plan names a place that the course does not have.
  public static func comparison(
    _ file: String, _ walk: Walk, with plan: Timetable, on course: MappedCourse
  ) throws(PlanError) -> CourseComparison {
    var due: [(mark: TimingMark, row: Timetable.Row)] = []
    for row in plan.rows(of: walk.team) {
      due.append((try mark(of: row, on: course), row))
    }
    due.sort { ($0.mark.metres, $0.row.line) < ($1.mark.metres, $1.row.line) }
    let marks = due.map(\.mark)
    let times = CourseTimes(walk.points, on: course, at: marks)
    let start = plan.start(of: walk.team, on: course) ?? times.start
    let planned = CourseTimes(
      plan: due.map { plan.due($0.row, started: start) }, start: start, at: marks)
    return CourseComparison(
      times, planned, names: [name(file, walk), ""], isByClock: true)
  }

  private static func mark(
    of row: Timetable.Row, on course: MappedCourse
  ) throws(PlanError) -> TimingMark {
    let mark: TimingMark
    if case .metres(let metres) = row.mark {
      mark = TimingMark(metres: Double(metres))
    } else if let index = Timetable.place(of: row.mark, on: course) {
      let place = course.places[index]
      mark = TimingMark(
        metres: Double(place.place.alongMillimetres) / 1000, name: place.name)
    } else if row.mark.isStart {
      mark = TimingMark(metres: 0, name: "start")
    } else if row.mark == .place("finish") {
      mark = TimingMark(metres: course.lengthMetres, name: "finish")
    } else {
      throw Timetable.problem(with: row, on: course)
    }
    return mark.withSlack(on: course)
  }

  /// `Els Senglars (2026.csv)`
  static func name(_ file: String, _ walk: Walk) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return walk.team.isEmpty ? last : "\(walk.team) (\(last))"
  }
}

/// The page of a comparison over a course: who was ahead where, as a picture and a table.
public struct CourseComparisonPage {
  private let comparison: CourseComparison
  private let text: CourseComparisonText
  private let language: Language

  public init(_ comparison: CourseComparison, in language: Language) {
    self.comparison = comparison
    self.language = language
    text = CourseComparisonText(comparison, in: language)
  }

  /// - Parameter program: what made it.
  public func html(by program: String) -> String {
    var body = "<header>" + Markup.element("h1", text.title)
    for line in text.lines.dropLast() { body += Markup.element("p", line) }
    body += "</header>\n<section class=\"verdict good\">"
    body += Markup.element("p", RunPage.capitalised(text.conclusion), "class=\"lead\"")
    body += "</section>\n"
    if text.hasTable { body += "<section>" + picture + table + "</section>\n" }
    body += Markup.element("footer", program)
    return PageShell.html(title: text.title, language: language, body: body, script: false)
  }

  private var table: String {
    Markup.openTable(text.head, comparison.rows.map { text.cells($0) })
  }

  /// The lead of A along the course: above the middle A is ahead, below it B. The band shows how
  /// far it may be off.
  private var picture: String {
    let leads = comparison.rows.compactMap { row in
      row.lead.map { (metres: row.mark.metres, lead: $0.count, doubt: row.leadDoubt.count) }
    }
    guard let length = leads.last?.metres, leads.count > 1, length > 0 else { return "" }
    let most = max(60_000, leads.map { abs($0.lead) + $0.doubt }.max() ?? 0)
    func point(_ metres: Double, _ lead: Int64) -> String {
      Markup.number(metres / length * 680 + 10, 1) + " "
        + Markup.number(100 - Double(lead) / Double(most) * 85, 1)
    }
    let line = ["10 100"] + leads.map { point($0.metres, $0.lead) }
    let upper = leads.map { point($0.metres, $0.lead + $0.doubt) }
    let lower = leads.reversed().map { point($0.metres, $0.lead - $0.doubt) }
    let band = (["10 100"] + upper + lower).joined(separator: "L")
    let scale = text.time(Milliseconds(most)).dropLast(3)
    return "<svg viewBox=\"0 0 720 200\" role=\"img\" aria-label=\"\(Markup.escaped(text.title))\">"
      + "<path class=\"band\" d=\"M\(band)Z\"/>"
      + "<g class=\"scale\"><path d=\"M10 100H690\"/></g>"
      + "<path class=\"way\" d=\"M\(line.joined(separator: "L"))\"/>"
      + Markup.element("text", "A +\(scale)", "x=\"12\" y=\"20\"")
      + Markup.element("text", "B +\(scale)", "x=\"12\" y=\"192\"") + "</svg>\n"
  }
}
