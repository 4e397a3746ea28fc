public import Courses
import TrackerCore

/// A timetable on the places of a course.
public struct CoursePlan: Sendable, Equatable {
  private let timetable: Timetable
  private let course: MappedCourse
  /// The place of each mark.
  private let places: [Timetable.Mark: Int]

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
    self.timetable = timetable
    self.course = course
    self.places = places
  }

  /// When a team is to be at each place of the course; `nil`: the plan does not say so.
  ///
  /// - Parameter started: when it has started, for a plan without a date for that.
  func due(_ team: String, started: UTC?) -> [UTC?] {
    let started = timetable.start(of: team, on: course) ?? started
    var due = [UTC?](repeating: nil, count: course.places.count)
    for row in timetable.rows(of: team).reversed() {
      if let place = places[row.mark] { due[place] = timetable.due(row, started: started) }
    }
    return due
  }
}
