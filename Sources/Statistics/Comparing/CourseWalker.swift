import Courses
import TrackerCore

/// Follows a session along a course, by the tracker's own matcher.
struct CourseWalker {
  struct Sample: Equatable {
    /// Metres along the course; rising from one sample to the next.
    var along: Double
    var utc: UTC
    /// Since the sample before it was off the course.
    var isAfterExcursion: Bool
  }

  private(set) var samples: [Sample] = []
  private(set) var excursions = 0
  private var progress = CourseProgress()
  private var dates = Dates()
  private var passages = Passages()
  private var isOff = false
  private var wasOff = false
  private var before: (along: Double, position: Coordinate)?

  var furthest: Double? { samples.last?.along }

  /// A point without a time, or with one that repeats or goes back, tells nothing.
  mutating func take(_ point: TrackPoint, on course: MappedCourse) {
    guard case .dated = dates.take(point.utc), let utc = point.utc else { return }
    passages = Passages()
    progress.move(
      to: point.position, accuracyMetres: point.accuracyMetres, at: .start + dates.elapsed,
      on: course, into: &passages)
    guard let done = progress.doneMetres else { return }
    if progress.offCourseSince != nil {
      if !isOff { excursions += 1 }
      (isOff, wasOff) = (true, true)
      return
    }
    isOff = false
    let along = Double(done)
    defer { before = (along, point.position) }
    correct(along, point.position)
    guard let last = samples.last else {
      samples.append(Sample(along: along, utc: utc, isAfterExcursion: false))
      return
    }
    if along > last.along {
      samples.append(Sample(along: along, utc: utc, isAfterExcursion: wasOff))
      wasOff = false
    } else if along == last.along || last.along < 50 {
      // It still stands there, or has not started: the way begins later.
      if last.along < 50 { samples[samples.count - 1].utc = utc }
    }
  }

  /// The matcher has found that it was somewhere else: what was further along is not true. Who
  /// walks back does not jump.
  private mutating func correct(_ along: Double, _ position: Coordinate) {
    guard let before, along < before.along - 300 else { return }
    let moved = Double(before.position.distanceMillimetres(to: position)) / 1000
    guard before.along - along > moved * 1.5 + 200 else { return }
    while samples.count > 1, let last = samples.last, last.along > along { samples.removeLast() }
  }

  /// When it was so far along for the first time; `nil`: never, or before the first sample.
  func time(at metres: Double) -> (utc: UTC, isInferred: Bool)? {
    guard let first = samples.first, metres >= first.along else { return nil }
    guard let next = samples.firstIndex(where: { $0.along >= metres }) else { return nil }
    guard next > 0 else { return (first.utc, false) }
    let (a, b) = (samples[next - 1], samples[next])
    let whole = b.utc - a.utc
    let share = (metres - a.along) / (b.along - a.along)
    let part = Milliseconds(Int64((Double(whole.count) * share).rounded()))
    return (a.utc + part, b.isAfterExcursion || whole > StatisticsBounds.shortestGap)
  }
}
