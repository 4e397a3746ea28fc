import Courses
import TrackerCore

/// Where somebody was at what time, by a recorded track.
struct Diary: Sendable {
  private var points: [Course.Point] = []
  /// When somebody was there, since `start`; ascending.
  private var times: [Milliseconds] = []
  /// A whole second.
  let start: UTC
  /// Between two segments, where the way is not known.
  private(set) var gaps: [TimeSpan] = []

  /// A shorter interruption does not count.
  private static let shortestGap = Milliseconds.seconds(30)

  /// The seconds between GPS and UTC, which a cold receiver does not know yet: 18 since 2017.
  private static let clockStep = Milliseconds.seconds(20)

  /// - Returns: `nil` if no point has a time, as in a track that was planned.
  /// - Throws: if its times cannot be played; a track with times is never walked without them.
  init?(_ file: GPXFile) throws(SynthProblem) {
    let all = file.segments.reduce(0) { $0 + $1.count }
    let undated = file.segments.reduce(0) { $0 + $1.count { $0.utc == nil } }
    if undated == all { return nil }
    guard undated == 0 else {
      throw SynthProblem(
        "\(undated) of its \(all) points have no time: remove these, or the times of all")
    }
    // Some programs write the latest track first.
    let segments = file.segments.filter { !$0.isEmpty }.sorted { a, b in
      guard let a = a.first?.utc, let b = b.first?.utc else { return false }
      return a < b
    }
    guard let first = segments.first?.first?.utc else { return nil }
    start = UTC(milliseconds: first.milliseconds - first.milliseconds % 1000)
    for segment in segments { try add(segment) }
    guard times.count > 1 else {
      throw SynthProblem("all of its points have the same time: fix them, or remove the times")
    }
  }

  private mutating func add(_ segment: [GPXFile.Point]) throws(SynthProblem) {
    let before = times.last
    for point in segment {
      guard let utc = point.utc else { continue }
      let time = utc - start
      guard time <= Synthesizer.longest else {
        throw SynthProblem("its times are more than two weeks apart: keep one walk in it")
      }
      if let last = times.last, time <= last {
        // The same time, or a clock that was put right.
        if last - time <= Self.clockStep { continue }
        throw SynthProblem(
          "\(TimeText.text(start + last)) is followed by \(TimeText.text(utc)): "
            + "fix the wrong one, and keep one walk in it")
      }
      if let before, times.last == before, time - before > Self.shortestGap {
        gaps.append(TimeSpan(from: before + 1000, to: time))
      }
      points.append(point.place)
      times.append(time)
    }
  }

  /// From `start` to the last point.
  var duration: Milliseconds { times.last ?? 0 }

  /// Where somebody was: between two points on the straight line.
  ///
  /// - Parameter segment: where the last search ended; time only goes forward.
  func place(at time: Milliseconds, segment: inout Int) -> Course.Point {
    while segment < points.count - 2, times[segment + 1] < time { segment += 1 }
    let (a, b) = (points[segment], points[segment + 1])
    let whole = times[segment + 1] - times[segment]
    let share = Double((time - times[segment]).count) / Double(whole.count)
    let part = min(max(share, 0), 1)
    return Course.Point(
      latitude: a.latitude + (b.latitude - a.latitude) * part,
      longitude: a.longitude + a.degreesEast(to: b) * part,
      altitude: a.altitude + (b.altitude - a.altitude) * part)
  }
}
