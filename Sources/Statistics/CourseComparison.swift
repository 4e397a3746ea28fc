public import TrackerCore
public import Wording

/// Two sessions over one course, mark by mark: who was ahead where, and by how much.
public struct CourseComparison: Sendable, Equatable {
  public struct Row: Sendable, Equatable {
    public var mark: TimingMark
    var a: CourseTimes.Passed?
    var b: CourseTimes.Passed?
    /// How much longer B took from its start: positive, A is ahead. `nil`: one has not passed.
    public var lead: Milliseconds?
    /// How far off that may be.
    public var leadDoubt: Milliseconds = 0
    /// How the lead has changed since the last mark that both have passed.
    var change: Milliseconds?
    var changeDoubt: Milliseconds = 0
  }

  let names: [String]
  /// Whether times of the day are compared, not those since each start.
  let isByClock: Bool
  let a: CourseTimes
  let b: CourseTimes
  public let rows: [Row]

  /// - Parameter isByClock: compares the times of the day: with a timetable.
  public init(
    _ a: CourseTimes, _ b: CourseTimes, names: [String], isByClock: Bool = false
  ) {
    self.a = a
    self.b = b
    self.names = names
    self.isByClock = isByClock
    var before: (lead: Milliseconds, doubt: Milliseconds)?
    rows = zip(a.marks, zip(a.passed, b.passed)).map { mark, passed in
      var row = Row(mark: mark, a: passed.0, b: passed.1)
      guard let one = passed.0, let other = passed.1 else { return row }
      let lead = isByClock ? other.utc - one.utc : other.elapsed - one.elapsed
      let doubt =
        isByClock ? one.doubt + other.doubt : one.elapsedDoubt + other.elapsedDoubt
      (row.lead, row.leadDoubt) = (lead, doubt)
      row.change = lead - (before?.lead ?? (isByClock ? lead : 0))
      // What is uncertain about the starts is in both leads.
      let passing = one.doubt + other.doubt
      row.changeDoubt = before.map { $0.doubt + passing } ?? (isByClock ? 0 : doubt)
      before = (lead, passing)
      return row
    }
  }

  /// The last row that both have passed.
  var last: Row? { rows.last { $0.lead != nil } }
}

extension CourseComparison {
  /// The same for scripts, in no language.
  public var figures: Figure {
    .object([
      Figure.Member("a", Self.figure(a, names.first ?? "")),
      Figure.Member("b", Self.figure(b, names.last ?? "")),
      Figure.Member(
        "marks",
        .list(
          rows.map { row in
            .object([
              Figure.Member("at_m", .real(row.mark.metres, decimals: 1)),
              Figure.Member("name", row.mark.name.isEmpty ? .none : .text(row.mark.name)),
              Figure.Member("a_s", SessionStatistics.seconds(row.a?.elapsed)),
              Figure.Member("b_s", SessionStatistics.seconds(row.b?.elapsed)),
              Figure.Member("a_time", row.a.map { .text(SessionStatistics.date($0.utc)) } ?? .none),
              Figure.Member("b_time", row.b.map { .text(SessionStatistics.date($0.utc)) } ?? .none),
              Figure.Member("a_inferred", row.a.map { .boolean($0.isInferred) } ?? .none),
              Figure.Member("b_inferred", row.b.map { .boolean($0.isInferred) } ?? .none),
              Figure.Member("a_doubt_s", SessionStatistics.seconds(row.a?.elapsedDoubt)),
              Figure.Member("b_doubt_s", SessionStatistics.seconds(row.b?.elapsedDoubt)),
              Figure.Member("a_time_doubt_s", SessionStatistics.seconds(row.a?.doubt)),
              Figure.Member("b_time_doubt_s", SessionStatistics.seconds(row.b?.doubt)),
              Figure.Member("lead_of_a_s", SessionStatistics.seconds(row.lead)),
              Figure.Member(
                "lead_doubt_s", SessionStatistics.seconds(row.lead.map { _ in row.leadDoubt })),
              Figure.Member("change_s", SessionStatistics.seconds(row.change)),
              Figure.Member(
                "change_doubt_s", SessionStatistics.seconds(row.change.map { _ in row.changeDoubt })
              ),
            ])
          })),
    ])
  }

