import Testing

@testable import TrackerCore

/// A person's test: a position that is taken and sent now, before the reconnect floor has ended
/// only if the person says so.
@Suite struct TestOrderTests {
  /// Two minutes after the first contact.
  private func bench(_ adjust: (inout Configuration) -> Void = { _ in }) -> Bench {
    var bench = Bench(adjust)
    bench.run(seconds: 120)
    return bench
  }

  private func order(_ bench: inout Bench, overFloor: Bool) -> UInt32? {
    bench.handle(.commandGiven(.test(overFloor: overFloor), from: .script))
    bench.run(seconds: 3)
    return bench.stored.last.flatMap { $0.trigger == .test ? $0.sequence : nil }
  }

  @Test func `A test takes a position that says so, and sends it when the floor has ended`() throws
  {
    var bench = bench()
    #expect(bench.queue.isEmpty, "the first contact is over")
    let number = try #require(order(&bench, overFloor: false), again(Self.self))
    bench.run(seconds: 300)
    #expect(!bench.received.contains(number), again(Self.self))
    #expect(bench.tracker.sendReason == .reconnectFloor, again(Self.self))
    bench.run(seconds: 360)
    #expect(bench.received.contains(number), again(Self.self))
  }

  @Test func `Over the floor it is sent at once, and the floor counts anew from there`() throws {
    var bench = bench()
    let number = try #require(order(&bench, overFloor: true), again(Self.self))
    bench.run(seconds: 60)
    #expect(bench.received.contains(number), again(Self.self))
    // The order was for one joining.
    let next = try #require(order(&bench, overFloor: false), again(Self.self))
    bench.run(seconds: 480)
    #expect(!bench.received.contains(next), again(Self.self))
    // It goes with the first capture after the floor's end.
    bench.run(seconds: 720)
    #expect(bench.received.contains(next), again(Self.self))
  }

  @Test func `In the reserve it is sent, too`() throws {
    var bench = bench { $0.reconnectFloor = 0 }
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 6400)))
    let number = try #require(order(&bench, overFloor: false), again(Self.self))
    bench.run(seconds: 60)
    #expect(bench.received.contains(number), again(Self.self))
  }

  @Test func `Attached, a contact that has begun is followed by one with the test`() throws {
    var bench = bench { $0.betweenUploads = .attached }
    bench.server = .mute
    bench.run(seconds: 600)
    #expect(bench.tracker.pending > 0, "a contact is under way")
    let number = try #require(order(&bench, overFloor: false), again(Self.self))
    bench.server = .accepts
    bench.run(seconds: 240)
    #expect(bench.received.contains(number), again(Self.self))
  }

  @Test func `Without a session only what waits is sent, and without a fix the test comes later`() {
    var stopped = bench()
    stopped.handle(.commandGiven(.stop, from: .script))
    #expect(order(&stopped, overFloor: true) == nil, again(Self.self))
    var blind = bench()
    blind.sky = .noFix
    blind.run(seconds: 20)
    #expect(order(&blind, overFloor: true) == nil, again(Self.self))
    blind.sky = .fix(accuracyMetres: 5)
    blind.run(seconds: 60)
    #expect(blind.received.last == blind.stored.last?.sequence, again(Self.self))
    #expect(blind.stored.last?.trigger == .test, again(Self.self))
  }

  @Test func `A modem that waits for the floor to be restarted is restarted after its gap`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.wait(until: 26_100)
    #expect(tape.modem.deadline == .at(600_000), again(Self.self))
    tape.modem.power.waiveFloor(at: .at(32_000))
    #expect(tape.modem.deadline == .at(34_000), again(Self.self))
    tape.at(34_000, .deadline, .says(.attention))
    tape.at(34_010, .hears("OK\r\n"), .says(.reportErrors))
    #expect(tape.modem.floorEnd == .at(634_000), "this joining counts too")
  }
}
