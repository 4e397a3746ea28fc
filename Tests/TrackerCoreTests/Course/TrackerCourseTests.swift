import Testing

@testable import TrackerCore

/// A whole tracker on a course that leads north.
@Suite struct TrackerCourseTests {
  private let note = again(TrackerCourseTests.self)

  /// 10 km with places at 0, 1, 2 and 10 km.
  private func bench(_ identity: Identity = .bench) -> Bench {
    var bench = Bench(identity: identity)
    bench.points = (0...10).map {
      CoursePoint(
        position: Coordinate.olot.north(Int64($0) * 1000), alongMillimetres: $0 * 1_000_000)
    }
    for (kilometre, kind) in [
      (Int32(0), CoursePlace.Kind.start), (1, .checkpoint), (2, .checkpoint), (10, .finish),
    ] {
      bench.places.append(
        CoursePlace(
          kind, at: Coordinate.olot.north(Int64(kilometre) * 1000),
          alongMillimetres: kilometre * 1_000_000))
    }
    return bench
  }

  private func passages(_ bench: Bench) -> [Passage] {
    bench.log.compactMap {
      if case .note(.passage(let passage)) = $0.effect { passage } else { nil }
    }
  }

  @Test func `Each passage is told and makes a capture with its place and the distance`() throws {
    var bench = bench()
    bench.metresPerReport = 2
    bench.run(seconds: 700)
    #expect(
      passages(bench).map(\.kind) == [.entered, .left, .entered, .left], note)
    #expect(passages(bench).map(\.place) == [0, 0, 1, 1], note)
    let marked = bench.stored.filter { [.entered, .left].contains($0.trigger) }
    #expect(marked.map(\.trigger) == [.entered, .left, .entered, .left], note)
    #expect(marked.map { $0.mark?.place } == [0, 0, 1, 1], note)
    for capture in bench.stored.dropFirst() {
      let done = capture.mark?.doneMetres ?? -1
      let north = try Coordinate.olot.distanceMetres(to: #require(capture.position))
      let toGo = capture.mark?.toGoMetres ?? -1
      #expect(abs(done - north) <= 25 && (9999...10_000).contains(done + toGo), note)
    }
  }

  @Test func `The first capture of a session is the start's, whatever place it is at`() {
    var bench = bench()
    bench.run(seconds: 60)
    #expect(bench.stored.first?.trigger == .start && bench.stored.first?.mark?.place == 0, note)
    #expect(bench.stored.first?.isTimeTrusted == true, note)
    #expect(bench.stored.dropFirst().map(\.trigger) == [.entered], note)
  }

  @Test func `A place without fixes is inferred, with a capture of the first fix after it`() {
    var bench = bench()
    bench.metresPerReport = 2
    bench.run(seconds: 300)
    bench.sky = .noFix
    bench.run(seconds: 400)
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 60)
    #expect(passages(bench).last?.kind == .inferred && passages(bench).last?.place == 1, note)
    #expect(bench.stored.last { $0.trigger == .inferred }?.mark?.place == 1, note)
    let at = passages(bench).last?.at ?? .start
    #expect(abs(at.milliseconds - 500_000) < 15_000, "\(at)")
  }

  @Test func `A restart does not tell a passage twice, and a new session forgets it`() {
    var bench = bench()
    bench.metresPerReport = 2
    bench.run(seconds: 480)
    #expect(passages(bench).last == passages(bench).first { $0.place == 1 }, note)
    #expect(bench.kept.course?.inside == 1 && bench.kept.course?.next == 2, note)
    var identity = Identity.bench
    identity.memory = bench.kept
    var second = self.bench(identity)
    second.place = bench.place
    second.metresPerReport = 2
    second.run(seconds: 200)
    #expect(passages(second).map(\.kind) == [.left], note)
    second.handle(.commandGiven(.stop, from: .socket))
    second.handle(.commandGiven(.start, from: .socket))
    #expect(second.tracker.memory.course == nil && second.tracker.progress.doneMetres == nil)
  }

  @Test func `Off the course and backwards are told once, with the end of both`() {
    var bench = bench()
    bench.metresPerReport = 2
    bench.run(seconds: 300)
    bench.metresPerReport = -2
    bench.run(seconds: 200)
    bench.metresPerReport = 2
    bench.run(seconds: 200)
    bench.place.longitude += 100_000
    bench.run(seconds: 200)
    bench.place.longitude -= 100_000
    bench.run(seconds: 200)
    let notes = bench.log.compactMap { entry -> String? in
      switch entry.effect {
      case .note(.backwards): "backwards"
      case .note(.forwards): "forwards"
      case .note(.offCourse(_, let metres)): metres > 500 ? "off" : "near"
      case .note(.backOnCourse): "back"
      default: nil
      }
    }
    #expect(notes == ["backwards", "forwards", "off", "back"], "\(notes); \(note)")
  }

  @Test func `Without a course nothing is told, and captures have no place`() {
    var bench = Bench()
    bench.metresPerReport = 2
    bench.run(seconds: 1000)
    #expect(passages(bench).isEmpty && bench.stored.allSatisfy { $0.mark == nil }, note)
    #expect(
      bench.kept.course == nil && MemoryLayout<Tracker>.size < 5000, "\(MemoryLayout<Tracker>.size)"
    )
  }
}
