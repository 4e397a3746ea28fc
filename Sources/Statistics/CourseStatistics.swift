import Courses
public import TrackerCore
import Wording

/// How far a session got along a course, and the same from mark to mark: of captures minutes apart,
/// too, where straight lines between them would be too short.
public struct CourseStatistics: Sendable, Equatable {
  /// A mark or place that was passed.
  public struct Mark: Sendable, Equatable {
    public var mark: TimingMark
    var passed: CourseTimes.Passed
    /// Since the mark before that was passed, or the start.
    public var partial: Milliseconds
    /// How far off that may be.
    var partialDoubt: Milliseconds
    /// Along the course since then.
    public var metres: Double

    /// The time of a kilometre; `nil`: less than 10 m.
    public var pace: Milliseconds? {
      guard metres >= 10, partial > 0 else { return nil }
      return Milliseconds(Int64((Double(partial.count) * 1000 / metres).rounded()))
    }
  }

  /// Metres along the course where it was first and furthest; `nil`: it was never near it, or no
  /// point has a time.
  public let from: Double?
  let to: Double?
  /// Whether a point has a time.
  let isTimed: Bool
  /// How often it left the course.
  let excursions: Int
  /// In their order along the course.
  public let marks: [Mark]

  /// - Parameters:
  ///   - points: in their order.
  ///   - every: metres from mark to mark, beside the course's places.
  init(_ points: [TrackPoint], on course: MappedCourse, every: Int64) {
    let times = CourseTimes(points, on: course, at: TimingMark.all(of: course, every: every))
    (from, to) = (times.begun, times.furthest)
    (isTimed, excursions) = (times.isTimed, times.excursions)
    var before = (
      metres: CourseTimes.leaving(from: times.begun ?? 0), elapsed: Milliseconds(0),
      doubt: times.startDoubt
    )
    marks = zip(times.marks, times.passed).compactMap { mark, passed in
      guard let passed else { return nil }
      let at = mark.metres - mark.slack
      defer { before = (at, passed.elapsed, passed.doubt) }
      return Mark(
        mark: mark, passed: passed, partial: passed.elapsed - before.elapsed,
        partialDoubt: passed.doubt + before.doubt, metres: at - before.metres)
    }
  }

  /// Metres along the course.
  public var metres: Double? {
    guard let from, let to else { return nil }
    return to - from
  }
}

extension CourseStatistics {
  /// For scripts, in no language.
  var figure: Figure {
    func metres(_ value: Double?) -> Figure { value.map { .real($0, decimals: 0) } ?? .none }
    return .object([
      Figure.Member("distance_m", metres(self.metres)), Figure.Member("from_m", metres(from)),
      Figure.Member("to_m", metres(to)), Figure.Member("excursions", .integer(excursions)),
      Figure.Member(
        "marks",
        .list(
          marks.map { mark in
            .object([
              Figure.Member("at_m", .real(mark.mark.metres, decimals: 1)),
              Figure.Member("name", mark.mark.name.isEmpty ? .none : .text(mark.mark.name)),
              Figure.Member("time", .text(SessionStatistics.date(mark.passed.utc))),
              Figure.Member("doubt_s", SessionStatistics.seconds(mark.passed.doubt)),
              Figure.Member("elapsed_s", SessionStatistics.seconds(mark.passed.elapsed)),
              Figure.Member(
                "elapsed_doubt_s", SessionStatistics.seconds(mark.passed.elapsedDoubt)),
              Figure.Member("partial_s", SessionStatistics.seconds(mark.partial)),
              Figure.Member("partial_doubt_s", SessionStatistics.seconds(mark.partialDoubt)),
              Figure.Member("pace_s_km", SessionStatistics.seconds(mark.pace)),
              Figure.Member("inferred", .boolean(mark.passed.isInferred)),
            ])
          })),
    ])
  }
}

// The way along a course, and its marks.
extension StatisticsText {
  /// `98.3 km, from km 0.0 to km 98.3`
  func along(_ course: CourseStatistics) -> String? {
    guard let from = course.from, let to = course.to, let metres = course.metres else {
      return course.isTimed ? CourseComparisonPhrase.neverThere.text(in: language) : nil
    }
    return StatisticsPhrase.alongParts.text(
      in: language, kilometres(metres, 2), kilometres(from, 1), kilometres(to, 1))
  }

  /// The marks of a course that were passed, a line each, below their heads.
  ///
  /// - Parameter newest: so many of the last ones.
  func table(of course: CourseStatistics, newest: Int) -> [String] {
    let head =
      ["km", clocks]
      + [StatisticsPhrase.headPiece, .headPace].map { $0.text(in: language) }
    let rows = course.marks.suffix(max(0, newest)).map { mark in
      [
        kilometres(mark.mark.metres, statistics.every % 1000 != 0 ? 2 : 1),
        Doubt.text(clock(mark.passed.utc), mark.passed.doubt, isInferred: mark.passed.isInferred),
        Doubt.text(Quantity.hours(mark.partial), mark.partialDoubt),
        mark.pace.map { (Doubt.isSaid(mark.partialDoubt) ? "~" : "") + Quantity.clock($0) } ?? "",
        mark.mark.name.cut(to: NameWidth.place),
      ]
    }
    let place = CourseComparisonPhrase.place.text(in: language)
    var lines = [Self.line(head) + "  " + place]
    let hidden = course.marks.count - rows.count
    if hidden > 0 {
      lines.append(StatisticsPhrase.earlier.text(in: language, count: Int64(hidden)))
    }
    return lines
      + rows.map { row in
        let name = row.last ?? ""
        return Self.line(row.dropLast()) + (name.isEmpty ? "" : "  " + name)
      }
  }
}
