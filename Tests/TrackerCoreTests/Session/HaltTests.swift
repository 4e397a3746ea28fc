import Testing

@testable import TrackerCore

/// A machine that is halted between captures, and woken by its clock.
@Suite struct HaltTests {
  @Test
  func `After a capture that is delivered the machine is halted until shortly before the next`()
    throws
  {
    var bench = Bench.halting()
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
    var first = Bench.halting { $0.transmitInterval = .minutes(20) }
    first.run(seconds: 400)
    #expect(first.received == [1], again(Self.self))
    var second = try first.woken()
    second.run(seconds: 300)
    #expect(second.stored.map(\.trigger) == [.interval], again(Self.self, "\(second.stored)"))
    // Its time is trusted from the first report on.
    #expect(second.stored.first?.isTimeTrusted == true, again(Self.self))
    #expect(second.received.isEmpty && second.kept.sleep != nil, again(Self.self))
    var third = try second.woken()
    third.run(seconds: 300)
    #expect(third.stored.count == 1 && third.received.count == 1, again(Self.self))
  }

  @Test func `One that is woken too late, or by another clock, starts as after a power cut`() throws
  {
    for late in [Milliseconds.minutes(11), 0 - .minutes(60)] {
      var first = Bench.halting()
      first.run(seconds: 400)
      var second = try first.woken(late: late)
      second.run(seconds: 60)
      #expect(second.stored.map(\.trigger) == [.start], again(Self.self))
      #expect(second.kept.sleep?.at.at ?? .start >= .start, "the old record is forgotten")
    }
  }

  @Test func `A record of nonsense harms nothing`() throws {
    for value in [Int64.min, -1, 0, Int64.max] {
      var first = Bench.halting()
      first.run(seconds: 400)
      var second = try first.woken {
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
      var bench = Bench.halting {
        $0.capture = .standard(interval: interval, minimumDistanceMetres: 0, heartbeat: interval)
      }
      bench.run(seconds: 3600)
      let isWorth = interval > .minutes(2)
      #expect((bench.halt != nil) == isWorth, again(Self.self, "\(interval)"))
    }
    var dear = Board.halted
    dear.halting?.microamps = 99_000
    var bench = Bench.halting(dear)
    bench.run(seconds: 3600)
    #expect(bench.halt == nil, again(Self.self))
  }

  @Test
  func `It is not halted with an external supply, unsent captures at hand, or without the setting`()
  {
    var supplied = Bench.halting()
    supplied.handle(.pinChanged(.powerGood, isActive: true, since: 0))
    supplied.run(seconds: 3600)
    #expect(supplied.halt == nil, again(Self.self))
    var awake = Bench.halting { $0.sleep = .never }
    awake.run(seconds: 3600)
    #expect(awake.halt == nil, again(Self.self))
    var stopped = Bench.halting()
    stopped.handle(.commandGiven(.stop, from: .button))
    stopped.run(seconds: 3600)
    #expect(stopped.halt == nil, again(Self.self))
    var plain = Bench.halting(.bench)
    plain.run(seconds: 3600)
    #expect(plain.halt == nil, again(Self.self))
  }

  @Test func `A modem that stays on is never halted under`() {
    var attached = Bench.halting { $0.betweenUploads = .attached }
    attached.run(seconds: 3600)
    #expect(attached.halt == nil, again(Self.self))
    var board = Board.halted
    board.modem.rest = .radioOff
    var resting = Bench.halting(board)
    resting.run(seconds: 3600)
    #expect(resting.halt == nil, again(Self.self))
  }

  @Test func `A host that refuses is asked again later, and captures go on`() throws {
    var bench = Bench.halting()
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
    var bench = Bench.halting()
    bench.run(seconds: 7200)
    #expect(bench.stored.count == 12 || bench.stored.count == 13, again(Self.self))
    #expect(bench.received.count >= 12, again(Self.self))
  }

  @Test func `What was drawn meanwhile is counted, and the estimate is as certain as before`()
    throws
  {
    var first = Bench.halting()
    for _ in 0..<6 {
      first.run(seconds: 60)
      first.handle(.batteryMeasured(BatteryReading(millivolts: 3900)))
    }
    let kept = try #require(first.kept.charge)
    var second = try first.woken()
    second.run(seconds: 10)
    second.handle(.batteryMeasured(BatteryReading(millivolts: 3900)))
    let charge = try #require(second.tracker.charge)
    #expect(charge.deviation <= Int64(kept.deviation) + 1000, again(Self.self))
    #expect(abs(charge.charge - Int64(kept.charge)) < 20_000, again(Self.self))
  }

  @Test func `The reconnect floor goes on, also against an order`() throws {
    let interval = Milliseconds.minutes(5)
    var first = Bench.halting {
      $0.capture = .standard(interval: interval, minimumDistanceMetres: 0, heartbeat: interval)
    }
    first.run(seconds: 250)
    let joined = try #require(first.received.isEmpty ? nil : first.kept.sleep?.floor)
    #expect(joined > .minutes(8), again(Self.self, "\(joined)"))
    var second = try first.woken()
    second.run(seconds: 6)
    second.handle(.commandGiven(.sendNow, from: .socket))
    second.run(seconds: 200)
    #expect(
      second.received.isEmpty && second.tracker.sendReason == .reconnectFloor,
      again(Self.self, "\(String(describing: second.tracker.sendReason))"))
    second.run(seconds: 200)
    #expect(second.received.count == 2, again(Self.self, "\(second.received)"))
  }

  @Test func `What is joined after a halt counts, whatever the floor was before it`() {
    var floor = ReconnectFloor(interval: .minutes(10))
    floor.resume(until: .at(100_000))
    // The date was corrected.
    floor.resume(until: .at(200_000))
    #expect(floor.end == .at(200_000))
    floor.join(at: .at(200_000))
    floor.resume(until: .at(150_000))
    #expect(floor.end == .at(800_000))
  }

  @Test func `Without a modem it is halted, too`() {
    var bench = Bench.halting { $0.bearer = .none }
    bench.run(seconds: 400)
    #expect(bench.halt != nil && bench.received == [1], again(Self.self))
  }

  @Test func `A receiver that loses its supply starts cold, and is not woken`() throws {
    var board = Board.halted
    board.halting?.keepsReceiver = false
    var first = Bench.halting(board) { $0.receiverUse = .always }
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
    var second = Bench.halting(board, identity: identity) { $0.receiverUse = .always }
    second.run(seconds: 3)
    #expect(orders(second).isEmpty, again(Self.self))
  }

  @Test func `A receiver that cannot sleep goes on, and counts`() throws {
    var board = Board.halted
    board.receiver.canSleep = false
    var first = Bench.halting(board)
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
    let (awake, asleep) = (current(board), current(Board.halted))
    let tracking = board.battery.current(ofLoads: 39_000, at: board.supplyMillivolts)
    #expect(abs(awake - asleep - tracking) < tracking / 10, again(Self.self, "\(awake) \(asleep)"))
    settings.sleep = .never
    #expect(awake < current(board), again(Self.self))
  }

  @Test func `The record is gone once the tracker has gone on from it`() throws {
    var first = Bench.halting()
    first.run(seconds: 400)
    var second = try first.woken()
    second.run(seconds: 1)
    #expect(!second.memories.isEmpty && second.kept.sleep == nil, again(Self.self))
    #expect(first.kept.charge?.at == first.kept.sleep?.at || first.kept.charge == nil)
  }
}
