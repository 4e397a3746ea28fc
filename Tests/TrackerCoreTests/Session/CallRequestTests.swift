import Testing

@testable import TrackerCore

// What the team is told when the control room wants a call.
@Suite struct CallRequestTests {
  /// On a board with a light and a button.
  private static func walking() -> Bench {
    var board = Board.bench
    board.hasLight = true
    return Bench.walking(board: board)
  }

  @Test func `The light asks for a call until the button is pressed for a moment`() {
    var bench = Self.walking()
    bench.handle(.commandGiven(.askForCall, from: .room))
    bench.run(seconds: 600)
    #expect(bench.lights.last == .callAsked, again(Self.self, "\(bench.lights)"))
    let captures = bench.stored.count
    bench.press(.button, for: 300)
    #expect(bench.tracker.callAskedAt == nil && bench.lights.last != .callAsked, again(Self.self))
    bench.run(seconds: 2)
    #expect(bench.stored.count == captures + 1, "a short press still takes a capture")
    #expect(bench.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `It is told once, however often it is asked for`() {
    var bench = Self.walking()
    for _ in 0..<3 { bench.handle(.commandGiven(.askForCall, from: .room)) }
    bench.handle(.commandGiven(.endCallRequest, from: .console))
    bench.handle(.commandGiven(.endCallRequest, from: .console))
    let told = bench.log.compactMap { entry -> Bool? in
      if case .note(.callRequest(let isOpen)) = entry.effect { isOpen } else { nil }
    }
    #expect(told == [true, false], again(Self.self, "\(told)"))
  }

  @Test func `A long press is no answer, and an emergency's code goes before it`() {
    var bench = Self.walking()
    bench.handle(.commandGiven(.askForCall, from: .room))
    bench.press(.button, for: 4000)
    #expect(bench.tracker.callAskedAt != nil && !bench.tracker.isSessionRunning, again(Self.self))
    #expect(bench.lights.last == .callAsked, again(Self.self, "\(bench.lights)"))
    bench.raise()
    #expect(bench.lights.last == .emergencyRaised, again(Self.self, "\(bench.lights)"))
  }

  @Test func `A board that halts stays awake so long that the light is seen`() {
    var board = Board.halted
    board.hasLight = true
    var bench = Bench.halting(board)
    bench.run(until: bench.now + .minutes(5))
    bench.handle(.commandGiven(.askForCall, from: .room))
    let halts = bench.halts
    bench.run(until: bench.now + .minutes(9))
    #expect(bench.halts == halts, again(Self.self))
    bench.run(until: bench.now + .minutes(20))
    #expect(bench.halts > halts, "it does not stay awake for ever")
  }

  @Test func `What was asked before a halt does not keep the woken board awake`() throws {
    var board = Board.halted
    board.hasLight = true
    var bench = Bench.halting(board)
    bench.run(until: bench.now + .minutes(5))
    var woken = try bench.woken()
    // The host gives the order that is still open again.
    woken.handle(.commandGiven(.askForCall, from: .room))
    #expect(woken.lights.last == .callAsked, again(Self.self, "\(woken.lights)"))
    woken.run(until: woken.now + .minutes(5))
    #expect(woken.halts == 1, again(Self.self))
  }
}
