public import TrackerCore

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
  public enum Mark: Sendable, Hashable {
    /// In lower case, without blanks around it.
    case place(String)
    /// From the start.
    case metres(Int32)

    /// Whether it is the beginning of the course.
    public var isStart: Bool { self == .place("start") || self == .metres(0) }
  }

  public enum Moment: Sendable, Equatable {
    case date(UTC)
    /// Since the team's own start.
    case sinceStart(Milliseconds)
  }

  public struct Row: Sendable, Equatable {
    public var mark: Mark
    public var moment: Moment
    /// `nil`: every team.
    public var team: String?
    /// In the file, from 1 on.
    public var line: Int
  }

  /// In the order of the file.
  public private(set) var rows: [Row] = []

  /// Rows at most: forty teams at forty places, several times over.
  public static let longest = 10_000
  /// Bytes of a file at most.
  public static let largestFile = 4 << 20

  /// The rows that hold for a team, one for each mark, in the order of the file.
  public func rows(of team: String) -> [Row] {
    let own = Set(rows.filter { $0.team == team }.map(\.mark))
    return rows.filter { $0.team == team || $0.team == nil && !own.contains($0.mark) }
  }

  /// When a row's place is due.
  ///
  /// - Parameter started: when the team has started, or is to start.
  public func due(_ row: Row, started: UTC?) -> UTC? {
    switch row.moment {
    case .date(let utc): utc
    case .sinceStart(let time): started.map { $0 + time }
    }
  }

  mutating func add(_ row: Row) { rows.append(row) }
}
