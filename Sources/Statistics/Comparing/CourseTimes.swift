public import Courses
public import TrackerCore

/// When a session passed the places of a course.
///
/// The time begins where it leaves the start: 50 m along the course, or with its first point if
/// that is further along. A mark is passed when the session is first as far along the course as it
/// is, between two points on the straight line in time; a place as soon as the session is in its
/// circle, as for a tracker: a rest there comes after.
public struct CourseTimes: Sendable, Equatable {
  /// A passage of a mark or place.
  public struct Passed: Sendable, Equatable {
    /// Since the start.
    public var elapsed: Milliseconds
    public var utc: UTC
    /// Nobody saw it near there: within more than a quarter of an hour, or off the course.
    public var isInferred = false
    /// How far off `utc` may be, because nobody saw it just there.
    public var doubt: Milliseconds = 0
    /// How far off `elapsed` may be: the start's doubt, too.
    public var elapsedDoubt: Milliseconds = 0
  }

  /// Metres along the course of each mark, rising.
  public let marks: [TimingMark]
  /// As many as there are marks; `nil`: not passed.
  public internal(set) var passed: [Passed?]
  public internal(set) var start: UTC?
  /// How far off that may be.
  public internal(set) var startDoubt: Milliseconds = 0
  /// Where it was first seen on the course, metres along it; `nil`: as below.
  public internal(set) var begun: Double?
  /// The furthest place, metres along the course; `nil`: it was never near it.
  public internal(set) var furthest: Double?
  /// Whether a point has a time: without any nothing is known.
  public internal(set) var isTimed = true
  /// How often it left the course.
  public internal(set) var excursions = 0

  /// A session's.
  public init(_ points: [TrackPoint], on course: MappedCourse, at marks: [TimingMark]) {
    self.marks = marks
    passed = Array(repeating: nil, count: marks.count)
    isTimed = points.contains { $0.utc != nil }
    var walker = CourseWalker()
    for point in points { walker.take(point, on: course) }
    furthest = walker.furthest
    excursions = walker.excursions
    begun = walker.samples.first?.at.along
    let begun = begun ?? 0
    guard let first = walker.time(at: Self.leaving(from: begun)) else { return }
    (start, startDoubt) = (first.utc, first.doubt)
    for (index, mark) in marks.enumerated() where mark.metres >= begun {
      guard let at = walker.passed(mark, mark.place(on: course)) else { continue }
      passed[index] = Passed(
        elapsed: at.utc - first.utc, utc: at.utc, isInferred: at.isInferred, doubt: at.doubt,
        elapsedDoubt: at.doubt + first.doubt)
    }
  }

  /// Where the time begins, metres along the course.
  static func leaving(from begun: Double) -> Double { max(50, begun) }

  /// A timetable's: a plan for each mark that it names.
  public init(plan: [UTC?], start: UTC?, at marks: [TimingMark]) {
    self.marks = marks
    let begin = start ?? plan.compactMap { $0 }.first
    self.start = begin
    passed = zip(marks, plan).map { mark, utc in
      guard let utc, let begin else { return nil }
      return Passed(elapsed: utc - begin, utc: utc)
    }
    furthest = passed.lastIndex { $0 != nil }.map { marks[$0].metres }
  }
}

/// A place on a course where times are compared.
public struct TimingMark: Sendable, Equatable {
  /// Along the course.
  public var metres: Double
  /// Empty: a mark every so many metres.
  public var name: String
  /// So many metres before it count as there: a place's radius; and nobody stands on the last metre
  /// of a course.
  public var slack = 0.0

  public init(metres: Double, name: String = "", slack: Double = 0) {
    self.metres = metres
    self.name = name
    self.slack = slack
  }

  private static let finishSlack = 50.0

  /// The places of a course but its start, marks every so many metres, and its end. A mark beside a
  /// place has another time: a place is passed at its circle.
  public static func all(of course: MappedCourse, every: Int64) -> [TimingMark] {
    var marks = course.places.filter { $0.place.kind != .start }.map {
      TimingMark(metres: Double($0.place.alongMillimetres) / 1000, name: $0.name)
    }
    let step = Double(max(every, StatisticsBounds.marksEvery.lowerBound))
    var at = step
    while at < course.lengthMetres, marks.count < StatisticsBounds.mostMarks {
      if !marks.contains(where: { abs($0.metres - at) < 1 }) {
        marks.append(TimingMark(metres: at))
      }
      at += step
    }
    if !marks.contains(where: { course.lengthMetres - $0.metres < 200 && !$0.name.isEmpty }) {
      marks.append(TimingMark(metres: course.lengthMetres))
    }
    return marks.map { $0.withSlack(on: course) }.sorted { $0.metres < $1.metres }
  }

  /// The place that it is; `nil`: none.
  func place(on course: MappedCourse) -> CoursePlace? {
    course.places.first {
      $0.name == name && abs(Double($0.place.alongMillimetres) / 1000 - metres) < 1
    }?.place
  }

  /// With the slack of a place, or that a mark at the end of a course needs, and the start's.
  public func withSlack(on course: MappedCourse) -> TimingMark {
    var mark = self
    mark.slack = max(0, Self.finishSlack - (course.lengthMetres - metres))
    if let place = place(on: course), place.kind != .start {
      mark.slack = max(mark.slack, Double(place.radiusMetres))
    }
    // The time of the start is that of leaving it.
    if metres < Self.finishSlack { mark.metres = Self.finishSlack }
    return mark
  }
}
