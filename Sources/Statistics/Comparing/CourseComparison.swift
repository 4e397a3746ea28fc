public import TrackerCore
public import Wording

/// Two sessions over one course, mark by mark: who was ahead where, and by how much.
public struct CourseComparison: Sendable, Equatable {
  public struct Row: Sendable, Equatable {
    public var mark: TimingMark
    public var a: CourseTimes.Passed?
    public var b: CourseTimes.Passed?
    /// How much longer B took from its start: positive, A is ahead. `nil`: one has not passed.
    public var lead: Milliseconds?
    /// How far off that may be.
    public var leadDoubt: Milliseconds = 0
    /// How the lead has changed since the last mark that both have passed.
    public var change: Milliseconds?
    public var changeDoubt: Milliseconds = 0
  }

  public let names: [String]
  /// Whether times of the day are compared, not those since each start.
  public let isByClock: Bool
  public let a: CourseTimes
  public let b: CourseTimes
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
  public var last: Row? { rows.last { $0.lead != nil } }
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
