import Courses
import TrackerCore
public import Wording

/// A plan: when a team is to be where.
///
///     place,time             km;time;team
///     Olot,0:00              0;2026-04-18T08:00:00Z;
///     Amer,6:30              30,2;6:30;
///     finish,26:00:00        0;2026-04-18T08:20:00Z;Els Senglars
///
/// A row has a place of the course by its name (`start` and `finish` always are places) or the
/// kilometres from the start, and a date, or the time since the team's start as hours and minutes.
/// A row without a team holds for each that has none of its own for that place.
public struct Timetable: Sendable, Equatable {
  enum Mark: Sendable, Hashable {
    /// In lower case, without blanks around it.
    case place(String)
    /// From the start.
    case metres(Int32)

    /// Whether it is the beginning of the course.
    var isStart: Bool { self == .place("start") || self == .metres(0) }
  }

  enum Moment: Sendable, Equatable {
    case date(UTC)
    /// Since the team's own start.
    case sinceStart(Milliseconds)
  }

  struct Row: Sendable, Equatable {
    var mark: Mark
    var moment: Moment
    /// `nil`: every team.
    var team: String?
    /// In the file, from 1 on.
    var line: Int
  }

  /// In the order of the file.
  private(set) var rows: [Row] = []

  /// The rows that hold for a team, one for each mark, in the order of the file.
  func rows(of team: String) -> [Row] {
    let own = Set(rows.filter { $0.team == team }.map(\.mark))
    return rows.filter { $0.team == team || $0.team == nil && !own.contains($0.mark) }
  }

  /// When a row's place is due.
  ///
  /// - Parameter started: when the team has started, or is to start.
  func due(_ row: Row, started: UTC?) -> UTC? {
    switch row.moment {
    case .date(let utc): utc
    case .sinceStart(let time): started.map { $0 + time }
    }
  }

  mutating func add(_ row: Row) { rows.append(row) }
}