  private static func figure(_ times: CourseTimes, _ name: String) -> Figure {
    .object([
      Figure.Member("name", .text(name)),
      Figure.Member("start", times.start.map { .text(SessionStatistics.date($0)) } ?? .none),
      Figure.Member(
        "start_doubt_s", SessionStatistics.seconds(times.start.map { _ in times.startDoubt })),
      Figure.Member("furthest_m", times.furthest.map { .real($0, decimals: 0) } ?? .none),
      Figure.Member("excursions", .integer(times.excursions)),
    ])
  }
}

/// How far a time may be off that nobody saw, because it lies between two sightings.
public enum Doubt {
  /// Of a time in proportion to the way: a team that walks no faster than `fastest` walked for at
  /// least this long, and rested before the place or after it.
  ///
  /// - Parameters:
  ///   - done: metres from the sighting before to the place.
  ///   - toGo: metres from the place to the next sighting.
  ///   - time: from one sighting to the other.
  ///   - fastest: metres per second.
  static func between(
    done: Double, toGo: Double, in time: Milliseconds,
    fastest: Double = StatisticsBounds.fastestPace
  ) -> Milliseconds {
    guard done + toGo > 0 else { return time }
    let rested = Double(time.count) - (done + toGo) * 1000 / fastest
    let share = max(done, toGo) / (done + toGo)
    return Milliseconds(Int64((max(0, rested) * share).rounded()))
  }

  /// What an error of a position makes of its time, at a walk of 5 km/h.
  static func of(metres: Double) -> Milliseconds { Milliseconds(Int64(metres * 720)) }

  /// Whether it is shown.
  static func isSaid(_ doubt: Milliseconds) -> Bool { doubt >= StatisticsBounds.saidDoubt }

  /// `~10:05 ±3'`, without the seconds, which nobody knows; as it is without a doubt worth saying.
  ///
  /// - Parameters:
  ///   - clock: ends with seconds.
  ///   - isTight: for tables that lack room for a blank.
  public static func text(
    _ clock: String, _ doubt: Milliseconds, isInferred: Bool = false, isTight: Bool = false
  ) -> String {
    guard isSaid(doubt) || isInferred else { return clock }
    return "~\(clock.dropLast(3))\(isTight ? "" : " ")±\(minutes(doubt))'"
  }

  /// Rounded up.
  private static func minutes(_ doubt: Milliseconds) -> Int64 {
    max(1, (doubt.count + 59_999) / 60_000)
  }
}

/// A comparison for people, in lines of at most 79 columns.
public struct CourseComparisonText {
  private let comparison: CourseComparison
  private let language: Language

  public init(_ comparison: CourseComparison, in language: Language) {
    self.comparison = comparison
    self.language = language
  }

