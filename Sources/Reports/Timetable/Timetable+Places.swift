import Courses
import TrackerCore
public import Wording

/// Why a timetable and a course do not belong together, in one line without the file's name.
public struct PlanProblem: Error, Sendable, Equatable, Worded {
  public let texts: Texts
}

extension Timetable {
  /// How far a mark in kilometres may be from its place, metres: people round.
  static let nearby: Int64 = 1000

  /// The place that a mark means: the one of its name, else the first one of that kind (`start`,
  /// `checkpoint`, `finish`); of kilometres the nearest one within `nearby`.
  ///
  /// - Returns: the index in the course's places; `nil`: there is none.
  static func place(of mark: Mark, on course: MappedCourse) -> Int? {
    let places = course.places
    switch mark {
    case .place(let name):
      return places.firstIndex { $0.name.lowercased() == name }
        ?? places.firstIndex { "\($0.place.kind)" == name }
    case .metres(let metres):
      func away(_ index: Int) -> Int64 {
        abs(Int64(places[index].place.alongMillimetres) / 1000 - Int64(metres))
      }
      return places.indices.min { away($0) < away($1) }.flatMap {
        away($0) <= nearby ? $0 : nil
      }
    }
  }

  /// When a team is to start: the date of a row that means the beginning of the course, or its
  /// place of that kind; `nil`: the plan does not say so.
  func start(of team: String, on course: MappedCourse) -> UTC? {
    for row in rows(of: team) {
      guard case .date(let utc) = row.moment else { continue }
      let index = Self.place(of: row.mark, on: course)
      if row.mark.isStart || index.map({ course.places[$0].place.kind == .start }) == true {
        return utc
      }
    }
    return nil
  }

  /// That a row means no place of a course, with the places that it has.
  static func problem(with row: Row, on course: MappedCourse) -> PlanProblem {
    func kilometres(_ metres: Int32) -> String { Figure.fixed(Double(metres) / 1000, 1) }
    let places = course.places.map {
      "\($0.name.cut(to: NameWidth.place)) (km \(kilometres($0.place.alongMillimetres / 1000)))"
    }.joined(separator: ", ")
    switch row.mark {
    case .place(let name):
      return PlanProblem(
        texts: PlanPlacePhrase.noPlace.texts("\(row.line)", name.cut(to: 40), places))
    case .metres(let metres):
      return PlanProblem(
        texts: PlanPlacePhrase.noPlaceNearby.texts("\(row.line)", kilometres(metres), places))
    }
  }
}

/// What is said of a timetable's places.
public enum PlanPlacePhrase: Catalogue {
  case noPlace, noPlaceNearby

  public var texts: Texts {
    switch self {
    case .noPlace:
      Texts(
        ca: "línia {1}: '{2}' no és cap lloc del recorregut, que té {3}: corregiu el nom",
        es: "línea {1}: '{2}' no es ningún lugar del recorrido, que tiene {3}: corrija el nombre",
        en: "line {1}: '{2}' is not a place of the course, which has {3}: correct the name",
        fr: "ligne {1} : '{2}' n'est pas un lieu du parcours, qui a {3} : corrigez le nom")
    case .noPlaceNearby:
      Texts(
        ca: "línia {1}: cap lloc del recorregut no és a menys d'1 km del km {2}; els llocs "
          + "són {3}",
        es: "línea {1}: ningún lugar del recorrido está a menos de 1 km del km {2}; los lugares "
          + "son {3}",
        en: "line {1}: no place of the course is within 1 km of km {2}; its places are {3}",
        fr: "ligne {1} : aucun lieu du parcours à moins de 1 km du km {2} ; les lieux sont {3}")
    }
  }
}
