public import Courses
import TrackerCore

/// A timetable on the places of a course.
public struct CoursePlan: Sendable, Equatable {
  private let timetable: Timetable
  /// The place of each mark.
  private let places: [Timetable.Mark: Int]
  /// The course's start; -1: it is no place.
  private let start: Int

  public init(_ timetable: Timetable, on course: MappedCourse) throws(PlanProblem) {
    var places: [Timetable.Mark: Int] = [:]
    for row in timetable.rows where places[row.mark] == nil {
      // A course need not have its start as a place for a team to have its time there.
      guard let index = Timetable.place(of: row.mark, on: course) else {
        if row.mark.isStart { continue }
        throw Timetable.problem(with: row, on: course)
      }
      places[row.mark] = index
    }
    start = course.places.firstIndex { $0.place.kind == .start } ?? -1
    self.timetable = timetable
    self.places = places
  }

  /// - Parameter started: when the team has started, for a plan without a date for that.
  func due(place: Int, of team: String, started: UTC?) -> UTC? {
    let rows = timetable.rows(of: team)
    var started = started
    for row in rows where places[row.mark] == start {
      if case .date(let utc) = row.moment { started = utc }
    }
    for row in rows where places[row.mark] == place {
      return timetable.due(row, of: team, started: started)
    }
    return nil
  }
}