extension Timetable {
  /// Reads the CSV (RFC 4180; also with semicolons and decimal commas, as spreadsheets write it in
  /// much of Europe). The first row names the columns: `place` or `km`, `time`, and `team` if teams
  /// differ, in any order.
  ///
  /// - Throws: the first mistake, with its line.
  public init(_ bytes: [UInt8]) throws(ImportError) {
    guard bytes.count <= ReportBounds.timetableBytes else {
      throw FilePlace().error("a timetable of more than 4 MB; give one of a race")
    }
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw FilePlace().error("the file is empty; \(Self.cure)")
    }
    guard (try? UTF8Span(validating: bytes.span)) != nil else {
      throw FilePlace().error("this is not UTF-8 text; save it as CSV in UTF-8")
    }
    let firstLine = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    let separator = firstLine.contains(UInt8(ascii: ";")) ? UInt8(ascii: ";") : UInt8(ascii: ",")
    let end: [UInt8] = bytes.last == 0x0A ? [] : [0x0A]
    var reader = CSVRows(bytes + end, separator: separator, cure: "put it between two others")
    let columns = try Columns(try reader.row() ?? [], at: FilePlace())
    var latest: [String?: (Row, at: Milliseconds)] = [:]
    while true {
      let place = reader.place
      guard let fields = try reader.row() else { break }
      if fields.allSatisfy({ Self.trimmed($0).isEmpty }) { continue }
      guard rows.count < ReportBounds.timetableRows else {
        throw place.error("more than \(ReportBounds.timetableRows) rows; give one race")
      }
      let row = try columns.row(fields, at: place)
      try check(row, &latest, at: place)
      add(row)
    }
    guard !rows.isEmpty else {
      throw FilePlace.end(of: bytes).error("no rows after the header; \(Self.cure)")
    }
  }

  static let cure = "give columns place (or km) and time, such as: Amer,6:30"

  /// A mark twice, or a time that goes back, is a mistake of the pen.
  private func check(
    _ row: Row, _ latest: inout [String?: (Row, at: Milliseconds)], at place: FilePlace
  ) throws(ImportError) {
    if let other = rows.first(where: { $0.mark == row.mark && $0.team == row.team }) {
      throw place.error("the same place is in line \(other.line); remove one of them")
    }
    let at: Milliseconds
    switch row.moment {
    case .date(let utc): at = Milliseconds(utc.milliseconds)
    case .sinceStart(let time): at = time
    }
    if let (last, lastAt) = latest[row.team], Self.isSameKind(last.moment, row.moment) {
      guard at >= lastAt else {
        throw place.error("earlier than line \(last.line); write the rows in their order")
      }
      if case (.metres(let before), .metres(let now)) = (last.mark, row.mark), now < before {
        throw place.error("less far than line \(last.line); write the rows in their order")
      }
    }
    latest[row.team] = (row, at)
  }

  private static func isSameKind(_ a: Moment, _ b: Moment) -> Bool {
    switch (a, b) {
    case (.date, .date), (.sinceStart, .sinceStart): true
    case (.date, .sinceStart), (.sinceStart, .date): false
    }
  }

  fileprivate static func trimmed(_ text: String) -> String {
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Which column is which.
private struct Columns {
  private var place: Int?
  private var kilometres: Int?
  private var time = 0
  private var team: Int?
  private let count: Int

  init(_ names: [String], at start: FilePlace) throws(ImportError) {
    count = names.count
    var found: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      let name = Timetable.trimmed(name).lowercased()
      guard ["place", "km", "time", "team"].contains(name) else {
        throw start.error("unknown column '\(name.prefix(40))'; \(Timetable.cure)")
      }
      guard found.updateValue(index, forKey: name) == nil else {
        throw start.error("column \(name) is there twice; remove one")
      }
    }
    guard let time = found["time"], (found["place"] == nil) != (found["km"] == nil) else {
      throw start.error("the first row does not name the columns; \(Timetable.cure)")
    }
    (self.time, place, kilometres, team) = (time, found["place"], found["km"], found["team"])
  }

  func row(_ fields: [String], at start: FilePlace) throws(ImportError) -> Timetable.Row {
    guard fields.count == count else {
      throw start.error("\(fields.count) fields instead of \(count); write one for each column")
    }
    let name = team.map { Timetable.trimmed(fields[$0]) } ?? ""
    guard let moment = Self.moment(Timetable.trimmed(fields[time])) else {
      throw start.error(
        "time '\(fields[time].prefix(40))'; give 6:30 or 6:30:00 since the start, "
          + "or a date as 2026-04-18T14:30:00Z")
    }
    return Timetable.Row(
      mark: try mark(fields, at: start), moment: moment, team: name.isEmpty ? nil : name,
      line: start.line)
  }

  private func mark(
    _ fields: [String], at start: FilePlace
  ) throws(ImportError) -> Timetable.Mark {
    if let place {
      let name = Timetable.trimmed(fields[place]).lowercased()
      guard !name.isEmpty else { throw start.error("no place; give one of the course") }
      return .place(name)
    }
    let text = Timetable.trimmed(fields[kilometres ?? 0])
    let plain = String(text.map { $0 == "," ? "." : $0 })
    guard plain.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }),
      let number = Double(plain), number <= 1000
    else { throw start.error("km '\(text.prefix(40))'; give a number from 0 to 1000, as 30.2") }
    return .metres(Int32((number * 1000).rounded()))
  }

  private static func moment(_ text: String) -> Timetable.Moment? {
    if let utc = date(text) { return .date(utc) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...3).contains(parts[0].utf8.count),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    let numbers = parts.compactMap { Int64($0) } + [0]
    guard numbers.count >= 3, numbers[1] < 60, numbers[2] < 60 else { return nil }
    return .sinceStart(.seconds(numbers[0] * 3600 + numbers[1] * 60 + numbers[2]))
  }

  /// `2026-04-18T08:00:00Z` or `2026-04-18T10:00:00+02:00`; also without seconds. Without a zone
  /// nobody knows by which clock.
  private static func date(_ text: String) -> UTC? {
    let (minute, rest) = (text.utf8.prefix(16), text.utf8.dropFirst(16))
    guard rest.contains(where: { "Z+-".utf8.contains($0) }) else { return nil }
    let seconds = rest.first == UInt8(ascii: ":") ? [] : Array(":00".utf8)
    return DateText.xmlDate(String(decoding: minute + seconds + rest, as: UTF8.self))
  }
}

/// Why a timetable and a course do not belong together, in one line without the file's name.
public struct PlanError: Error, Sendable, Equatable, Worded {
  public let texts: Texts
}

extension Timetable {
  /// The place that a mark means: the one of its name, else the first one of that kind (`start`,
  /// `checkpoint`, `finish`); of kilometres the nearest one within `ReportBounds.timetableNearby`.
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
        away($0) <= ReportBounds.timetableNearby ? $0 : nil
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
  static func problem(with row: Row, on course: MappedCourse) -> PlanError {
    func kilometres(_ metres: Int32) -> String { Figure.fixed(Double(metres) / 1000, 1) }
    let places = course.places.map {
      "\($0.name.cut(to: NameWidth.place)) (km \(kilometres($0.place.alongMillimetres / 1000)))"
    }.joined(separator: ", ")
    switch row.mark {
    case .place(let name):
      return PlanError(
        texts: PlanPlacePhrase.noPlace.texts("\(row.line)", name.cut(to: 40), places))
    case .metres(let metres):
      return PlanError(
        texts: PlanPlacePhrase.noPlaceNearby.texts("\(row.line)", kilometres(metres), places))
    }
  }
}

/// What is said of a timetable's places.
enum PlanPlacePhrase: Catalogue {
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
