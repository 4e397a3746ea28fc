public import Courses
public import Statistics
public import Wording

/// Why a comparison cannot be made.
public struct ComparisonProblem: Error, Sendable, Equatable, Worded {
  public let texts: Texts
  public init(_ texts: Texts) { self.texts = texts }
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
  ) throws(ComparisonProblem) -> CourseComparison {
    var due: [(mark: TimingMark, row: Timetable.Row)] = []
    for row in plan.rows(of: walk.team) {
      due.append((try mark(of: row, on: course), row))
    }
    due.sort { ($0.mark.metres, $0.row.line) < ($1.mark.metres, $1.row.line) }
    let marks = due.map(\.mark)
    let times = CourseTimes(walk.points, on: course, at: marks)
    let planned = CourseTimes(
      plan: due.map { plan.due($0.row, of: walk.team, started: times.start) },
      start: plan.start(of: walk.team) ?? times.start, at: marks)
    return CourseComparison(
      times, planned, names: [name(file, walk), ""], isByClock: true)
  }

  private static func mark(
    of row: Timetable.Row, on course: MappedCourse
  ) throws(ComparisonProblem) -> TimingMark {
    let mark: TimingMark
    switch row.mark {
    case .metres(let metres): mark = TimingMark(metres: Double(metres))
    case .place("start"): mark = TimingMark(metres: 0, name: "start")
    case .place("finish"): mark = TimingMark(metres: course.lengthMetres, name: "finish")
    case .place(let name):
      guard let place = course.places.first(where: { $0.name.lowercased() == name }) else {
        throw ComparisonProblem(CourseComparisonPhrase.unknownPlace.texts(name))
      }
      mark = TimingMark(
        metres: Double(place.place.alongMillimetres) / 1000, name: place.name)
    }
    return mark.withSlack(on: course)
  }

  /// `Els Senglars (2026.csv)`
  static func name(_ file: String, _ walk: Walk) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return walk.team.isEmpty ? last : "\(walk.team) (\(last))"
  }
}
