public import Courses
public import TrackerCore
import Wording

/// How far a session got along a course, and the same from mark to mark: of captures minutes apart,
/// too, where straight lines between them would be too short.
public struct CourseStatistics: Sendable, Equatable {
  /// A mark or place that was passed.
  public struct Mark: Sendable, Equatable {
    public var mark: TimingMark
    public var passed: CourseTimes.Passed
    /// Since the mark before that was passed, or the start.
    public var partial: Milliseconds
    /// How far off that may be.
    public var partialDoubt: Milliseconds
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
  public let to: Double?
  /// Whether a point has a time.
  public let isTimed: Bool
  /// How often it left the course.
  public let excursions: Int
  public let start: UTC?
  /// In their order along the course.
  public let marks: [Mark]

  /// - Parameters:
  ///   - points: in their order.
  ///   - every: metres from mark to mark, beside the course's places.
  public init(_ points: [TrackPoint], on course: MappedCourse, every: Int64) {
    let times = CourseTimes(points, on: course, at: TimingMark.all(of: course, every: every))
    (from, to, start) = (times.begun, times.furthest, times.start)
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
