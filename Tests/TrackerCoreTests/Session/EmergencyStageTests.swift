import Testing

@testable import TrackerCore

/// What becomes of a call for help, and what the team sees of it.
@Suite struct EmergencyStageTests {
  @Test func `The tracker asks until somebody has read it, and knows who`() {
    var bench = Bench.walking()
    bench.raise()
    bench.run(seconds: 60)
    let asked = bench.fetches
    bench.run(seconds: 60)
    #expect(bench.fetches >= asked + 3, again(Self.self, "\(asked), \(bench.fetches)"))
    bench.answer = .answered(bench.read())
    bench.run(seconds: 16)
    #expect(bench.emergency?.stage == .read, again(Self.self))
    #expect(bench.emergency?.person == InlineText("Marta"), again(Self.self))
  }

  @Test func `What somebody read of an earlier emergency says nothing about this one`() {
    var bench = Bench.walking()
    bench.raise()
    bench.run(seconds: 60)
    let old = bench.read()
    bench.withdraw()
    bench.run(seconds: 60)
    bench.answer = .answered(old)
    bench.raise()
    bench.run(until: bench.now + .minutes(3))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `What was answered before it was raised is no answer to it`() {
    var bench = Bench.walking()
    bench.raise()
    bench.run(seconds: 60)
    var old = bench.read(.ended)
    old.at = UTC(milliseconds: 1_780_000_000_000)
    bench.answer = .answered(old)
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `Withdrawn it needs a person who confirms that`() {
    var bench = Bench.walking()
    bench.raise()
    bench.run(seconds: 60)
    bench.withdraw()
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .withdrawn, again(Self.self))
    #expect(bench.stored.last?.trigger == .emergencyOver, again(Self.self))
    #expect(bench.queue.isEmpty, "the server knows")
    bench.answer = .answered(bench.read(.ended))
    bench.run(until: bench.now + .minutes(15))
    #expect(bench.emergency?.stage == .ended, again(Self.self))
    #expect(bench.tracker.modemPhase == .off, "as in between contacts")
  }

  @Test func `Ended by a person it says so once, and the tracker goes on as usual`() {
    var bench = Bench.walking()
    bench.raise()
    bench.run(seconds: 60)
    bench.answer = .answered(bench.read(.ended))
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .ended, again(Self.self))
    #expect(bench.stored.last?.trigger == .emergencyOver && bench.queue.isEmpty, again(Self.self))
    bench.answer = .answered(nil)
    bench.run(until: bench.now + .minutes(30))
    let since = bench.stored.suffix(4).map(\.trigger)
    #expect(since == [.emergencyOver, .interval, .interval, .interval], again(Self.self))
    bench.raise()
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, "raised again it is another one")
  }

  @Test func `A server without messages is not asked again`() {
    var bench = Bench.walking()
    bench.answer = .unsupported
    bench.raise()
    bench.run(until: bench.now + .minutes(10))
    #expect(bench.fetches == 1, again(Self.self, "\(bench.fetches)"))
    #expect(bench.queue.count <= 1, again(Self.self))
  }

  @Test func `A question that fails keeps no capture waiting`() {
    var bench = Bench.walking()
    bench.answer = .failed(status: 500)
    bench.raise()
    bench.run(until: bench.now + .minutes(10))
    #expect(bench.queue.count <= 1, again(Self.self, "\(bench.queue)"))
  }

  @Test func `It can be switched off`() {
    var bench = Bench.walking { $0.emergency = false }
    bench.raise()
    bench.press(.button, for: 7000)
    #expect(bench.emergency == nil && !bench.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `A board that halts stays awake while it stands`() {
    var bench = Bench.halting()
    bench.run(until: bench.now + .minutes(5))
    bench.raise()
    let halts = bench.halts
    bench.run(until: bench.now + .hours(2))
    #expect(bench.halts == halts, again(Self.self))
  }

  @Test func `The light shows each stage, and warns while the only button is held`() {
    var board = Board.bench
    board.hasLight = true
    var bench = Bench.walking(board: board)
    bench.press(.button, for: 7000)
    bench.run(seconds: 60)
    bench.answer = .answered(bench.read())
    bench.run(seconds: 60)
    bench.press(.button, for: 7000)
    bench.run(seconds: 10)
    let lights = bench.lights.filter { $0 != .working && $0 != .waiting && $0 != .noPosition }
    #expect(
      lights == [
        .emergencyAhead, .emergencyRaised, .emergencyDelivered, .emergencyRead, .emergencyAhead,
      ], again(Self.self, "\(lights)"))
  }

  @Test func `Let go in time, the only button stops the session`() {
    var bench = Bench.walking()
    bench.press(.button, for: 5000)
    #expect(bench.emergency == nil && !bench.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `A button of its own is held for two seconds, and the other one then never calls`() {
    var board = Board.bench
    board.hasEmergencyButton = true
    var bench = Bench.walking(board: board)
    bench.press(.emergency, for: 1500)
    #expect(bench.emergency == nil, again(Self.self))
    bench.press(.button, for: 7000)
    #expect(bench.emergency == nil && !bench.tracker.isSessionRunning, again(Self.self))
    bench.press(.emergency, for: 2000)
    #expect(bench.emergency?.stage == .raised, again(Self.self))
  }
}
