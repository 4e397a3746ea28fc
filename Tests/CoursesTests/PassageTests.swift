import Courses
import TestSupport
import Testing
import TrackerCore

/// Places that a team enters, leaves, and passes without having been seen.
@Suite struct PassageTests {
  private let note: Comment = "repeat with: SHARE=all swift test --filter PassageTests"
  private let line: [(Double, Double)] = [(0, 0), (10_000, 0)]
  private let places: [(Double, Double)] = [(0, 0), (3000, 0), (6000, 0), (10_000, 0)]

  @Test func `Each place is entered once and left once`() throws {
    let course = try Ground.course(line, places: places)
    for noise in [0.0, 5, 20, 40] {
      for seed in Share.of(Array(UInt64(1)...10), atOnce: 3) {
        var walk = TestWalk(corners: line)
        (walk.noise, walk.seed) = (noise, seed)
        var progress = CourseProgress()
        let text = walk.run(on: course, &progress).text
        #expect(
          text == "entered 0, left 0, entered 1, left 1, entered 2, left 2, entered 3",
          "noise \(noise) m, seed \(seed); repeat with: SHARE=all swift test --filter PassageTests")
      }
    }
  }

  @Test func `A team that rests at the edge of a place enters it once`() throws {
    let course = try Ground.course(line, places: places)
    for seed in Share.of(Array(UInt64(1)...20), atOnce: 5) {
      // To the edge, and there to and fro for two hours.
      var corners: [(Double, Double)] = [(2000, 0), (2905, 0)]
      for turn in 0..<400 { corners.append((turn % 2 == 0 ? 2898 : 2902, 0)) }
      var walk = TestWalk(corners: corners)
      (walk.pace, walk.noise, walk.seed) = (0.3, 10, seed)
      var progress = CourseProgress()
      #expect(walk.run(on: course, &progress).text == "entered 1", "seed \(seed); \(note)")
    }
  }

  @Test(arguments: [
    (3075.0, "entered 1, left 1"), (3020, "entered 1, left 1, entered 1, left 1"),
  ])
  func `Who has left a place is back only well inside of it`(back: Double, told: String) throws {
    let course = try Ground.course(line, places: places)
    for seed in UInt64(1)...10 {
      var walk = TestWalk(corners: [(2000, 0), (3165, 0), (back, 0), (3500, 0)])
      (walk.noise, walk.seed) = (1, seed)
      var progress = CourseProgress()
      #expect(walk.run(on: course, &progress).text == told, "seed \(seed); \(note)")
    }
  }

  @Test func `A checkpoint in a tunnel is inferred, with the time when it was passed`() throws {
    let course = try Ground.course(line, places: places)
    var walk = TestWalk(corners: line)
    walk.gaps = [2500 / 1.4...3500 / 1.4]
    var progress = CourseProgress()
    let told = walk.run(on: course, &progress)
    #expect(told.text == "entered 0, left 0, inferred 1, entered 2, left 2, entered 3", note)
    let seconds = Double(told[2].at.milliseconds) / 1000
    #expect(abs(seconds - 3000 / 1.4) < 15, "\(seconds) s instead of \(3000 / 1.4)")
  }

  @Test func `Captures ten minutes apart tell of each place`() throws {
    let course = try Ground.course(line, places: places)
    for seed in UInt64(1)...10 {
      var walk = TestWalk(corners: line)
      (walk.interval, walk.noise, walk.seed) = (600, 10, seed)
      var progress = CourseProgress()
      let told = walk.run(on: course, &progress)
      for place in Int16(1)...2 {
        let first = told.first { $0.place == place }
        #expect(first?.kind == .inferred || first?.kind == .entered, "\(told.text); \(note)")
        let seconds = Double(first?.at.milliseconds ?? 0) / 1000
        #expect(abs(seconds - Double(place) * 3000 / 1.4) < 100, "\(seconds)")
      }
      #expect(!told.contains { $0.kind == .missed }, "\(told.text)")
    }
  }

  @Test func `Who was driven along a straight course has missed the places on the way`() throws {
    let course = try Ground.course(line, places: places)
    func told(by pace: Double) -> String {
      var walk = TestWalk(corners: [(1000, 0), (9000, 0)])
      (walk.interval, walk.pace, walk.noise) = (600, pace, 0)
      var progress = CourseProgress()
      return walk.run(on: course, &progress).text
    }
    // 50 km/h; the fixes are ten minutes apart, and the last is where it got out.
    #expect(!told(by: 13.3).contains("inferred"), "\(told(by: 13.3)); \(note)")
    #expect(told(by: 1.5).contains("inferred"), "\(told(by: 1.5)); \(note)")
  }

  @Test func `A passage between two positions says by how much its time may be off`() throws {
    let course = try Ground.course(line, places: places)
    var walk = TestWalk(corners: line)
    walk.gaps = [2500 / 1.4...3500 / 1.4]
    var progress = CourseProgress()
    let told = walk.run(on: course, &progress)
    // Seven hundred seconds without a position, the place in their middle.
    #expect((350...380).contains(told[2].doubtSeconds), "\(told[2]); \(note)")
    #expect(told[0].doubtSeconds == 0 && told[1].doubtSeconds <= 2, "\(told); \(note)")
  }

  @Test func `A finish that was passed in a gap is a finish`() throws {
    let course = try Ground.course(line, places: places)
    // On to the bus, 120 m beyond the line, without a position since 9.5 km.
    var walk = TestWalk(corners: line + [(10_120, 0)])
    walk.gaps = [9500 / 1.4...10_115 / 1.4]
    walk.noise = 0
    var progress = CourseProgress()
    let told = walk.run(on: course, &progress)
    #expect(told.last?.kind == .inferred && told.last?.place == 3, "\(told.text); \(note)")
    #expect(progress.isFinished && progress.offCourseSince == nil, note)
  }

  @Test func `A finish beside the start is not entered on the way to the toilets`() throws {
    let corners: [(Double, Double)] = [(0, 0), (5000, 0), (5000, 5000), (0, 5000), (0, 0)]
    var course = try Ground.course(corners, places: [(0, 0), (5000, 5000), (0, 0)])
    course.places[2].place.radiusMetres = 400
    course.places[2].place.position = Ground.point(-200, -200).coordinate
    var walk = TestWalk(corners: [(0, 0), (60, 0), (-200, -200), (-200, -200.1)])
    walk.pace = 0.5
    var progress = CourseProgress()
    let told = walk.run(on: course, &progress)
    #expect(!progress.isFinished && !told.contains { $0.place == 2 }, "\(told.text); \(note)")
  }

  @Test func `A team that rests in a hall beside the line is at the checkpoint`() throws {
    var course = try Ground.course(line, places: places)
    course.places[1].place.position = Ground.point(3000, 350).coordinate
    course.places[1].place.radiusMetres = 380
    var corners: [(Double, Double)] = [(0, 0), (3000, 0), (3000, 350)]
    for turn in 0..<200 { corners.append((3000, turn % 2 == 0 ? 345 : 355)) }
    var walk = TestWalk(corners: corners)
    (walk.pace, walk.noise) = (1, 5)
    var progress = CourseProgress()
    let told = walk.run(on: course, &progress)
    #expect(told.last?.kind == .entered && progress.inside == 1, "\(told.text); \(note)")
    #expect(progress.offCourseSince == nil, note)
  }

  @Test func `A team that was never near the course is not off it`() throws {
    let course = try Ground.course(line, places: places)
    var progress = CourseProgress()
    _ = TestWalk(corners: [(50_000, 50_000), (51_000, 50_000)]).run(on: course, &progress)
    #expect(progress.offCourseSince == nil && progress.doneMetres == nil, note)
  }

  @Test func `Start and finish of a loop are two places`() throws {
    let corners: [(Double, Double)] = [(0, 0), (5000, 0), (5000, 5000), (0, 5000), (0, 0)]
    let course = try Ground.course(corners, places: [(0, 0), (5000, 5000), (0, 0)])
    #expect(course.places.map(\.place.kind) == [.start, .checkpoint, .finish])
    var progress = CourseProgress()
    let told = TestWalk(corners: corners).run(on: course, &progress)
    #expect(told.text == "entered 0, left 0, entered 1, left 1, entered 2", note)
    #expect(progress.isFinished && progress.nextPlace(on: course) == nil)
  }

  @Test func `A checkpoint on the way back is not entered on the way out`() throws {
    let corners: [(Double, Double)] = [(0, 0), (8000, 0), (0, 0)]
    let course = try Ground.course(
      corners, places: [(0, 0), (3000, 0), (0, 0)], distances: [0, 13_000, 16_000])
    var progress = CourseProgress()
    let told = TestWalk(corners: corners).run(on: course, &progress)
    #expect(told.text == "entered 0, left 0, entered 1, left 1, entered 2", note)
    #expect(told.count > 2 && abs(Double(told[2].at.milliseconds) / 1000 * 1.4 - 12_900) < 50)
  }

  @Test func `The state is small, and holds no points`() {
    #expect(MemoryLayout<CourseProgress>.size <= 184, "\(MemoryLayout<CourseProgress>.size)")
  }
}
