import Courses
import Reports
import TrackerCore

/// What a run says about its course.
struct CourseFacts {
  /// `nil`: of a run in which nothing happened.
  var course: MappedCourse?
  /// Along the course at the end of the run; `nil`: it was never near it.
  var doneMetres: Int32?
  var toGoMetres: Int32?

  /// Of a run in which nothing happened.
  init() {}

  init(_ course: MappedCourse, _ tracker: borrowing Tracker) {
    self.course = course
    doneMetres = tracker.progress.doneMetres
    toGoMetres = tracker.progress.toGoMetres(on: course)
  }

  /// - Parameter passages: in the order in which they were noticed.
  func figure(_ passages: [(passage: Passage, utc: UTC?)]) -> Figure {
    var passed: Set<Int16> = []
    var missed: Set<Int16> = []
    for (passage, _) in passages {
      switch passage.kind {
      case .entered, .inferred: passed.insert(passage.place)
      case .missed: missed.insert(passage.place)
      case .left: break
      }
    }
    return .object([
      .init("done_m", doneMetres.map { .integer($0) } ?? .none),
      .init("to_go_m", toGoMetres.map { .integer($0) } ?? .none),
      .init("places", .integer(course?.places.count ?? 0)),
      .init("passed", .integer(passed.count)),
      .init("missed", .integer(missed.subtracting(passed).count)),
      .init("passages", .list(passages.map { figure($0.passage, $0.utc) })),
    ])
  }

  private func figure(_ passage: Passage, _ utc: UTC?) -> Figure {
    let (place, places) = (Int(passage.place), course?.places ?? [])
    return .object([
      .init("place", places.indices.contains(place) ? .text(places[place].name) : .none),
      .init("kind", .text("\(passage.kind.name)")),
      .init("at_s", Summary.seconds(passage.at - .start)),
      .init("time", PassageTable.date(utc)),
      .init("doubt_s", .integer(passage.doubtSeconds)),
    ])
  }
}
