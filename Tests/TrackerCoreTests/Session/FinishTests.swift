import Testing

@testable import TrackerCore

/// The finish, and the end of a session after it.
@Suite struct FinishTests {
  /// The date of the bench's start.
  private let start = UTC(milliseconds: 1_780_000_000_000)

  private func after(
    _ length: Milliseconds, grace: Milliseconds? = .minutes(30)
  ) -> (inout Configuration) -> Void {
    {
      $0.finish = .after(length)
      $0.endAfterFinish = grace
    }
  }

  private func at(
    _ length: Milliseconds, grace: Milliseconds? = .minutes(30)
  ) -> (inout Configuration) -> Void {
    let utc = start + length
    return {
      $0.finish = .at(utc)
      $0.endAfterFinish = grace
    }
  }

  private func ends(_ bench: Bench) -> [Int64] {
    bench.log.filter { $0.effect == .note(.sessionFinished) }.map {
      ($0.at.milliseconds + 500) / 1000
    }
  }

  @Test func `A session ends by itself after the grace, to the second`() {
    for configure in [after(.hours(1)), at(.hours(1))] {
      var bench = Bench(configure)
      bench.run(seconds: 5395)
      #expect(bench.tracker.isSessionRunning, again(Self.self))
      bench.run(seconds: 10)
      #expect(ends(bench) == [5400], again(Self.self, "\(ends(bench))"))
      #expect(bench.tracker.captureReason == .finished, again(Self.self))
      #expect(!bench.tracker.isReceiverAwake, again(Self.self))
      #expect(bench.kept.session?.ending == .finished, again(Self.self))
      bench.run(seconds: 4 * 3600)
      #expect(ends(bench).count == 1 && bench.queue.isEmpty, again(Self.self))
      #expect(bench.tracker.nextDeadline == nil, again(Self.self))
    }
  }

  @Test func `It ends though the receiver has fallen silent`() {
    for configure in [after(.hours(1)), at(.hours(1))] {
      var bench = Bench(configure)
      bench.run(seconds: 600)
      bench.sky = .silent
      bench.run(seconds: 6000)
      #expect(ends(bench) == [5400], again(Self.self, "\(ends(bench))"))
    }
  }

  @Test func `Where no finish is configured no session ends by itself`() {
    var bench = Bench { $0.reservePercent = 0 }
    bench.reportEvery = .seconds(60)
    bench.run(until: .at(100 * 3_600_000))
    #expect(bench.tracker.isSessionRunning && ends(bench).isEmpty, again(Self.self))
    // Nor one that was begun a week ago.
    var later = bench.restarted(after: .hours(24 * 7))
    later.run(seconds: 60)
    #expect(later.tracker.isSessionRunning && later.stored.count == 1, again(Self.self))
    #expect(later.kept.session?.number == 1, again(Self.self))
  }

  @Test func `With a grace that never ends a session goes on after its finish`() {
    for configure in [after(.hours(1), grace: nil), at(.hours(1), grace: nil)] {
      var bench = Bench(configure)
      bench.run(until: .at(20 * 3_600_000))
      #expect(bench.tracker.isSessionRunning, again(Self.self))
    }
  }

  @Test func `What waits is still sent after the end`() {
    var bench = Bench(after(.hours(1)))
    bench.server = .ends(.unreachable)
    bench.run(seconds: 5500)
    #expect(bench.tracker.captureReason == .finished && !bench.queue.isEmpty, again(Self.self))
    var again1 = bench.restarted()
    #expect(bench.queue.count > 5, again(Self.self))
    bench.server = .accepts
    bench.run(seconds: 3600)
    #expect(bench.queue.isEmpty && bench.received.count == bench.stored.count, again(Self.self))
    // After a reboot it still has its queue, and begins nothing.
    again1.run(seconds: 600)
    #expect(again1.tracker.captureReason == .finished, again(Self.self))
  }

  // MARK: Restarts

  @Test(arguments: Restart.allCases)
  func `A finish after a length counts from the session's first start`(_ restart: Restart) {
    var bench = Bench(after(.hours(1)))
    for _ in 0..<4 {
      bench.run(seconds: 900)
      bench = bench.restarted(restart, after: .seconds(60))
    }
    // 64 minutes of the 90 are over.
    bench.run(seconds: 1500)
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    bench.run(seconds: 120)
    #expect(bench.tracker.captureReason == .finished, again(Self.self))
    #expect(bench.kept.session?.number == 1, again(Self.self))
  }

