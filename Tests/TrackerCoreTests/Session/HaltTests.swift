import Testing

@testable import TrackerCore

/// A machine that is halted between captures, and woken by its clock.
@Suite struct HaltTests {
  private static var board: Board {
    var board = Board.bench
    board.loads.boardMicroamps = 100_000
    board.halting = Halting(
      microamps: 100, wakeTime: .seconds(20), wakeMicroamps: 200_000, stopTime: .seconds(5),
      keepsReceiver: true, keepsModem: false)
    return board
  }

  private func bench(
    _ board: Board = board, identity: Identity = .bench,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> Bench {
    Bench(board: board, identity: identity) {
      $0.sleep = .halt
      $0.receiverUse = .dutyCycle
      adjust(&$0)
    }
  }

  /// The tracker that starts `late` after it should run again.
  private func woken(
    _ before: Bench, late: Milliseconds = 0, _ adjust: (inout Memory) -> Void = { _ in }
  ) throws -> Bench {
    let time = try #require(before.halt, again(Self.self))
    let at = try #require(before.log.last { $0.effect == .halt(time) }?.at)
    let off = time + .seconds(20) + late
    var identity = Identity.bench
    identity.nextSequence = UInt32(before.stored.count) + 1
    identity.memory = before.kept
    identity.memory.session?.begun.at = nil
    identity.memory.sleep?.at.at = .start - off
    identity.memory.charge?.at.at = .start - off
    adjust(&identity.memory)
    var bench = bench(identity: identity) { $0 = before.tracker.configuration }
    bench.date = before.date.map { $0 + (at - .start) + off }
    return bench
  }

  @Test
  func `After a capture that is delivered the machine is halted until shortly before the next`()
    throws
  {
    var bench = bench()
    bench.run(seconds: 400)
    let time = try #require(bench.halt, again(Self.self))
    let halted = try #require(bench.log.last { $0.effect == .halt(time) })
    let next = try #require(bench.captureTimes.first.map { Instant.at($0 * 1000) }) + .minutes(10)
    // Boot and hot start.
    #expect(abs((halted.at + time + .seconds(22) - next).count) < 1000, again(Self.self))
    #expect(bench.queue.isEmpty && bench.tracker.modemPhase == .off, again(Self.self))
    #expect(bench.kept.sleep?.alarm == time && !bench.tracker.isReceiverAwake, again(Self.self))
  }

  @Test func `The tracker that starts then captures at its slot and sends at its time`() throws {
    var first = bench { $0.transmitInterval = .minutes(20) }
    first.run(seconds: 400)
    #expect(first.received == [1], again(Self.self))
    var second = try woken(first)
    second.run(seconds: 300)
    #expect(second.stored.map(\.trigger) == [.interval], again(Self.self, "\(second.stored)"))
    // Its time is trusted from the first report on.
    #expect(second.stored.first?.isTimeTrusted == true, again(Self.self))
    #expect(second.received.isEmpty && second.kept.sleep != nil, again(Self.self))
    var third = try woken(second)
    third.run(seconds: 300)
    #expect(third.stored.count == 1 && third.received.count == 1, again(Self.self))
  }

  @Test func `One that is woken too late, or by another clock, starts as after a power cut`() throws
  {
    for late in [Milliseconds.minutes(11), 0 - .minutes(60)] {
      var first = bench()
      first.run(seconds: 400)
      var second = try woken(first, late: late)
      second.run(seconds: 60)
      #expect(second.stored.map(\.trigger) == [.start], again(Self.self))
      #expect(second.kept.sleep?.at.at ?? .start >= .start, "the old record is forgotten")
    }
  }

  @Test func `A record of nonsense harms nothing`() throws {
    for value in [Int64.min, -1, 0, Int64.max] {
      var first = bench()
      first.run(seconds: 400)
      var second = try woken(first) {
        if value != 0 && value != -1 { $0.sleep?.alarm = Milliseconds(Int64.max) }
        $0.sleep?.capture = Milliseconds(value)
        $0.sleep?.contact = Milliseconds(value)
        $0.sleep?.floor = Milliseconds(value)
        $0.sleep?.captured = Milliseconds(value)
        $0.sleep?.capturePercent = Int32(clamping: value)
        $0.sleep?.contactPercent = Int32(clamping: value)
        $0.sleep?.failedContacts = Int32(clamping: value)
        $0.sleep?.spent = Int32(clamping: value)
        $0.sleep?.planned = Int32(clamping: value)
        let part = Int32(clamping: value)
        $0.charge = ChargeRecord(
          charge: part, deviation: part, drain: part, drainDeviation: part, at: Moment(),
          covarianceBillionths: part, bias: part, contradictions: Int8(clamping: value), held: part,
          finalContact: part, unmeasuredMilliseconds: part)
      }
      for percent in [UInt8(60), 10, 60, 60, 60] {
        second.handle(.batteryMeasured(BatteryReading(millivolts: 7500, percent: percent)))
        second.run(seconds: 60)
      }
      #expect(second.tracker.charge.map { $0.wholePercent >= 50 } == true, again(Self.self))
      second.run(seconds: 2 * 86_400)
      #expect(second.stored.count > 100, again(Self.self, "\(value): \(second.stored.count)"))
      #expect(second.received.count > 100, again(Self.self, "\(value)"))
    }
  }

  @Test func `It is not halted where staying awake takes less`() {
    for interval in [Milliseconds.seconds(60), .minutes(3)] {
      var bench = bench {
        $0.capture = .standard(interval: interval, minimumDistanceMetres: 0, heartbeat: interval)
      }
      bench.run(seconds: 3600)
      let isWorth = interval > .minutes(2)
      #expect((bench.halt != nil) == isWorth, again(Self.self, "\(interval)"))
    }
    var dear = Self.board
    dear.halting?.microamps = 99_000
    var bench = bench(dear)
    bench.run(seconds: 3600)
    #expect(bench.halt == nil, again(Self.self))
  }

  @Test
  func `It is not halted with an external supply, unsent captures at hand, or without the setting`()
  {
    var supplied = bench()
    supplied.handle(.pinChanged(.powerGood, isActive: true, since: 0))
    supplied.run(seconds: 3600)
    #expect(supplied.halt == nil, again(Self.self))
    var awake = bench { $0.sleep = .never }
    awake.run(seconds: 3600)
    #expect(awake.halt == nil, again(Self.self))
    var stopped = bench()
    stopped.handle(.commandGiven(.stop, from: .button))
    stopped.run(seconds: 3600)
    #expect(stopped.halt == nil, again(Self.self))
    var plain = bench(.bench)
    plain.run(seconds: 3600)
    #expect(plain.halt == nil, again(Self.self))
  }

  @Test func `A modem that stays on is never halted under`() {
    var attached = bench { $0.betweenUploads = .attached }
    attached.run(seconds: 3600)
    #expect(attached.halt == nil, again(Self.self))
    var board = Self.board
    board.modem.rest = .radioOff
    var resting = bench(board)
    resting.run(seconds: 3600)
    #expect(resting.halt == nil, again(Self.self))
  }

  @Test func `A host that refuses is asked again later, and captures go on`() throws {
    var bench = bench()
    bench.run(seconds: 60)
    var asked: [Int64] = []
    for _ in 0..<7200 {
      let before = bench.log.count
      bench.run(seconds: 1)
      for entry in bench.log[before...] {
        guard case .halt = entry.effect else { continue }
        asked.append(entry.at.milliseconds / 1000)
        bench.handle(.haltRefused)
        #expect(bench.kept.sleep == nil, again(Self.self))
      }
    }
    #expect(asked.count > 10, again(Self.self, "\(asked)"))
    for (one, next) in zip(asked, asked.dropFirst()) {
      #expect(next - one >= 300, again(Self.self))
    }
    #expect(bench.stored.count == 13, again(Self.self, "\(bench.stored.count)"))
  }

  @Test func `A machine that does not halt although it was ordered to is used again`() throws {
    var bench = bench()
    bench.run(seconds: 7200)
    #expect(bench.stored.count == 12 || bench.stored.count == 13, again(Self.self))
    #expect(bench.received.count >= 12, again(Self.self))
  }

  @Test func `What was drawn meanwhile is counted, and the estimate is as certain as before`()
    throws
  {
    var first = bench()
    for _ in 0..<6 {
      first.run(seconds: 60)
      first.handle(.batteryMeasured(BatteryReading(millivolts: 3900)))
    }
    let kept = try #require(first.kept.charge)
    var second = try woken(first)
    second.run(seconds: 10)
    second.handle(.batteryMeasured(BatteryReading(millivolts: 3900)))
    let charge = try #require(second.tracker.charge)
    #expect(charge.deviation <= Int64(kept.deviation) + 1000, again(Self.self))
    #expect(abs(charge.charge - Int64(kept.charge)) < 20_000, again(Self.self))
  }

  @Test func `The reconnect floor goes on, also against an order`() throws {
    let interval = Milliseconds.minutes(5)
    var first = bench {
      $0.capture = .standard(interval: interval, minimumDistanceMetres: 0, heartbeat: interval)
    }
    first.run(seconds: 250)
    let joined = try #require(first.received.isEmpty ? nil : first.kept.sleep?.floor)
    #expect(joined > .minutes(8), again(Self.self, "\(joined)"))
    var second = try woken(first)
    second.run(seconds: 6)
    second.handle(.commandGiven(.sendNow, from: .socket))
    second.run(seconds: 200)
    #expect(
      second.received.isEmpty && second.tracker.sendReason == .reconnectFloor,
      again(Self.self, "\(String(describing: second.tracker.sendReason))"))
    second.run(seconds: 200)
    #expect(second.received.count == 2, again(Self.self, "\(second.received)"))
  }

