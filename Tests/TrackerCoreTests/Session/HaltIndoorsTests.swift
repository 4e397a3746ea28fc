import Testing

@testable import TrackerCore

/// A machine that is halted between captures, where there is no fix, and where the machine's date
/// does not follow the clock that wakes it.
@Suite struct HaltIndoorsTests {
  /// When the tracker last wanted the machine halted, and for how long.
  private func halt(_ bench: Bench) -> (at: Instant, time: Milliseconds)? {
    for entry in bench.log.reversed() {
      if case .halt(let time) = entry.effect { return (entry.at, time) }
    }
    return nil
  }

  /// The tracker that starts after it, on a machine whose date is wrong by `error`.
  private func woken(
    _ before: Bench, late: Milliseconds = 0, error: Milliseconds = 0
  ) throws -> Bench {
    let (at, time) = try #require(halt(before), again(Self.self))
    let off = time + .seconds(20) + late
    var identity = Identity.bench
    identity.nextSequence = before.tracker.session.nextSequence
    identity.memory = before.kept
    // As the store reads it: by the machine's date.
    let believed = off + error
    identity.memory.sleep?.at.at = believed >= 0 ? .start - believed : nil
    identity.memory.charge?.at.at = nil
    identity.memory.session?.begun.at = nil
    var bench = Bench.halting(identity: identity) { $0 = before.tracker.configuration }
    bench.date = before.date.map { $0 + (at - .start) + off }
    return bench
  }

  private func missed(_ bench: Bench) -> [Reason] {
    bench.notes.compactMap { if case .notCaptured(let reason) = $0 { reason } else { nil } }
  }

  /// A first capture, then no fix at the next slot.
  private func indoors(_ adjust: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    var first = Bench.halting(.halted, adjust)
    first.run(seconds: 400)
    var second = try woken(first)
    second.sky = .noFix
    return second
  }

  // MARK: Without a fix