  @Test(arguments: Restart.allCases)
  func `A reboot in the grace goes on, one after the end stays finished`(_ restart: Restart) {
    for configure in [after(.hours(1)), at(.hours(1))] {
      var bench = Bench(configure)
      bench.run(seconds: 4500)
      bench = bench.restarted(restart)
      bench.run(seconds: 300)
      #expect(bench.tracker.isSessionRunning, again(Self.self))
      bench.run(seconds: 1800)
      #expect(bench.tracker.captureReason == .finished, again(Self.self))
      bench = bench.restarted(restart)
      bench.run(seconds: 300)
      #expect(bench.tracker.captureReason == .finished, again(Self.self))
      #expect(bench.stored.isEmpty, again(Self.self))
    }
  }

  @Test(arguments: Restart.allCases)
  func `A tracker that was tested last week does not start the race as finished`(
    _ restart: Restart
  ) {
    let week = Milliseconds.hours(24 * 7)
    for seconds: Int64 in [600, 7200] {
      var bench = Bench(after(.hours(1)))
      bench.run(seconds: seconds)
      bench = bench.restarted(restart, after: week)
      bench.run(seconds: 120)
      #expect(bench.tracker.isSessionRunning, again(Self.self, "\(seconds)"))
      #expect(bench.kept.session?.number == 2, again(Self.self, "\(seconds)"))
      #expect(bench.stored.count == 1, again(Self.self, "\(seconds)"))
      // The horizon of the old one binds it no more.
      bench.run(seconds: 5000)
      #expect(bench.tracker.isSessionRunning, again(Self.self, "\(seconds)"))
      bench.run(seconds: 400)
      #expect(bench.tracker.captureReason == .finished, again(Self.self, "\(seconds)"))
    }
  }

  @Test func `After an absolute finish none begins by itself, however late it is started`() {
    var bench = Bench(at(.hours(1)))
    bench.run(seconds: 600)
    for off: Milliseconds in [.hours(3), .hours(24), .hours(24 * 7)] {
      bench = bench.restarted(after: off)
      bench.run(seconds: 300)
      #expect(bench.tracker.captureReason == .finished, again(Self.self))
      #expect(bench.stored.isEmpty, again(Self.self))
    }
    // On a card that knows of no session neither.
    var fresh = Bench(at(.hours(-2)))
    fresh.run(seconds: 300)
    #expect(fresh.tracker.captureReason == .finished && fresh.stored.isEmpty, again(Self.self))
  }

  @Test func `A start after the end begins a session that the old finish does not bind`() {
    for configure in [after(.hours(1)), at(.hours(1))] {
      var bench = Bench(configure)
      bench.run(seconds: 6000)
      bench.handle(.commandGiven(.start, from: .script))
      bench.run(seconds: 4800)
      #expect(bench.tracker.isSessionRunning, again(Self.self))
      #expect(bench.kept.session?.number == 2, again(Self.self))
      bench = bench.restarted()
      bench.run(seconds: 300)
      #expect(bench.tracker.isSessionRunning, again(Self.self))
    }
  }

  // MARK: Clocks

