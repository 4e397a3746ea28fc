import Testing

@testable import TrackerCore

/// Most reports say where the team is and nothing else that is new: nothing is settled after them.
/// That there is nothing to settle is checked after each in debug builds, whatever the test.
@Suite struct QuietReportTests {
  /// Some minutes after its first capture, which has been delivered.
  private func resting(
    board: Board = .bench, _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> Bench {
    var bench = Bench(board: board) {
      $0.capture = .standard(
        interval: .minutes(10), minimumDistanceMetres: 0, heartbeat: .hours(1))
      $0.transmitInterval = .minutes(10)
      $0.reconnectFloor = .minutes(2)
      adjust(&$0)
    }
    bench.run(seconds: 300)
    return bench
  }

  private func isQuiet(_ bench: Bench) -> Bool { bench.now < bench.tracker.quietUntil }

  @Test func `Between two slots a report like the one before leaves all as it is`() throws {
    var bench = resting()
    let slot = try #require(bench.tracker.session.slot)
    #expect(bench.tracker.quietUntil == slot, again(Self.self))
    let (tracker, log) = (bench.tracker, bench.log)
    bench.run(seconds: 60)
    #expect(bench.log == log && bench.tracker.quietUntil == slot, again(Self.self))
    #expect(bench.tracker.fixes.accepted == tracker.fixes.accepted + 60, again(Self.self))
  }

  @Test func `A report is looked at when a slot waits for it`() throws {
    var bench = resting()
    bench.sky = .noFix
    bench.run(until: try #require(bench.tracker.session.slot) + .seconds(5))
    #expect(!isQuiet(bench) && bench.tracker.captureReason == .noFix, again(Self.self))
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 2)
    #expect(bench.sequences == [1, 2], again(Self.self))
  }

  @Test func `A report is looked at while captures depend on the way`() {
    var bench = resting { $0.capture = .route(everyMetres: 500) }
    #expect(!isQuiet(bench), again(Self.self))
    bench.metresPerReport = 2
    bench.run(seconds: 300)
    #expect(bench.sequences.count == 2, again(Self.self))
  }

  @Test func `A report is looked at during a contact and during a call for help`() {
    var bench = resting()
    bench.server = .mute
    bench.handle(.commandGiven(.sendNow, from: .script))
    bench.handle(.commandGiven(.captureNow, from: .script))
    bench.run(seconds: 60)
    #expect(bench.tracker.uploader.isInContact && !isQuiet(bench), again(Self.self))
    bench = resting()
    bench.handle(.commandGiven(.raiseEmergency, from: .button))
    bench.run(seconds: 240)
    #expect(!isQuiet(bench), again(Self.self))
  }

  @Test func `A date that is not to be trusted any more is acted on at once`() throws {
    let begin = try #require(resting().date)
    var bench = resting {
      $0.finish = .at(begin + .hours(5))
      $0.endAfterFinish = 0
    }
    #expect(bench.tracker.quietUntilDate == begin + .minutes(5 * 60 - 1), again(Self.self))
    bench.date = bench.date.map { $0 + .hours(-1) }
    bench.run(seconds: 2)
    // When the session ends is not known any more.
    #expect(!bench.tracker.clock.isTrusted, again(Self.self))
    #expect(bench.tracker.quietUntilDate == UTC(milliseconds: .max), again(Self.self))
  }

  /// Each report moves the end by a second, which is less than makes a date doubtful.
  @Test func `A session ends by the receiver's date, however slowly that moves`() throws {
    let begin = try #require(resting().date)
    var bench = resting {
      $0.finish = .at(begin + .minutes(9))
      $0.endAfterFinish = 0
    }
    #expect(bench.tracker.isSessionRunning && isQuiet(bench), again(Self.self))
    for _ in 0..<110 {
      bench.date = bench.date.map { $0 + .seconds(1) }
      bench.run(seconds: 1)
    }
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    for _ in 0..<15 {
      bench.date = bench.date.map { $0 + .seconds(1) }
      bench.run(seconds: 1)
    }
    #expect(!bench.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `What changes with the time alone is said by the next report`() {
    // The battery's reading is too old after three hours without another.
    var bench = resting {
      $0.capture = .standard(
        interval: .hours(6), minimumDistanceMetres: 0, heartbeat: .hours(12))
      $0.transmitInterval = .hours(6)
    }
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 8000)))
    #expect(bench.tracker.quietUntil == bench.now + Bounds.batteryReadingLife, again(Self.self))
    bench.run(seconds: 3 * 3600)
    #expect(bench.tracker.charge != nil, again(Self.self))
    bench.run(seconds: 3)
    #expect(bench.tracker.charge == nil, again(Self.self))
  }
}
