import Courses
import Testing

@testable import TrackerCore

/// A team that does not do what the course says.
@Suite struct LeftCourseTests {
  private let note: Comment = "repeat with: swift test --filter LeftCourseTests"

  /// Along a square of which it leaves out a side: from km 2 straight to km 8.
  private let square: [(Double, Double)] = [(0, 0), (5000, 0), (5000, 5000), (0, 5000)]
  private let shortCut: [(Double, Double)] = [(0, 0), (2000, 0), (2000, 5000), (0, 5000)]

  @Test(arguments: [1.0, 60, 600])
  func `A short cut is off the course, and what it leaves out is missed`(_ interval: Double) throws
  {
    let course = try Ground.course(
      square, places: [(0, 0), (5000, 2500), (5000, 5000), (1000, 5000), (0, 5000)])
    #expect(
      course.places.map(\.place.kind) == [.start, .checkpoint, .checkpoint, .checkpoint, .finish])
    var walk = TestWalk(corners: shortCut)
    walk.interval = interval
    var progress = CourseProgress()
    var offFrom: Double?
    var last: TestWalk.Seen?
    let told = walk.run(on: course, &progress) { seen in
      if offFrom == nil, seen.progress.offCourseSince != nil { offFrom = seen.walked }
      last = seen
    }
    let off = try #require(offFrom)
    #expect(off > 2100 && off < 2400 + 2 * interval * walk.pace, "\(off)")
    let text = told.text
    #expect(text.contains("missed 1, missed 2"), "\(text)")
    #expect(!text.contains("missed 0") && !text.contains("missed 3"), "\(text)")
    #expect(!text.contains("inferred 1") && !text.contains("inferred 2"), "\(text)")
    #expect(last?.progress.offCourseSince == nil, note)
    #expect(abs((last?.done ?? 0) - 15_000) < 1000, "\(last?.done ?? 0)")
  }

  @Test(arguments: [1.0, 60, 600])
  func `A team that turns back moves backwards since it turned`(_ interval: Double) throws {
    let course = try Ground.course([(0, 0), (20_000, 0)])
    var walk = TestWalk(corners: [(0, 0), (7000, 0), (3000, 0), (9000, 0)])
    walk.interval = interval
    var progress = CourseProgress()
    var backwards: [(walked: Double, since: Double)] = []
    _ = walk.run(on: course, &progress) { seen in
      if let since = seen.progress.backwardsSince {
        backwards.append((seen.walked, Double(since.milliseconds) / 1000 * walk.pace))
      }
    }
    let first = try #require(backwards.first)
    let last = try #require(backwards.last)
    let step = interval * walk.pace
    #expect(abs(first.since - 7000) < 100 + step, "\(first)")
    #expect(first.walked < 7300 + 2 * step && first.walked > 7000, "\(first)")
    #expect(last.walked > 10_900 && last.walked < 11_300 + 2 * step, "\(last)")
    #expect(abs((progress.doneMetres ?? 0) - 9000) < 1000, note)
  }

  @Test func `A team that goes home does so backwards, even over a course out and back`() throws {
    let course = try Ground.course([(0, 0), (10_000, 0), (0, 0)])
    let walk = TestWalk(corners: [(0, 0), (5000, 0), (0, 0)])
    var progress = CourseProgress()
    _ = walk.run(on: course, &progress)
    #expect(progress.backwardsSince != nil, note)
    #expect(abs(progress.doneMetres ?? .max) < 100, "\(progress.doneMetres ?? .max)")
  }

  @Test func `A turn that is cut a little is understood later`() throws {
    let course = try Ground.course([(0, 0), (10_000, 0), (0, 0)])
    let walk = TestWalk(corners: [(0, 0), (9950, 0), (0, 0)])
    var progress = CourseProgress()
    _ = walk.run(on: course, &progress)
    #expect(abs((progress.doneMetres ?? 0) - 20_000) < 100 && progress.backwardsSince == nil, note)
  }

  @Test func `Nothing is known of a team that was never near the course`() throws {
    let course = try Ground.course([(0, 0), (20_000, 0)], places: [(0, 0)])
    let walk = TestWalk(corners: [(0, 3000), (3000, 3000)])
    var progress = CourseProgress()
    let told = walk.run(on: course, &progress)
    #expect(told.isEmpty && progress.doneMetres == nil && progress.nextPlace(on: course) == nil)
    #expect(progress.offCourseSince == nil, note)
  }

  @Test func `A team begins again in the middle without having missed anything`() throws {
    let course = try Ground.course(
      [(0, 0), (20_000, 0)], places: [(0, 0), (5000, 0), (10_000, 0), (20_000, 0)])
    let walk = TestWalk(corners: [(7000, 0), (12_000, 0)])
    var progress = CourseProgress()
    #expect(walk.run(on: course, &progress).text == "entered 2, left 2")
    // What was reported before a restart is not reported again.
    var resumed = CourseProgress(
      CourseRecord(done: 12_000, next: 3, inside: -1, isFinished: false), at: nil, now: .start,
      placeCount: course.coursePlaceCount)
    #expect(TestWalk(corners: [(9000, 0), (9500, 0)]).run(on: course, &resumed).isEmpty, note)
  }
}
