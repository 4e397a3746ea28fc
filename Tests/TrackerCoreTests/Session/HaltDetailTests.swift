import Testing

@testable import TrackerCore

/// Figures and orders around the halt of a machine.
@Suite struct HaltDetailTests {
  private func bench(
    wakeMicroamps: Int32 = 200_000, identity: Identity = .bench,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> Bench {
    var board = Board.halted
    board.halting?.wakeMicroamps = wakeMicroamps
    return .halting(board, identity: identity, adjust)
  }

  @Test func `What halting takes is what each part of the time takes`() {
    var loads = Board.bench.loads
    loads.boardMicroamps = 100_000
    func excess(_ seconds: Int64) -> Int64 {
      Board.halted.halting!.excess(loads, for: .seconds(seconds))
    }
    let switching: Int64 = 20_000 * 200_000 + 5_000 * 100_000
    #expect(excess(125) == switching + 100_000 * 100 - 125_000 * 100_000, again(Self.self))
    #expect(excess(40) == switching + 100_000 * 15 - 40_000 * 100_000, again(Self.self))
    // In less time it still has to start and to stop, and would have been awake meanwhile.
    #expect(excess(25) == switching - 25_000 * 100_000, again(Self.self))
    #expect(excess(10) == excess(25), again(Self.self))
    loads.boardMicroamps = -1
    #expect(excess(125) == 20_000 * 200_000 + 100_000 * 100, again(Self.self))
  }

  @Test(arguments: [(Int64(10), true), (30, false)])
  func `Whether it is worth it counts from the halt until the machine runs again`(
    _ seconds: Int64, _ isWorth: Bool
  ) throws {
    var usual = bench()
    usual.run(seconds: 400)
    let time = try #require(usual.halt, again(Self.self)).count + seconds * 1000
    // Such a start takes as much as to be awake for that time.
    let start = time * 100_000 - 5_000 * 100_000 - (time - 25_000) * 100
    var dear = bench(wakeMicroamps: Int32(start / 20_000))
    dear.run(seconds: 400)
    #expect((dear.halt != nil) == isWorth, again(Self.self))
  }

  @Test func `For a contact before the next capture it is woken in time, and not for a fix`() throws
  {
    let hour = Milliseconds.hours(1)
    var bench = bench {
      $0.capture = .standard(interval: hour, minimumDistanceMetres: 0, heartbeat: hour)
      $0.transmitInterval = .minutes(40)
    }
    bench.hasBearer = false
    bench.run(seconds: 900)
    let halt = try #require(bench.halt, again(Self.self))
    let kept = try #require(bench.kept.sleep, again(Self.self))
    #expect(kept.contact < kept.capture, again(Self.self))
    #expect(halt == kept.contact - .seconds(20), again(Self.self, "\(halt) \(kept)"))
  }

  @Test func `Where it stood is saved once, before the order`() throws {
    var bench = bench()
    bench.run(seconds: 400)
    let saved = bench.memories.filter { $0.sleep != nil }
    #expect(saved.count == 1, again(Self.self, "\(saved.count)"))
    bench.run(seconds: 20)
    #expect(bench.memories.filter { $0.sleep != nil }.count == 1, again(Self.self))
  }

  @Test(arguments: [true, false])
  func `A receiver that was put to sleep is woken by the next tracker, one without supply is not`(
    _ keeps: Bool
  ) throws {
    var first = bench()
    first.run(seconds: 400)
    let time = try #require(first.halt, again(Self.self))
    var identity = Identity.bench
    identity.memory = first.kept
    identity.memory.sleep?.at.at = .start - time - .seconds(20)
    var board = first.tracker.board
    board.halting?.keepsReceiver = keeps
    var second = Bench(board: board, identity: identity) { $0 = first.tracker.configuration }
    second.run(seconds: 1)
    let isWoken = second.log.contains { $0.effect == .sendToReceiver(.wake) }
    #expect(isWoken == keeps, again(Self.self))
  }

  @Test func `A charge that has not changed is not saved again`() throws {
    var bench = bench { $0.sleep = .never }
    func measure() {
      bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500, percent: 60)))
    }
    for _ in 0..<5 {
      bench.run(seconds: 60)
      measure()
    }
    let saved = bench.memories.count
    for _ in 0..<3 {
      bench.run(seconds: 1)
      measure()
    }
    #expect(bench.memories.count == saved, again(Self.self))
    #expect(bench.kept.charge != nil, again(Self.self))
  }

  @Test func `Without its battery's figures the policy adaptive does nothing more often than set`()
  {
    var bench = bench {
      $0.sleep = .never
      $0.capture = .adaptive(interval: .minutes(10))
      $0.finish = .after(.hours(6))
    }
    for _ in 0..<4 {
      bench.run(seconds: 60)
      bench.handle(.batteryMeasured(BatteryReading(millivolts: 8300, percent: 100)))
    }
    let configured = bench.tracker.configuration.contactInterval
    #expect(bench.tracker.outlook(at: bench.now).contactInterval < configured, again(Self.self))
    bench.handle(.batteryLost)
    #expect(bench.tracker.outlook(at: bench.now).contactInterval >= configured, again(Self.self))
  }

  /// The host passes them on after it has said that the fetch is over.
  @Test func `The control room's orders still reach a machine that is about to be halted`() throws {
    var bench = Bench.halting {
      $0.bearer = .none
      $0.fetchesMessages = true
    }
    bench.run(seconds: 3)
    bench.handle(.linkChanged(isUp: true))
    func fetched() -> Instant? {
      bench.log.last { if case .fetch = $0.effect { true } else { false } }?.at
    }
    for _ in 0..<60 where fetched() == nil { bench.run(seconds: 1) }
    bench.run(until: try #require(fetched(), again(Self.self)) + 500)
    #expect(bench.halt == nil, again(Self.self))
    bench.handle(.commandGiven(.captureNow, from: .room))
    bench.run(seconds: 30)
    #expect(bench.stored.last?.trigger == .command, again(Self.self))
    #expect(bench.halt != nil, again(Self.self))
  }
}