  @Test func `After five minutes without a fix the machine is halted until the next slot`() throws {
    var bench = try indoors()
    // The slot is 2 s after the start.
    bench.run(seconds: 2 + 299)
    #expect(halt(bench) == nil && bench.tracker.captureReason == .noFix, again(Self.self))
    bench.run(seconds: 3)
    let (at, time) = try #require(halt(bench), again(Self.self))
    #expect(
      abs((at + time + .seconds(22) - .at(602_000)).count) < 1500, again(Self.self, "\(at) \(time)")
    )
    #expect(bench.tracker.captureReason == .noFix && bench.stored.isEmpty, again(Self.self))
    // The capture is overdue, and the record says so.
    let kept = try #require(bench.kept.sleep)
    #expect(abs((kept.capture + .minutes(5)).count) < 1500, again(Self.self, "\(kept.capture)"))
    #expect(missed(bench).isEmpty && !bench.tracker.isReceiverAwake, again(Self.self))
  }

  @Test func `A machine that took minutes to start searches as long as any other`() throws {
    var first = Bench.halting()
    first.run(seconds: 400)
    var second = try woken(first, late: .minutes(2))
    second.sky = .noFix
    second.run(seconds: 299)
    #expect(halt(second) == nil, again(Self.self))
    second.run(seconds: 5)
    #expect(halt(second) != nil, again(Self.self))
  }

  @Test func `A silent receiver is no reason to stay awake either`() throws {
    var bench = try indoors()
    bench.sky = .silent
    bench.run(seconds: 2 + 305)
    #expect(halt(bench) != nil, again(Self.self))
  }

  @Test func `Hours without a fix: halted at each slot, each missed capture stated once`() throws {
    var bench = try indoors { $0.finish = .after(.hours(20)) }
    var halts = 0
    var reasons: [Reason] = []
    var awake = Milliseconds(0)
    for _ in 0..<18 {
      bench.run(seconds: 310)
      let (at, _) = try #require(halt(bench), again(Self.self, "after \(halts) halts"))
      awake = awake + (at - .start)
      halts += 1
      reasons += missed(bench)
      #expect(bench.tracker.captureReason == .noFix, again(Self.self))
      bench = try woken(bench)
      bench.sky = .noFix
    }
    // All but the slot that is still open.
    #expect(reasons == Array(repeating: .noFix, count: 17), again(Self.self, "\(reasons)"))
    #expect(awake < .minutes(18 * 3), again(Self.self, "\(awake)"))
    // Out of the hall: the overdue capture is taken at once, and nothing is out of order.
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 200)
    #expect(bench.stored.map(\.sequence) == [2], again(Self.self))
    #expect(bench.stored.first?.trigger == .interval, again(Self.self))
    #expect(bench.received == [2] && halt(bench) != nil, again(Self.self))
  }

  @Test func `An interval longer than the limit for late starts keeps its slots`() throws {
    let hour = Milliseconds.hours(1)
    var bench = try indoors {
      $0.capture = .standard(interval: hour, minimumDistanceMetres: 0, heartbeat: hour)
    }
    bench.run(seconds: 310)
    let before = try #require(halt(bench))
    bench = try woken(bench)
    bench.sky = .noFix
    bench.run(seconds: 200)
    let after = try #require(halt(bench), again(Self.self))
    #expect(missed(bench) == [.noFix], again(Self.self, "\(missed(bench))"))
    #expect(
      abs((after.time - before.time - .minutes(3)).count) < 3000,
      again(Self.self, "\(before) \(after)"))
  }

  @Test func `A receiver that has forgotten the date does not keep the machine awake`() throws {
    var bench = try indoors()
    bench.date = UTC(milliseconds: 315_964_800_000 + 7_200_000)
    bench.run(seconds: 2 + 305)
    #expect(halt(bench) != nil, again(Self.self))
    let utc = try #require(bench.kept.sleep?.at.utc, again(Self.self))
    #expect(utc.milliseconds > 1_780_000_000_000, again(Self.self))
  }

  @Test func `A team at rest has its heartbeat, counted from its last capture`() throws {
    var first = Bench.halting {
      $0.capture = .standard(
        interval: .minutes(10), minimumDistanceMetres: 100, heartbeat: .minutes(15))
    }
    first.run(seconds: 400)
    var second = try woken(first)
    second.run(seconds: 60)
    #expect(second.stored.isEmpty && missed(second) == [.atRest], again(Self.self))
    var third = try woken(second)
    third.run(seconds: 60)
    #expect(third.stored.map(\.trigger) == [.heartbeat], again(Self.self, "\(third.stored)"))
  }

  // MARK: A wrong date

  @Test(arguments: [
    -590,  // It has stood still, as with fake-hwclock.
    -3600, 7200,  // Another time zone.
    -800_000_000,  // 2000-01-01: the clock's battery is empty.
  ])
  func `A machine's date that is wrong changes nothing once the receiver has a date`(
    _ seconds: Int64
  ) throws {
    var first = Bench.halting { $0.transmitInterval = .minutes(20) }
    first.run(seconds: 400)
    let slot = try #require(first.captureTimes.first) + 600
    let (at, time) = try #require(halt(first))
    var second = try woken(first, error: .seconds(seconds))
    second.run(seconds: 300)
    #expect(second.stored.map(\.trigger) == [.interval], again(Self.self, "\(second.stored)"))
    let taken = try #require(second.captureTimes.first, again(Self.self))
    let started = (at + time + .seconds(20)).milliseconds / 1000
    #expect(abs(started + taken - slot) <= 3, again(Self.self, "\(started + taken) \(slot)"))
    #expect(second.received.isEmpty, "the contact is due after 20 minutes; \(again(Self.self))")
    // And it sleeps until the one after.
    let next = try #require(halt(second), again(Self.self))
    let total = started + (next.at + next.time).milliseconds / 1000 + 22
    #expect(abs(total - slot - 600) <= 2, again(Self.self, "\(total) \(slot)"))
  }

  @Test func `Old reports at the start do not put the slot off`() throws {
    var first = Bench.halting()
    first.run(seconds: 400)
    // Started by a person, a minute early; the first reports are from before.
    var second = try woken(first, late: 0 - .minutes(1))
    let date = second.date
    second.date = date.map { $0 + Milliseconds(-80_000) }
    second.run(seconds: 4)
    second.date = date
    second.run(seconds: 62)
    #expect(second.captureTimes == [62], again(Self.self, "\(second.captureTimes)"))
  }

  @Test func `Nor do they when they come all at once, up to the present`() throws {
    var first = Bench.halting()
    first.run(seconds: 400)
    var second = try woken(first, late: 0 - .minutes(1))
    second.date = second.date.map { $0 + Milliseconds(-80_000) }
    second.reportEvery = 20
    for _ in 0..<40 {
      second.run(until: second.now + 20)
      second.date = second.date.map { $0 + 2000 }
    }
    second.reportEvery = 1000
    second.run(seconds: 68)
    // To the clock's tolerance.
    let times = second.captureTimes
    #expect(times.count == 1 && abs(times[0] - 62) <= 5, again(Self.self, "\(times)"))
  }

  @Test func `After a capture of its own a tracker goes on from that`() throws {
    var first = Bench.halting()
    first.run(seconds: 400)
    var second = try woken(first, error: 0 - .minutes(1))
    let date = second.date
    second.date = nil
    second.run(seconds: 100)
    #expect(second.captureTimes == [62], again(Self.self, "\(second.captureTimes)"))
    second.date = date
    second.run(seconds: 200)
    #expect(second.captureTimes == [62], again(Self.self, "\(second.captureTimes)"))
  }

  @Test func `A machine that was without power for hours starts anew, whatever its date`() throws {
    var first = Bench.halting()
    first.run(seconds: 400)
    var second = try woken(first, error: 0 - .hours(9))
    // The receiver knows better: three hours have passed.
    second.date = second.date.map { $0 + .hours(3) }
    second.run(seconds: 60)
    #expect(second.stored.map(\.trigger) == [.start], again(Self.self, "\(second.stored)"))
  }

  @Test func `A machine started before its alarm does not sleep again before it has a date`() throws
  {
    var first = Bench.halting()
    first.run(seconds: 400)
    var second = try woken(first, error: 0 - .minutes(5))
    second.sky = .noFix
    second.run(seconds: 200)
    #expect(halt(second) == nil, again(Self.self))
  }
}
