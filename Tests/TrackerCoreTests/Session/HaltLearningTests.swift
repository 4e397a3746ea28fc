import Testing

@testable import TrackerCore

/// What a tracker knows of its battery and its plan goes through the halts of its machine.
@Suite struct HaltLearningTests {
  @Test func `The plan of adaptive holds until the next measurement`() throws {
    var first = Bench.halting {
      $0.capture = .adaptive(interval: .minutes(10))
      $0.finish = .after(.hours(6))
    }
    for _ in 0..<4 {
      first.run(seconds: 1)
      first.handle(.batteryMeasured(BatteryReading(millivolts: 7500, percent: 20)))
    }
    first.run(seconds: 300)
    let before = first.tracker.outlook(at: first.now)
    #expect(before.contactInterval > .minutes(10), again(Self.self, "\(before)"))
    var second = try first.woken()
    second.run(seconds: 1)
    let after = second.tracker.outlook(at: second.now)
    #expect(
      after.contactInterval == before.contactInterval
        && after.captureInterval == before.captureInterval, again(Self.self, "\(after)"))
  }

  /// Adaptive, with a finish after six hours, measured each ten seconds until the halt.
  private func adaptive(_ reading: BatteryReading = BatteryReading(millivolts: 7500)) -> Bench {
    var bench = Bench.halting {
      $0.capture = .adaptive(interval: .minutes(10))
      $0.finish = .after(.hours(6))
    }
    for second in 0..<600 where bench.halt == nil {
      if second % 10 == 0 { bench.handle(.batteryMeasured(reading)) }
      bench.run(seconds: 1)
    }
    return bench
  }

  @Test func `What was spent and planned goes on, with what the halted machine takes`() throws {
    let first = adaptive()
    let sleep = try #require(first.kept.sleep, again(Self.self))
    #expect(sleep.spent > 0 && sleep.planned > 0, again(Self.self, "\(sleep)"))
    var second = try first.woken()
    second.run(seconds: 0)
    let settings = second.tracker.configuration
    let consumption = Consumption(Board.halted, settings, captureInterval: .minutes(10))
    func sums(_ bench: Bench) -> (spent: Int64, planned: Int64) {
      bench.tracker.budget.sums(spending: 0, at: bench.now, consumption)
    }
    second.handle(.commandGiven(.captureNow, from: .script))
    let (before, plan) = (sums(second), second.tracker.budget.plan)
    #expect(before == (Int64(sleep.spent), Int64(sleep.planned)), again(Self.self))
    let halted = second.tracker.drawnHalted() ?? 0
    let time = try #require(second.tracker.slept)
    second.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    let after = sums(second)
    #expect(halted > 0 && after.spent - before.spent == halted, again(Self.self))
    let planned = consumption.share(plan, for: time)
    #expect(abs(after.planned - before.planned - planned) <= 1, again(Self.self))
  }

  @Test func `The first plan after a halt knows the finish and the time of day`() throws {
    var first = adaptive()
    let known = first.tracker.energyTerms(at: first.now)
    let wanted = try #require(known, again(Self.self))
    let left = try #require(wanted.finish) - first.now
    var second = try first.woken()
    // Before the receiver has said anything.
    second.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    let woken = second.tracker.energyTerms(at: second.now)
    let terms = try #require(woken, again(Self.self))
    let passed = try #require(first.halt)
    let finish = try #require(terms.finish, again(Self.self)) - second.now
    #expect(abs((left - finish - passed).count) < 60_000, again(Self.self, "\(left) \(finish)"))
    let (hour, then) = (try #require(terms.weather.hour), try #require(wanted.weather.hour))
    // But for the altitude.
    #expect(abs(terms.weather.coldest - wanted.weather.coldest) <= 3, again(Self.self))
    #expect(terms.weather.coldest > 0, again(Self.self))
    #expect(abs((hour - then - passed).count) < 60_000, again(Self.self, "\(then) \(hour)"))
  }

  @Test func `A battery's last contact is not made again after each halt`() throws {
    var first = Bench.halting()
    let low = BatteryReading(millivolts: 7000, percent: 3)
    first.run(seconds: 10)
    first.handle(.batteryMeasured(low))
    while first.halt == nil { first.run(seconds: 1) }
    #expect(first.stored.contains { $0.trigger == .batteryEnd }, again(Self.self))
    var second = try first.woken()
    second.handle(.batteryMeasured(low))
    second.run(seconds: 300)
    #expect(second.stored.map(\.trigger) == [.interval], again(Self.self, "\(second.stored)"))
  }

  @Test func `What was drawn before a halt that is refused counts`() throws {
    var bench = Bench.halting()
    bench.run(seconds: 10)
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    let measured = bench.now
    while bench.halt == nil { bench.run(seconds: 1) }
    bench.handle(.haltRefused)
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    let pack = Board.halted.battery
    let least = pack.share(
      ofMicroamps: pack.current(ofLoads: 100_000, at: Board.halted.supplyMillivolts),
      for: bench.now - measured)
    #expect(bench.now - measured > .seconds(5), again(Self.self))
    #expect(bench.tracker.gauge.spent >= least, again(Self.self, "\(bench.tracker.gauge.spent)"))
  }

  /// One cell of 2000 mAh with 3 to 4 V.
  private static func cell(_ chemistry: Chemistry) -> Battery {
    var curve = InlineArray<11, Int32>(repeating: 0)
    for index in 0..<11 { curve[index] = 3000 + Int32(index) * 100 }
    var battery = Battery(
      cellsInSeries: 1, cellsInParallel: 1, cellCapacityMilliampHours: 2000, cellMillivolts: curve,
      cutOffMillivolts: 2800, capacityAtFreezingPercent: 95, regulator: .linear)
    battery.chemistry = chemistry
    battery.cellMilliohms = 100
    return battery
  }

  /// In each ten minutes it is measured when it starts and half a minute later, and halted after
  /// another half. The battery loses half as much again as the loads say.
  @Test(arguments: [Chemistry.lithiumIon, .alkaline, .nickelMetalHydride])
  func `Halted hundreds of times it knows as much of its battery as one that stays awake`(
    _ chemistry: Chemistry
  ) throws {
    let battery = Self.cell(chemistry)
    func drawn(_ microamps: Int64, _ seconds: Int64) -> BatteryGauge.Drawn {
      BatteryGauge.Drawn(
        microamps: microamps, time: .seconds(seconds), presentMicroamps: 60_000)
    }
    let nothing = BatteryGauge.Drawn(presentMicroamps: 60_000)
    let halted = battery.share(ofMicroamps: 10_000, for: .minutes(9))
    var (awake, asleep) = (BatteryGauge(battery), BatteryGauge(battery))
    var noise = Jitter(seed: 7)
    var left = 900_000.0
    func reading() -> BatteryReading {
      BatteryReading(millivolts: 2954 + Int32(left / 1000) + Int32(noise.next() % 81))
    }
    for cycle in Int64(0)..<300 {
      let start = Instant.start + .minutes(10 * cycle)
      let hour = Milliseconds.minutes(10 * cycle % 1440)
      let first = reading()
      if cycle > 0 {
        let kept = try #require(
          asleep.record(at: start - .minutes(9), Moment(), drawn(60_000, 30)))
        asleep = BatteryGauge(battery, remembered: kept)
      }
      awake.measure(first, at: start, cycle == 0 ? nothing : drawn(12_632, 570), hour: hour)
      asleep.measure(
        first, at: start, nothing, meanwhile: halted, slept: cycle == 0 ? nil : .minutes(9),
        hour: hour)
      left -= 1.5 * Double(battery.share(ofMicroamps: 60_000, for: .seconds(30)))
      let second = reading()
      awake.measure(second, at: start + .seconds(30), drawn(60_000, 30), hour: hour)
      asleep.measure(second, at: start + .seconds(30), drawn(60_000, 30), hour: hour)
      left -= 1.5 * Double(battery.share(ofMicroamps: 12_632, for: .seconds(570)))
    }
    let (one, other) = (try #require(awake.estimate), try #require(asleep.estimate))
    let text = again(Self.self, "\(one) \(other)")
    #expect(abs(one.charge - other.charge) < 10_000, text)
    #expect(abs(one.deviation - other.deviation) * 100 <= one.deviation, text)
    #expect(abs(one.drain - other.drain) * 100 <= one.drain, text)
    #expect(abs(one.drainDeviation - other.drainDeviation) * 100 <= one.drainDeviation, text)
    #expect(abs(awake.heldBack - asleep.heldBack) < 10_000, text)
    guard chemistry == .lithiumIon else { return }
    #expect(abs(Double(other.charge) - left) < 2 * Double(other.deviation), text)
    #expect(other.drainDeviation < Bounds.unknownDrainDeviation * 6 / 10, text)
    #expect(other.drain > 1_250_000, text)
  }

  /// Where the battery is measured at contacts only.
  @Test func `What is drawn until the battery is measured again is counted over several halts`()
    throws
  {
    let battery = Self.cell(.lithiumIon)
    let record = ChargeRecord(
      charge: 800_000, deviation: 30_000, drain: 1_200_000, drainDeviation: 100_000,
      at: Moment(), contradictions: 1, unmeasuredMilliseconds: 20_000)
    var next = record
    for _ in 0..<3 {
      let gauge = BatteryGauge(battery, remembered: next)
      next = try #require(
        gauge.record(
          at: .start + .minutes(1), Moment(),
          BatteryGauge.Drawn(microamps: 60_000, time: .minutes(1)), meanwhile: 1000,
          slept: .minutes(9)))
    }
    let each = 1000 + battery.share(ofMicroamps: 60_000, for: .minutes(1))
    #expect(abs(800_000 - Int64(next.charge) - 3 * each * 12 / 10) < 10, again(Self.self))
    #expect(next.unmeasured == .minutes(30) + .seconds(20), again(Self.self))
    #expect(next.contradictions == 1 && next.covarianceBillionths < 0, again(Self.self, "\(next)"))
    // After a start like any other nobody knows what was drawn.
    let started = try #require(
      BatteryGauge(battery, remembered: record).record(at: .start, Moment(), meanwhile: 40_000))
    #expect(started.charge == 776_000 && started.deviation == 54_000, again(Self.self))
    #expect(BatteryGauge(battery).record(at: .start, Moment()) == nil, again(Self.self))
  }

  @Test func `What the halted machine takes is taken from the charge`() throws {
    var board = Board.halted
    // Half of the board's own, so that an hour takes some 2 % of the pack.
    board.halting?.microamps = 40_000
    board.loads.receiverStandbyMicroamps = 10_000
    let interval = Milliseconds.hours(1)
    var first = Bench.halting(board) {
      $0.capture = .standard(interval: interval, minimumDistanceMetres: 0, heartbeat: interval)
    }
    for _ in 0..<2 {
      first.run(seconds: 4)
      first.handle(.batteryMeasured(BatteryReading(millivolts: 7500, percent: 60)))
    }
    first.run(seconds: 300)
    let kept = try #require(first.kept.charge)
    let time = try #require(first.halt)
    #expect(kept.charge < 600_000, "what was taken since the measurement; \(again(Self.self))")
    #expect(kept.at == first.kept.sleep?.at, again(Self.self))
    var identity = Identity.bench
    identity.memory = first.kept
    identity.memory.sleep?.at.at = .start - time - .seconds(20)
    identity.memory.charge?.at.at = .start - time - .seconds(20)
    var second = Bench.halting(board, identity: identity)
    second.run(seconds: 1)
    // A reading that says nothing: as uncertain as can be.
    let pack = board.battery
    let current = pack.current(ofLoads: 40_000, 10_000, at: board.supplyMillivolts)
    let share = pack.share(ofMicroamps: current, for: time - .seconds(5))
    #expect(share > 10_000, again(Self.self, "\(share)"))
    let drawn = second.tracker.drawnHalted() ?? 0
    let boot = pack.share(
      ofMicroamps: pack.current(ofLoads: 200_000, at: board.supplyMillivolts), for: .seconds(20))
    let stop = pack.share(
      ofMicroamps: pack.current(ofLoads: 100_000, at: board.supplyMillivolts), for: .seconds(5))
    #expect(abs(drawn - share - boot - stop) < 200, again(Self.self, "\(drawn) of \(share)"))
  }
}
