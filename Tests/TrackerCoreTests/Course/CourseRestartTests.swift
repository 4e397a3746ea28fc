import Testing

@testable import TrackerCore

/// A tracker that is restarted on its way along a course.
@Suite struct CourseRestartTests {
  private let note = again(CourseRestartTests.self)

  /// 10 km north, with places at 0, 1, 2, 3 and 10 km, and a team that walks at 2 m/s.
  private static func lay(_ bench: inout Bench, east: Int32 = 0) {
    bench.points = (Int32(0)...10).map {
      var position = Coordinate.olot.north(Int64($0) * 1000)
      if $0 == 10 { position.longitude += east }
      return CoursePoint(position: position, alongMillimetres: $0 * 1_000_000)
    }
    bench.places = [Int32(0), 1, 2, 3, 10].map { kilometre in
      CoursePlace(
        kilometre == 0 ? .start : kilometre == 10 ? .finish : .checkpoint,
        at: Coordinate.olot.north(Int64(kilometre) * 1000),
        alongMillimetres: kilometre * 1_000_000)
    }
    bench.metresPerReport = 2
  }

  private func walked(seconds: Int64) -> Bench {
    var bench = Bench()
    Self.lay(&bench)
    bench.run(seconds: seconds)
    return bench
  }

  /// `off` later, so many metres further north.
  private func restarted(
    _ bench: Bench, _ kind: Restart = .machine, after off: Milliseconds, metres: Int64,
    dateStep: Milliseconds = 0
  ) -> Bench {
    var second = bench.restarted(kind, after: off, dateStep: dateStep)
    Self.lay(&second)
    second.place = bench.place.north(metres)
    return second
  }

  private func passages(_ bench: Bench) -> String {
    bench.log.compactMap { entry -> String? in
      guard case .note(.passage(let passage)) = entry.effect else { return nil }
      return "\(passage.kind) \(passage.place)"
    }.joined(separator: ", ")
  }

  private func captured(_ bench: Bench) -> String {
    bench.stored.compactMap { capture -> String? in
      guard let place = capture.mark?.place,
        [.entered, .left, .inferred].contains(capture.trigger)
      else { return nil }
      return "\(capture.trigger) \(place)"
    }.joined(separator: ", ")
  }

  @Test(arguments: Restart.allCases)
  func `Places that were walked past meanwhile are inferred, with captures`(_ kind: Restart) {
    let first = walked(seconds: 300)
    var second = restarted(first, kind, after: .minutes(20), metres: 1900)
    second.run(seconds: 400)
    #expect(passages(second) == "inferred 1, inferred 2, entered 3, left 3", note)
    #expect(captured(second) == "inferred 1, inferred 2, entered 3, left 3", note)
    let record = second.kept.course
    #expect(record?.next == 4 && record?.wanted == WantedPassages(), note)
  }

  @Test func `The time of an inferred passage lies before the start of the program`() throws {
    let first = walked(seconds: 300)
    var second = restarted(first, .program, after: .minutes(20), metres: 1900)
    second.run(seconds: 60)
    let at = second.log.compactMap { entry -> Instant? in
      guard case .note(.passage(let passage)) = entry.effect else { return nil }
      return passage.at
    }
    try #require(at.count == 2)
    #expect(at[0] < at[1] && at[1] < .start && at[0] > .start - .minutes(25), "\(at); \(note)")
  }

  @Test(arguments: Restart.allCases)
  func `What a restart tells is what a gap without one tells`(_ kind: Restart) {
    for (minutes, metres) in [(Int64(20), Int64(1900)), (5, 900), (2, 150), (30, 2400)] {
      var gap = walked(seconds: 300)
      gap.sky = .noFix
      gap.metresPerReport = 0
      gap.run(seconds: minutes * 60)
      gap.place = gap.place.north(metres)
      gap.metresPerReport = 2
      gap.sky = .fix(accuracyMetres: 5)
      let before = passages(gap)
      gap.run(seconds: 120)
      let first = walked(seconds: 300)
      var second = restarted(first, kind, after: .minutes(minutes), metres: metres)
      second.run(seconds: 120)
      let told = before.isEmpty ? passages(second) : before + ", " + passages(second)
      #expect(told == passages(gap), "\(minutes) min, \(metres) m; \(note)")
    }
  }

  @Test func `Without a date nothing is told of the places between`() {
    var undated = Bench()
    Self.lay(&undated)
    undated.date = nil
    undated.run(seconds: 300)
    for (first, hasDate) in [(undated, true), (walked(seconds: 300), false)] {
      var second = restarted(first, after: .minutes(20), metres: 1900)
      second.date = hasDate ? UTC(milliseconds: 1_780_000_000_000) : nil
      second.run(seconds: 600)
      let told = passages(second)
      #expect(!told.contains(" 1") && !told.contains(" 0"), "\(told); \(note)")
      #expect(!told.contains("missed") && !told.contains("inferred"), "\(told); \(note)")
      #expect(told.contains("entered 3"), "\(told); \(note)")
    }
  }

