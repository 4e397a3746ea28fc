import Testing
import TrackerCore

@testable import Reports

/// What is kept of a run for its page.
@Suite struct RunHistoryPageTests {
  @Test func `A capture is delivered when the server has it, under its own key`() {
    let history = PageFixture.history(3)
    #expect(history.marks.map(\.sequence) == [1, 2, 3])
    #expect(history.marks[1].deliveredAt == .start + .minutes(10) + .seconds(30), repeatPageTests)
    #expect(history.marks[2].deliveredAt == nil)
    history.setAside(3)
    #expect(history.marks.map(\.isSetAside) == [false, false, true])
    history.delivered(17, at: .start)
    history.delivered(.none, at: .start)
  }

  @Test func `A capture that the disk refuses at first counts once, from the first try`() {
    let history = RunHistory()
    let capture = Capture(
      sequence: 7, utc: nil, isTimeTrusted: false, position: PageFixture.position(0),
      team: InlineText(), trigger: .start)
    history.pushed(.store(capture), at: .start + 1000)
    history.arrived(.event(.storeFailed(sequence: 7)), at: .start + 1020)
    #expect(history.marks.isEmpty)
    history.pushed(.store(capture), at: .start + 60_000)
    let stored = Arrival.event(.captureStored(sequence: 7, queue: QueueCounts(pending: 1)))
    history.arrived(stored, at: .start + 60_020)
    history.arrived(stored, at: .start + 60_040)
    #expect(history.marks.map(\.at) == [.start + 1000], repeatPageTests)
  }

  @Test func `With less than all captures kept, each keeps its own delivery`() {
    let history = PageFixture.history(100, limit: 10)
    #expect(history.stride == 16 && history.marks.count == 7, "\(history.marks.count)")
    #expect(history.marks.map(\.sequence) == [1, 17, 33, 49, 65, 81, 97])
    #expect(history.marks.allSatisfy { $0.deliveredAt == $0.at + .seconds(30) }, repeatPageTests)
  }

  @Test func `The time in each state of the modem adds up to the run`() {
    let history = PageFixture.history(6)
    history.arrived(.end, at: .start + .hours(1))
    let times = history.phaseTimes
    #expect(times.reduce(Milliseconds(0)) { $0 + $1 } == .hours(1), repeatPageTests)
    #expect(times[Int(ModemPhase.searching.rawValue)] == .minutes(1))
  }

  @Test func `Steps beyond the limit are thinned, and keep peaks and the last value`() {
    var series = StepSeries(limit: 100)
    for index in 0..<10_000 {
      series.set(
        index == 5001 ? 900 : Int32(index % 2), at: .start + .seconds(Int64(index)))
    }
    series.set(42, at: .start + .hours(10))
    #expect(series.steps.count <= 100 && series.steps.count > 20, "\(series.steps.count)")
    #expect(series.steps.map(\.peak).max() == 900, repeatPageTests)
    #expect(series.steps.last?.value == 42)
    let times = series.steps.map(\.at.milliseconds)
    #expect(times == times.sorted())
  }

  @Test func `The range of a piece has the value before it, and what is thinned out`() {
    var series = StepSeries()
    #expect(series.ranges(until: .start, most: 4).ranges == [])
    #expect(series.ranges(until: .start + .minutes(2), most: 4).ranges == [0...0, 0...0])
    series.set(3, at: .start + .seconds(30))
    series.set(7, at: .start + .minutes(2))
    series.set(1, at: .start + .seconds(130))
    series.set(2, at: .start + .minutes(5))
    let (width, ranges) = series.ranges(until: .start + .minutes(5), most: 5)
    #expect(width == .minutes(1))
    #expect(ranges == [0...3, 3...3, 1...7, 1...1, 1...2], repeatPageTests)
    #expect(series.falls == 1)
    // Wider pieces, the last of which begins before the end.
    let wide = series.ranges(until: .start + .minutes(5), most: 4)
    #expect(wide.width == .minutes(2) && wide.ranges == [0...3, 1...7, 1...2])
    var thinned = StepSeries(limit: 100)
    for index in 0..<6000 {
      thinned.set(index % 60 == 17 ? 2 : 5 + Int32(index % 2), at: .start + .seconds(Int64(index)))
    }
    let last = thinned.ranges(until: .start + .seconds(6000), most: 128).ranges.dropFirst(64)
    #expect(last.allSatisfy { (2...6).contains($0.lowerBound) && $0.upperBound == 6 })
    #expect(last.contains { $0.lowerBound == 2 }, "\(last)")
  }
}

/// The axis of a page.
@Suite struct TimeScalePageTests {
  private func labels(_ minutes: Int64, from start: Int64?, offset: Int64 = 0) -> [String] {
    let scale = TimeScale(
      end: .start + .minutes(minutes), startDate: start.map { UTC(milliseconds: $0) },
      zone: PageZone { _ in offset })
    return scale.ticks.map(\.label)
  }

  @Test(
    arguments: [
      (60, 0, 0, ["1970-01-01", "00:10", "00:20", "00:30", "00:40", "00:50", "01:00"]),
      (360, 1_776_505_500_000, 7200, ["12:00", "13:00", "14:00", "15:00", "16:00", "17:00"]),
      (360, 1_776_505_500_000, 19_800, ["16:00", "17:00", "18:00", "19:00", "20:00", "21:00"]),
      (10, 1_776_505_500_000, 19_800, ["15:16", "15:18", "15:20", "15:22", "15:24"]),
    ] as [(Int64, Int64, Int64, [String])])
  func `Ticks are at round times of the zone`(
    _ minutes: Int64, _ start: Int64, _ offset: Int64, _ wanted: [String]
  ) {
    #expect(labels(minutes, from: start, offset: offset) == wanted, repeatPageTests)
  }

  @Test func `Without a date the ticks count from the start`() {
    #expect(labels(150, from: nil) == ["0:00", "0:30", "1:00", "1:30", "2:00", "2:30"])
  }

  @Test(arguments: [0, 1, 59, 600, 14_400, 525_600, 99_999_999, 1_000_000_000_000] as [Int64])
  func `A run of any length has a few ticks`(_ minutes: Int64) {
    #expect(labels(minutes, from: 1_776_505_500_000).count <= 9)
    #expect(labels(minutes, from: Int64.max / 2).count <= 9)
  }
}