  private func say(_ phrase: CourseComparisonPhrase, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments)
  }

  public var title: String { say(.title) }

  /// Who is who, and who is ahead where both have been.
  public var lines: [String] {
    var lines = zip(["A", "B"], zip(comparison.names, [comparison.a, comparison.b])).map {
      letter, session in
      let name = session.0.isEmpty ? say(.plan) : session.0.cut(to: 2 * NameWidth.team)
      return "\(letter)" + language.colon + name + " · " + about(session.1)
    }
    lines.append(conclusion)
    return lines
  }

  private func about(_ times: CourseTimes) -> String {
    guard let furthest = times.furthest else {
      return times.isTimed ? say(.neverThere) : StatisticsPhrase.noTimes.text(in: language)
    }
    var parts = [say(.upTo, kilometres(furthest))]
    if let start = times.start {
      parts.insert(say(.start, CalendarText.text(start)), at: 0)
    }
    if times.excursions > 0 {
      parts.append(
        CourseComparisonPhrase.excursions.text(in: language, count: Int64(times.excursions)))
    }
    return parts.joined(separator: ", ")
  }

  public var conclusion: String {
    guard let row = comparison.last, let lead = row.lead else { return say(.nothingCommon) }
    let place = row.mark.name.isEmpty ? "km " + kilometres(row.mark.metres) : row.mark.name
    if lead == 0 { return say(.level, place) }
    return say(.ahead, lead > 0 ? "A" : "B", Doubt.text(time(lead), row.leadDoubt), place)
  }

  /// Whether both were somewhere on the course: else the table would be empty.
  public var hasTable: Bool { comparison.a.furthest != nil && comparison.b.furthest != nil }

  public var head: [String] {
    ["km", say(.place), "A", "B", say(.ahead1), say(.change)]
  }

  public func cells(_ row: CourseComparison.Row) -> [String] {
    [
      kilometres(row.mark.metres), row.mark.name.cut(to: NameWidth.place), passed(row.a),
      passed(row.b),
      row.lead.map { ahead($0, row.leadDoubt) } ?? "-",
      row.change.map { ahead($0, row.changeDoubt) } ?? "",
    ]
  }

  /// A `~` stands before what nobody saw, and after it by how much it may be off.
  private func passed(_ passed: CourseTimes.Passed?) -> String {
    guard let passed else { return "-" }
    let clock = String(CalendarText.text(passed.utc).dropFirst(11))
    let shown =
      comparison.isByClock
      ? (clock, passed.doubt) : (time(passed.elapsed), passed.elapsedDoubt)
    return Doubt.text(shown.0, shown.1, isInferred: passed.isInferred, isTight: true)
  }

  /// `A 0:03:48`: A is ahead by that, or has gained it.
  private func ahead(_ lead: Milliseconds, _ doubt: Milliseconds) -> String {
    (lead == 0 ? "" : lead > 0 ? "A " : "B ") + Doubt.text(time(lead), doubt, isTight: true)
  }

  /// A time that passed, as `3:05:20`.
  public func time(_ time: Milliseconds) -> String {
    Quantity.hours(Milliseconds(abs(time.count)))
  }

  private func kilometres(_ metres: Double) -> String {
    Quantity.decimal(metres / 1000, 1, in: language)
  }

  /// All of it, each line with its end.
  public var text: String {
    guard hasTable else { return lines.map { $0 + "\n" }.joined() }
    let rows = [head] + comparison.rows.map { cells($0) }
    let widths = (0..<6).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let table = rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        line += (column > 0 ? "  " : "") + (column == 1 ? cell + gap : gap + cell)
      }
      return line
    }
    return (lines + [""] + table).map { Self.trimmed($0) + "\n" }.joined()
  }

  private static func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}

/// What a comparison over a course says.
enum CourseComparisonPhrase: Catalogue {
  case title, neverThere, start, upTo, excursions, nothingCommon, level, ahead, place, ahead1,
    change

  case plan

  public var texts: Texts {
    switch self {
    case .plan: Texts(ca: "horari", es: "horario", en: "timetable", fr: "horaire")
    case .title:
      Texts(
        ca: "Marca per marca", es: "Marca por marca", en: "Mark by mark", fr: "Marque par marque")
    case .neverThere:
      Texts(
        ca: "mai no és al recorregut", es: "nunca está en el recorrido",
        en: "never on the course", fr: "jamais sur le parcours")
    case .start:
      Texts(ca: "sortida {1} UTC", es: "salida {1} UTC", en: "start {1} UTC", fr: "départ {1} UTC")
    case .upTo:
      Texts(ca: "fins al km {1}", es: "hasta el km {1}", en: "up to km {1}", fr: "jusqu'au km {1}")
    case .excursions:
      Texts(
        ca: "{1} vegada fora del recorregut | {1} vegades fora del recorregut",
        es: "{1} vez fuera del recorrido | {1} veces fuera del recorrido",
        en: "{1} time off the course | {1} times off the course",
        fr: "{1} fois hors du parcours | {1} fois hors du parcours")
    case .nothingCommon:
      Texts(
        ca: "cap marca no és de tots dos", es: "ninguna marca es de ambos",
        en: "no mark is of both", fr: "aucune marque commune")
    case .level:
      Texts(
        ca: "empatats a {1}", es: "empatados en {1}", en: "level at {1}", fr: "à égalité à {1}")
    case .ahead:
      Texts(
        ca: "{1} va {2} al davant a {3}", es: "{1} va {2} por delante en {3}",
        en: "{1} is {2} ahead at {3}", fr: "{1} a {2} d'avance à {3}")
    case .place: Texts(ca: "lloc", es: "lugar", en: "place", fr: "lieu")
    case .ahead1:
      Texts(ca: "al davant", es: "por delante", en: "ahead", fr: "devant")
    case .change:
      Texts(ca: "guany", es: "ganancia", en: "gained", fr: "gagné")
    }
  }
}
