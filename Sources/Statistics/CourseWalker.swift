public import Courses
public import TrackerCore

/// Follows a session along a course, by the tracker's own matcher.
struct CourseWalker {
  /// Somewhere on the course.
  struct Sighting: Equatable {
    /// Metres along the course.
    var along: Double
    var utc: UTC
    /// How far off `along` may be, metres.
    var error: Double
  }

  /// A sighting that was further along than all before.
  struct Sample: Equatable {
    var at: Sighting
    /// The last sighting before it; `nil`: it is the first.
    var before: Sighting?
    /// Since the sighting before it was off the course.
    var isAfterExcursion = false
    /// Since then it was beside the course, if not for long enough to be off it.
    var isAfterStep = false
  }

  /// A time on the course.
  struct Found: Equatable {
    var utc: UTC
    var isInferred = false
    /// How far off it may be.
    var doubt: Milliseconds
  }

  private(set) var samples: [Sample] = []
  private(set) var excursions = 0
  private var progress = CourseProgress()
  private var dates = Dates()
  private var passages = Passages()
  private var isOff = false
  private var (wasOff, wasBeside) = (false, false)
  private var before: (sighting: Sighting, position: Coordinate)?
  /// Where it was seen entering places.
  private var entries: [(position: Coordinate, sighting: Sighting)] = []

  var furthest: Double? { samples.last?.at.along }

  /// A point without a time, or with one that repeats or goes back, says nothing.
  mutating func take(_ point: TrackPoint, on course: MappedCourse) {
    guard case .dated = dates.take(point.utc), let utc = point.utc else { return }
    passages = Passages()
    progress.move(
      to: point.position, accuracyMetres: point.accuracyMetres, at: .start + dates.elapsed,
      on: course, into: &passages)
    guard let done = progress.doneMetres, let away = progress.awayMetres else { return }
    if progress.offCourseSince != nil {
      if !isOff { excursions += 1 }
      (isOff, wasOff) = (true, true)
      return
    }
    isOff = false
    let accuracy = min(max(0, point.accuracyMetres ?? Self.usualAccuracy), 200)
    guard away <= course.courseLimits.offCourseMetres + 3 * accuracy else {
      wasBeside = true
      return
    }
    let sighting = Sighting(
      along: Double(done), utc: utc, error: Double(accuracy + course.courseErrorMetres))
    correct(sighting.along, point.position)
    if point.isEntry { entries.append((point.position, sighting)) }
    if samples.last.map({ sighting.along > $0.at.along }) ?? true {
      samples.append(
        Sample(
          at: sighting, before: before?.sighting, isAfterExcursion: wasOff,
          isAfterStep: wasBeside))
      (wasOff, wasBeside) = (false, false)
    }
    before = (sighting, point.position)
  }

  /// Metres, where a point does not say its own.
  private static let usualAccuracy: Int32 = 5

  /// The matcher has found that it was somewhere else: what was further along is not true. Walking
  /// back is not a jump.
  private mutating func correct(_ along: Double, _ position: Coordinate) {
    guard let before, along < before.sighting.along - 300 else { return }
    let moved = Double(before.position.distanceMillimetres(to: position)) / 1000
    guard before.sighting.along - along > moved * 1.5 + 200 else { return }
    while samples.count > 1, let last = samples.last, last.at.along > along {
      samples.removeLast()
    }
  }

  /// Metres per second, between sightings some minutes apart.
  private lazy var paces: [(utc: UTC, pace: Double)] = samples.compactMap { sample in
    guard let a = sample.before, !sample.isAfterExcursion else { return nil }
    let time = Double((sample.at.utc - a.utc).count) / 1000
    guard time >= StatisticsBounds.paceSeconds else { return nil }
    return (sample.at.utc, (sample.at.along - a.along) / time)
  }

  /// Metres per second: what the walk's own pace hardly exceeded in the hours around a time; where
  /// few sightings show it, in all; without them a walker's highest.
  private mutating func fastestPace(around utc: UTC) -> Double {
    let near = paces.filter { abs(($0.utc - utc).count) <= StatisticsBounds.paceTime.count }
    let shown = near.count < StatisticsBounds.leastPaces ? paces : near
    let most = (shown.map(\.pace).max() ?? 0) * StatisticsBounds.paceMargin
    guard shown.count < StatisticsBounds.leastPaces else { return most }
    return max(StatisticsBounds.fastestPace, most)
  }

