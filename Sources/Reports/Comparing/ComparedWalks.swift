public import Courses
public import Statistics
import Wording

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
  ) throws(PlanProblem) -> CourseComparison {
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
  ) throws(PlanProblem) -> TimingMark {
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