  @Test func `Who is beside the course after a restart, far from the record, is found again`() {
    var first = Bench()
    Self.lay(&first)
    first.date = nil
    first.run(seconds: 500)
    var second = restarted(first, after: .minutes(60), metres: 5000)
    second.date = nil
    // Half a kilometre beside the line, then on it.
    second.place.longitude += 60_000
    second.run(seconds: 240)
    second.place.longitude -= 60_000
    second.run(seconds: 120)
    let done = second.tracker.progress.doneMetres ?? 0
    #expect((6000...7500).contains(done), "\(done) m; \(note)")
  }

  @Test func `A record of the future tells nothing of the places between`() {
    let first = walked(seconds: 300)
    var second = restarted(
      first, after: .minutes(20), metres: 1900, dateStep: 0 - Milliseconds.hours(3))
    second.run(seconds: 400)
    #expect(passages(second) == "entered 3, left 3", "\(passages(second)); \(note)")
  }

  @Test func `Nobody has to walk a place twice for two restarts`() {
    let first = walked(seconds: 480)
    #expect(passages(first) == "entered 0, left 0, entered 1", note)
    var second = restarted(first, .program, after: .seconds(5), metres: 10)
    second.run(seconds: 30)
    var third = restarted(second, .machine, after: .minutes(1), metres: 120)
    third.run(seconds: 60)
    #expect(passages(second).isEmpty && passages(third) == "left 1", note)
  }

  @Test func `Another course on the same card starts over, and says so`() {
    let first = walked(seconds: 700)
    var second = restarted(first, after: .minutes(2), metres: 0)
    Self.lay(&second, east: 1000)
    second.run(seconds: 60)
    #expect(second.log.contains { $0.effect == .note(.courseChanged) }, note)
    var same = restarted(first, after: .minutes(2), metres: 0)
    // Opening hours and radii may be corrected.
    same.places[3].closes = UTC(milliseconds: 1)
    same.places[3].radiusMetres = 150
    same.run(seconds: 60)
    #expect(!same.log.contains { $0.effect == .note(.courseChanged) }, note)
    #expect(second.kept.course?.course != same.kept.course?.course, note)
    // Without a course the record waits for the next start with it.
    var none = first.restarted()
    none.run(seconds: 60)
    #expect(none.kept.course?.done == first.kept.course?.done && captured(none).isEmpty, note)
  }

  @Test func `A disk that fails over two places loses no passage`() {
    var bench = walked(seconds: 300)
    let before = captured(bench)
    bench.disk = .fails
    bench.run(seconds: 1000)
    #expect(captured(bench) == before, note)
    bench.disk = .works
    bench.run(seconds: 60)
    #expect(
      captured(bench)
        == "entered 0, left 0, entered 1, left 1, entered 2, left 2", "\(captured(bench)); \(note)")
  }

  @Test func `A power cut between passage and capture loses no passage`() {
    var bench = walked(seconds: 300)
    bench.disk = .fails
    bench.run(seconds: 1000)
    #expect(bench.kept.course?.wanted.entered == 0b110, note)
    var second = restarted(bench, after: .minutes(1), metres: 100)
    second.run(seconds: 60)
    #expect(
      captured(second) == "entered 1, left 1, entered 2, left 2", "\(captured(second)); \(note)")
  }

  @Test func `Nothing in a record makes the tracker trap`() {
    let first = walked(seconds: 300)
    let kept = first.kept.course
    for number in [Int64.min, Int64(Int32.min), -1, 0, 39, 40, Int64(Int32.max), .max] {
      let small = Int16(clamping: number)
      let large = Int32(clamping: number)
      for field in 0..<9 {
        guard var record = kept else {
          Issue.record("no record")
          return
        }
        switch field {
        case 0: record.done = large
        case 1: record.next = small
        case 2: record.inside = small
        case 3: record.unseen = small
        case 4: record.knownFrom = large
        case 5: record.position = Coordinate(latitude: large, longitude: large)
        case 6: (record.away, record.offSeconds) = (large, large)
        case 7:
          record.at = Moment(at: Instant(milliseconds: number), utc: UTC(milliseconds: number))
        default:
          let bits = UInt64(bitPattern: number)
          record.wanted = WantedPassages(entered: bits, inferred: bits, left: bits)
        }
        var identity = Identity.bench
        identity.memory = first.kept
        identity.memory.course = record
        var bench = Bench(identity: identity)
        Self.lay(&bench)
        bench.place = first.place.north(1900)
        bench.run(seconds: 200)
      }
    }
  }
}