  /// When it was at a mark for the first time; `nil`: never, or before the first sighting.
  ///
  /// - Parameter place: of the mark, if it is one.
  mutating func passed(_ mark: TimingMark, _ place: CoursePlace?) -> Found? {
    if let place, place.kind != .start, let entry = entry(of: place) { return entry }
    return time(at: mark.metres - mark.slack)
  }

  /// A tracker takes a capture where it enters a place. Where its receiver slept, that is well
  /// inside.
  private func entry(of place: CoursePlace) -> Found? {
    for (position, sighting) in entries {
      let depth = Double(place.radiusMetres - place.position.distanceMetres(to: position))
      let away = abs(sighting.along - Double(place.alongMillimetres) / 1000)
      guard away <= Double(3 * place.radiusMetres + 300), depth + sighting.error >= 0,
        depth <= StatisticsBounds.edgeMetres
      else { continue }
      return Found(utc: sighting.utc, doubt: Doubt.of(metres: max(0, depth) + sighting.error))
    }
    return nil
  }

  /// When it was so far along for the first time: in proportion to the way between the sightings
  /// before and after.
  mutating func time(at metres: Double) -> Found? {
    guard let first = samples.first, metres >= first.at.along else { return nil }
    guard let next = samples.first(where: { $0.at.along >= metres }) else { return nil }
    let b = next.at
    guard let a = next.before, metres > a.along else {
      return Found(utc: b.utc, doubt: Doubt.of(metres: b.error))
    }
    let whole = b.utc - a.utc
    let (done, toGo) = (metres - a.along, b.along - metres)
    let part = Milliseconds(Int64((Double(whole.count) * done / (done + toGo)).rounded()))
    // Nobody knows the way that it took.
    let isElsewhere = next.isAfterExcursion || next.isAfterStep
    let doubt =
      isElsewhere
      ? max(part, whole - part)
      : Doubt.between(done: done, toGo: toGo, in: whole, fastest: fastestPace(around: b.utc))
    return Found(
      utc: a.utc + part,
      isInferred: next.isAfterExcursion || whole > StatisticsBounds.shortestGap,
      doubt: doubt + Doubt.of(metres: (a.error + b.error) / 2))
  }
}

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
    var elapsed: Milliseconds
    public var utc: UTC
    /// Nobody saw it near there: within more than a quarter of an hour, or off the course.
    var isInferred = false
    /// How far off `utc` may be, because nobody saw it just there.
    public var doubt: Milliseconds = 0
    /// How far off `elapsed` may be: the start's doubt, too.
    var elapsedDoubt: Milliseconds = 0
  }

  /// Metres along the course of each mark, rising.
  let marks: [TimingMark]
  /// As many as there are marks; `nil`: not passed.
  public internal(set) var passed: [Passed?]
  public internal(set) var start: UTC?
  /// How far off that may be.
  var startDoubt: Milliseconds = 0
  /// Where it was first seen on the course, metres along it; `nil`: as below.
  var begun: Double?
  /// The furthest place, metres along the course; `nil`: it was never near it.
  var furthest: Double?
  /// Whether a point has a time: without any nothing is known.
  var isTimed = true
  /// How often it left the course.
  var excursions = 0

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
  var slack = 0.0

  public init(metres: Double, name: String = "", slack: Double = 0) {
    self.metres = metres
    self.name = name
    self.slack = slack
  }

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
    mark.slack = max(0, StatisticsBounds.finishSlackMetres - (course.lengthMetres - metres))
    if let place = place(on: course), place.kind != .start {
      mark.slack = max(mark.slack, Double(place.radiusMetres))
    }
    // The time of the start is that of leaving it.
    if metres < StatisticsBounds.finishSlackMetres {
      mark.metres = StatisticsBounds.finishSlackMetres
    }
    return mark
  }
}
