import Courses
import TrackerCore

/// A walk by a GPX file: a receiver goes where and when the file says. A file without times is
/// walked like a course of `synth`.
struct GPXWalk {
  private(set) var synthesizer: Synthesizer
  let places: [(name: String?, point: Course.Point)]

  init(_ bytes: [UInt8], path: String) throws(SynthError) {
    let file: GPXFile
    do throws(CourseError) { file = try GPXFile(bytes) } catch {
      throw SynthError(error.description)
    }
    places = file.places.map { ($0.name, $0.point) }
    let points = file.segments.flatMap { $0.map(\.place) }
    var options = SynthOptions()
    options.name = file.name ?? "GPX"
    let diary = try Diary(file)
    let course: Course
    if let diary {
      course = Course(name: options.name, points: points)
      options.start = diary.start
      options.duration = diary.duration + 1000
      options.tunnels = diary.gaps
    } else {
      course = try Course(
        line: points, places: places, name: options.name, source: "")
    }
    synthesizer = try Synthesizer(
      options: options, course: course, command: "tracker-sim --trace \(printable(path))",
      diary: diary)
  }
}

/// Where somebody was at what time, by a recorded track.
struct Diary: Sendable {
  private var points: [Course.Point] = []
  /// When somebody was there, since `start`; ascending.
  private var times: [Milliseconds] = []
  /// A whole second.
  let start: UTC
  /// Between two segments, where the way is not known.
  private(set) var gaps: [TimeSpan] = []

  /// The seconds between GPS and UTC, which a cold receiver does not know yet: 18 since 2017.
  private static let clockStep = Milliseconds.seconds(20)

  /// - Returns: `nil` if no point has a time, as in a track that was planned.
  /// - Throws: if its times cannot be played; a track with times is never walked without them.
  init?(_ file: GPXFile) throws(SynthError) {
    let all = file.segments.reduce(0) { $0 + $1.count }
    let undated = file.segments.reduce(0) { $0 + $1.count { $0.utc == nil } }
    if undated == all { return nil }
    guard undated == 0 else {
      throw SynthError(
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
      throw SynthError("all of its points have the same time: fix them, or remove the times")
    }
  }

  private mutating func add(_ segment: [GPXFile.Point]) throws(SynthError) {
    let before = times.last
    for point in segment {
      guard let utc = point.utc else { continue }
      let time = utc - start
      guard time <= SimulationBounds.synthesis else {
        throw SynthError("its times are more than two weeks apart: keep one walk in it")
      }
      if let last = times.last, time <= last {
        // The same time, or a clock that was put right.
        if last - time <= Self.clockStep { continue }
        throw SynthError(
          "\(TimeText.text(start + last)) is followed by \(TimeText.text(utc)): "
            + "fix the wrong one, and keep one walk in it")
      }
      if let before, times.last == before, time - before > SimulationBounds.gap {
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