  @Test func `Without a modem it is halted, too`() {
    var bench = bench { $0.bearer = .none }
    bench.run(seconds: 400)
    #expect(bench.halt != nil && bench.received == [1], again(Self.self))
  }

  @Test func `A receiver that loses its supply starts cold, and is not woken`() throws {
    var board = Self.board
    board.halting?.keepsReceiver = false
    var first = bench(board) { $0.receiverUse = .always }
    first.run(seconds: 400)
    let time = try #require(first.halt, again(Self.self))
    let halted = try #require(first.log.last { $0.effect == .halt(time) }?.at)
    let slot = Instant.at(try #require(first.captureTimes.first) * 1000) + .minutes(10)
    // It starts with the computer, and takes longer.
    #expect(abs((halted + time + .seconds(27) - slot).count) < 1000, again(Self.self))
    func orders(_ bench: Bench) -> [Effect] {
      bench.log.map(\.effect).filter { if case .sendToReceiver = $0 { true } else { false } }
    }
    #expect(orders(first).isEmpty, again(Self.self))
    var identity = Identity.bench
    identity.memory = first.kept
    identity.memory.sleep?.at.at = .start - time
    var second = bench(board, identity: identity) { $0.receiverUse = .always }
    second.run(seconds: 3)
    #expect(orders(second).isEmpty, again(Self.self))
  }

  @Test func `A receiver that cannot sleep goes on, and counts`() throws {
    var board = Self.board
    board.receiver.canSleep = false
    var first = bench(board)
    first.run(seconds: 400)
    let time = try #require(first.halt, again(Self.self))
    let halted = try #require(first.log.last { $0.effect == .halt(time) }?.at)
    let slot = Instant.at(try #require(first.captureTimes.first) * 1000) + .minutes(10)
    #expect(abs((halted + time + .seconds(20) - slot).count) < 1000, again(Self.self))
    var settings = first.tracker.configuration
    let plan = EnergyBudget.Plan()
    func current(_ board: Board) -> Int64 {
      Consumption(board, settings, captureInterval: .hours(1)).current(plan)
    }
    let (awake, asleep) = (current(board), current(Self.board))
    let tracking = board.battery.current(ofLoads: 39_000, at: board.supplyMillivolts)
    #expect(abs(awake - asleep - tracking) < tracking / 10, again(Self.self, "\(awake) \(asleep)"))
    settings.sleep = .never
    #expect(awake < current(board), again(Self.self))
  }

  @Test func `The record is gone once the tracker has gone on from it`() throws {
    var first = bench()
    first.run(seconds: 400)
    var second = try woken(first)
    second.run(seconds: 1)
    #expect(!second.memories.isEmpty && second.kept.sleep == nil, again(Self.self))
    #expect(first.kept.charge?.at == first.kept.sleep?.at || first.kept.charge == nil)
  }

  @Test func `The plan of adaptive holds until the next measurement`() throws {
    var first = bench {
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
    var second = try woken(first)
    second.run(seconds: 1)
    let after = second.tracker.outlook(at: second.now)
    #expect(
      after.contactInterval == before.contactInterval
        && after.captureInterval == before.captureInterval, again(Self.self, "\(after)"))
  }

  /// Adaptive, with a finish after six hours, measured each ten seconds until the halt.
  private func adaptive(_ reading: BatteryReading = BatteryReading(millivolts: 7500)) -> Bench {
    var bench = bench {
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
    var second = try woken(first)
    second.run(seconds: 0)
    let settings = second.tracker.configuration
    let consumption = Consumption(Self.board, settings, captureInterval: .minutes(10))
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
    var second = try woken(first)
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
    var first = bench()
    let low = BatteryReading(millivolts: 7000, percent: 3)
    first.run(seconds: 10)
    first.handle(.batteryMeasured(low))
    while first.halt == nil { first.run(seconds: 1) }
    #expect(first.stored.contains { $0.trigger == .batteryEnd }, again(Self.self))
    var second = try woken(first)
    second.handle(.batteryMeasured(low))
    second.run(seconds: 300)
    #expect(second.stored.map(\.trigger) == [.interval], again(Self.self, "\(second.stored)"))
  }

  @Test func `What was drawn before a halt that is refused counts`() throws {
    var bench = bench()
    bench.run(seconds: 10)
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    let measured = bench.now
    while bench.halt == nil { bench.run(seconds: 1) }
    bench.handle(.haltRefused)
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    let pack = Self.board.battery
    let least = pack.share(
      ofMicroamps: pack.current(ofLoads: 100_000, at: Self.board.supplyMillivolts),
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
    var board = Self.board
    // Half of the board's own, so that an hour takes some 2 % of the pack.
    board.halting?.microamps = 40_000
    board.loads.receiverStandbyMicroamps = 10_000
    let interval = Milliseconds.hours(1)
    var first = bench(board) {
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
    var second = bench(board, identity: identity)
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
