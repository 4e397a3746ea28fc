import Testing

@testable import TrackerCore

/// What steps of the date do to captures: nothing but to what they say about it.
@Suite struct ClockStepTests {
  @Test func `Steps of the date leave the sequence unbroken and are told`() {
    var bench = Bench()
    bench.run(seconds: 650)
    bench.date = bench.date.map { $0 + .hours(-5) }
    bench.run(seconds: 550)
    // A slot right behind a step: the date is not trusted yet.
    bench.date = bench.date.map { $0 + .hours(30) }
    bench.run(seconds: 5)
    bench.run(seconds: 1800)
    #expect(bench.sequences == Array(1...UInt32(bench.stored.count)), again(Self.self))
    #expect(bench.stored.count == 6 && bench.queue.isEmpty, again(Self.self))
    let trusts = bench.notes.filter { if case .clockTrusted = $0 { true } else { false } }
    #expect(trusts.count == 3, again(Self.self))
    let steps = zip(bench.captureTimes.dropFirst(), bench.captureTimes).map { $0 - $1 }
    #expect(Set(steps) == [600], "captures go by the monotonic clock; \(steps)")
  }

  @Test func `A capture right behind a step says that its date is not trusted`() {
    var bench = Bench()
    bench.run(seconds: 602)
    bench.date = bench.date.map { $0 + .hours(-5) }
    bench.run(seconds: 3)
    #expect(bench.stored.map(\.isTimeTrusted) == [true, false], again(Self.self))
  }

  @Test func `A rollover is told once it is proved`() {
    var bench = Bench()
    bench.date = bench.date.map { $0 + .hours(-1024 * 7 * 24) }
    bench.sky = .noFix
    bench.run(seconds: 30)
    #expect(!bench.notes.contains(.weekRolloverCorrected(weeks: 1024)), again(Self.self))
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 30)
    #expect(
      bench.notes.filter { $0 == .weekRolloverCorrected(weeks: 1024) }.count == 1,
      again(Self.self))
    let utc = bench.stored.first?.utc ?? UTC(milliseconds: 0)
    #expect(utc > UTC(milliseconds: 1_780_000_000_000), again(Self.self))
  }

  @Test func `Without any date captures begin after two minutes and say so`() {
    var bench = Bench()
    bench.date = nil
    bench.run(seconds: 119)
    #expect(bench.stored.isEmpty && bench.tracker.captureReason == .clockUntrusted)
    bench.run(seconds: 700)
    #expect(bench.captureTimes == [120, 720], again(Self.self))
    #expect(bench.stored.allSatisfy { !$0.isTimeTrusted && $0.utc == nil }, again(Self.self))
  }
}
