import Courses
import TestSupport
import Testing
import TrackerCore

/// The matcher on courses that are hard: each walk with several kinds of noise and of gaps.
@Suite struct CourseProgressTests {
  private static let note: Comment = "repeat with: swift test --filter CourseProgressTests"

  struct Case: CustomTestStringConvertible, Sendable {
    var interval: Double
    var noise: Double
    var testDescription: String { "a position per \(interval) s, off by \(noise) m" }
    /// How far the distance may be off, metres.
    var tolerance: Double { 30 + 3.5 * noise }
  }

  static let cases = [
    Case(interval: 1, noise: 5), Case(interval: 1, noise: 20), Case(interval: 1, noise: 50),
    Case(interval: 60, noise: 10), Case(interval: 600, noise: 5), Case(interval: 600, noise: 30),
  ]

  static let shapes: [(name: String, corners: [(Double, Double)])] = [
    ("straight", [(0, 0), (20_000, 0)]),
    ("crosses itself", [(0, 0), (6000, 0), (6000, 4000), (3000, 4000), (3000, -5000)]),
    (
      "figure of eight",
      [
        (0, 0), (4000, 4000), (8000, 0), (4000, -4000), (0, 0), (-4000, 4000),
        (-8000, 0), (-4000, -4000), (0, 0),
      ]
    ),
    ("out and back", [(0, 0), (5000, 1000), (9000, 1000), (5000, 1000), (0, 0)]),
    ("loop", [(0, 0), (5000, 0), (5000, 5000), (0, 5000), (0, 0)]),
    (
      "two rounds",
      [
        (0, 0), (3000, 0), (3000, 3000), (0, 3000), (0, 0), (3000, 0), (3000, 3000),
        (0, 3000), (0, 0),
      ]
    ),
    ("spur", [(0, 0), (5000, 0), (5000, 1500), (5000, 0), (12_000, 0)]),
  ]

  @Test(arguments: shapes.map(\.name), cases)
  func `The distance done is that walked`(_ name: String, _ kind: Case) throws {
    let corners = try #require(Self.shapes.first { $0.name == name }).corners
    let course = try Ground.course(corners)
    for seed in Share.of(Array(UInt64(1)...4)) {
      var walk = TestWalk(corners: corners)
      (walk.interval, walk.noise, walk.seed) = (kind.interval, kind.noise, seed)
      var progress = CourseProgress()
      var worst: (off: Double, at: Double) = (0, 0)
      var wrong = 0.0
      var count = 0.0
      var told = 0
      _ = walk.run(on: course, &progress) { seen in
        guard let done = seen.done else {
          wrong += 1
          return
        }
        let off = abs(done - seen.walked)
        if off > worst.off { worst = (off, seen.walked) }
        count += 1
        if off > kind.tolerance { wrong += 1 }
        if seen.progress.offCourseSince != nil || seen.progress.backwardsSince != nil { told += 1 }
      }
      let context = "\(name), seed \(seed): worst \(worst), wrong \(wrong) of \(count)"
      // At a turn of a course that comes back over the same road only the next positions tell.
      #expect(
        wrong <= max(1, count * 0.03), "\(context); repeat with: swift test --filter \(Self.self)")
      #expect(told == 0, "\(context): told \(told)")
      let done = try #require(progress.doneMetres)
      #expect(abs(Double(done) - course.lengthMetres) < 1000 + kind.tolerance, "\(context)")
    }
  }
}
