public import TrackerCore

/// A timetable on the places of a course.
public struct CoursePlan: Sendable, Equatable {
  /// Why a timetable and a course do not belong together, in one line.
  public struct Mismatch: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String
  }

  private let timetable: Timetable
  /// The place of each mark.
  private let places: [Timetable.Mark: Int]
  /// The course's start; -1: it is no place.
  private let start: Int

  /// How far a mark in kilometres may be from its place, metres: people round.
  private static let nearby: Int64 = 1000

  /// - Parameter names: of the course's places, in their order.
  public init(
    _ timetable: Timetable, on course: some CourseMap, names: [String]
  ) throws(Mismatch) {
    var places: [Timetable.Mark: Int] = [:]
    let indices = 0..<Int(course.coursePlaceCount)
    for row in timetable.rows where places[row.mark] == nil {
      let index: Int?
      switch row.mark {
      case .place(let name):
        index =
          indices.first { names[$0].lowercased() == name }
          ?? indices.first { "\(course.coursePlace(Int32($0)).kind)" == name }
      case .metres(let metres):
        func away(_ index: Int) -> Int64 {
          abs(Int64(course.coursePlace(Int32(index)).alongMillimetres) / 1000 - Int64(metres))
        }
        index = indices.min { away($0) < away($1) }.flatMap { away($0) <= Self.nearby ? $0 : nil }
      }
      // A course need not have its start as a place for a team to have its time there.
      guard let index else {
        if row.mark.isStart { continue }
        throw Mismatch(
          description: "line \(row.line): no such place on the course; its places are "
            + names.joined(separator: ", "))
      }
      places[row.mark] = index
    }
    start = indices.first { course.coursePlace(Int32($0)).kind == .start } ?? -1
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
