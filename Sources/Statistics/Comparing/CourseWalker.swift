import Courses
import TrackerCore

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