  @Test func `An absolute finish acts on a trusted date only`() {
    var bench = Bench(at(.hours(1)))
    // Its receiver says a date, but never has a fix to prove it.
    bench.sky = .noFix
    bench.run(seconds: 8000)
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 30)
    #expect(bench.tracker.captureReason == .finished, again(Self.self))
  }

  @Test func `A finish after a length needs no date`() {
    var bench = Bench(after(.hours(1)))
    bench.date = nil
    bench.run(seconds: 5500)
    #expect(ends(bench) == [5400], again(Self.self, "\(ends(bench))"))
  }

  @Test func `A session whose start was never dated counts from the restart`() {
    var bench = Bench(after(.hours(1)))
    bench.date = nil
    bench.run(seconds: 600)
    bench = bench.restarted(.machine)
    bench.run(seconds: 5300)
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    bench.run(seconds: 200)
    #expect(bench.tracker.captureReason == .finished, again(Self.self))
  }

  @Test func `A wrong date that was believed ends a session for as long as it is believed`() {
    var bench = Bench(at(.hours(10)))
    bench.run(seconds: 600)
    bench.handle(.commandGiven(.setTeam(InlineText("Els Tardans")), from: .script))
    bench.date = start + .hours(50)
    bench.run(seconds: 60)
    #expect(bench.tracker.captureReason == .finished, again(Self.self))
    // Its receiver sleeps; somebody wakes it, or the tracker is restarted.
    bench.date = start
    bench = bench.restarted()
    bench.run(seconds: 120)
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    #expect(bench.kept.session?.number == 1, "the same session; \(again(Self.self))")
    #expect(bench.tracker.team == InlineText("Els Tardans"), again(Self.self))
  }

  // MARK: Reloaded settings

  @Test func `A finish that is moved back ends a session, one that is moved on goes on with it`() {
    var bench = Bench(at(.hours(10)))
    bench.run(seconds: 600)
    let long = bench.tracker.configuration
    bench.adopt(long { $0.finish = .at(start + .hours(-7)) })
    #expect(bench.tracker.captureReason == .finished, again(Self.self))
    bench.adopt(long)
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    #expect(bench.kept.session?.number == 1, again(Self.self))
    bench.adopt(long { $0.finish = .after(.seconds(5)) })
    bench.adopt(long { $0.finish = nil })
    #expect(bench.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `The next race's finish begins its session, days after the last one's end`() {
    var bench = Bench(at(.hours(1)))
    bench.run(seconds: 6000)
    let next = bench.tracker.configuration { $0.finish = .at(start + .hours(100)) }
    var restarted = bench.restarted(after: .hours(70)) { $0 = next }
    restarted.run(seconds: 120)
    bench.run(until: .at(70 * 3_600_000))
    bench.adopt(next)
    bench.run(seconds: 60)
    for bench in [bench, restarted] {
      #expect(bench.tracker.isSessionRunning, again(Self.self))
      #expect(bench.kept.session?.number == 2, again(Self.self))
    }
  }

  // MARK: What rests on it

  @Test func `No contact is promised for a time after the end`() {
    var bench = Bench(at(.hours(1), grace: 0))
    bench.run(until: .at(4_000_000))
    let end = start + .hours(1)
    let promises = bench.uploads.map(\.nextContactBy)
    #expect(promises.first.flatMap { $0 } != nil, again(Self.self))
    #expect(promises.last == .some(nil), again(Self.self, "\(promises)"))
    // Six slots of ten minutes; the last capture is the session's last word.
    #expect(promises.dropLast(2).allSatisfy { $0 != nil && $0! < end + .minutes(17) })
  }

  @Test func `A session's energy budget begins with it`() {
    var bench = Bench { $0.capture = .adaptive(interval: .minutes(10)) }
    bench.run(seconds: 30)
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 6700)))
    #expect(bench.tracker.budget.plan.contactPercent > 100, again(Self.self))
    bench.handle(.commandGiven(.stop, from: .script))
    bench.handle(.commandGiven(.start, from: .script))
    #expect(bench.tracker.budget.plan == .init(), again(Self.self))
  }

  @Test func `New settings keep the budget, and those of another policy end it`() {
    var bench = Bench { $0.capture = .adaptive(interval: .minutes(10)) }
    bench.run(seconds: 30)
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 6700)))
    let plan = bench.tracker.budget.plan
    #expect(plan.sleepsReceiver, again(Self.self))
    var new = bench.tracker.configuration
    new.accuracyMetres = 90
    bench.adopt(new, team: bench.tracker.identity.team)
    #expect(bench.tracker.budget.plan == plan, again(Self.self))
    new.capture = Configuration().capture
    bench.adopt(new, team: bench.tracker.identity.team)
    #expect(bench.tracker.budget.plan == .init(), again(Self.self))
  }

  /// The plan so long after the session's start.
  private func plan(
    at age: Milliseconds = 0, _ configure: (inout Configuration) -> Void
  ) -> EnergyBudget.Plan {
    var bench = Bench {
      $0.capture = .adaptive(interval: .minutes(10))
      $0.confidencePercent = 50
      configure(&$0)
    }
    bench.run(seconds: 30)
    while bench.now < .start + age {
      bench.pass(.hours(1))
      bench.run(seconds: 10)
    }
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 9480, percent: 85)))
    return bench.tracker.budget.plan
  }

  @Test func `Without a finish the battery lasts for the usual race from the session's start`() {
    let open = plan(at: .hours(16)) { _ in }
    #expect(open == plan(at: .hours(16), after(.hours(32))), again(Self.self, "\(open)"))
    #expect(open.contactPercent < plan { _ in }.contactPercent, again(Self.self, "\(open)"))
    // Nobody has said that it is over after 32 h.
    let late = plan(at: .hours(40)) { _ in }
    #expect(late == plan(at: .hours(40), after(.hours(48))), again(Self.self, "\(late)"))
  }

  @Test func `The energy budget aims at the finish`() {
    let usual = plan { _ in }
    #expect(plan(after(.hours(32))) == usual, again(Self.self))
    #expect(plan(at(.hours(32))) == usual, again(Self.self))
    let long = plan(at(.hours(64)))
    #expect(
      long.contactPercent + long.capturePercent > usual.contactPercent + usual.capturePercent,
      again(Self.self, "\(long) \(usual)"))
    #expect(plan(after(.hours(16))).contactPercent < usual.contactPercent, again(Self.self))
  }
}
