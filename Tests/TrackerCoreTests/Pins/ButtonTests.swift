import Testing

@testable import TrackerCore

/// A push button, pressed by a thumb in a glove.
@Suite struct ButtonTests {
  /// What presses and releases at these milliseconds, alternating, come to.
  private static func presses(
    of kind: Button.Kind = .plain, _ edges: Int64...
  ) -> [Button.Press] {
    var button = Button()
    var presses: [Button.Press] = []
    for (number, at) in edges.enumerated() {
      while let deadline = button.deadline, deadline <= .at(at) {
        if let press = button.deadlineReached(at: deadline) { presses.append(press) }
      }
      if let press = button.changed(isPressed: number % 2 == 0, kind, at: .at(at)) {
        presses.append(press)
      }
    }
    while let deadline = button.deadline {
      if let press = button.deadlineReached(at: deadline) { presses.append(press) }
    }
    return presses
  }

  @Test func `A press counts once, when it is released`() {
    #expect(Self.presses(0, 200) == [.short], again(Self.self))
    #expect(Self.presses(0, 200, 900, 1100) == [.short, .short], again(Self.self))
  }

  @Test func `Contacts that bounce count once`() {
    #expect(Self.presses(0, 2, 3, 9, 11, 200, 203, 204, 208, 209) == [.short], again(Self.self))
  }

  @Test func `A spike is no press`() { #expect(Self.presses(0, 5).isEmpty, again(Self.self)) }

  @Test func `A long press counts once, while it is held`() {
    #expect(Self.presses(0) == [.long], again(Self.self))
    #expect(Self.presses(0, 9000) == [.long], again(Self.self))
    #expect(Self.presses(0, 3000, 3002, 3004) == [.long], again(Self.self))
  }

  @Test func `The only button calls for help after six seconds, and starts and stops before`() {
    #expect(Self.presses(of: .calling, 0, 200) == [.short], again(Self.self))
    #expect(Self.presses(of: .calling, 0, 2999) == [.short], again(Self.self))
    #expect(Self.presses(of: .calling, 0, 3000) == [.long], again(Self.self))
    #expect(Self.presses(of: .calling, 0, 5999) == [.long], again(Self.self))
    #expect(Self.presses(of: .calling, 0, 6000) == [.emergency], again(Self.self))
    #expect(Self.presses(of: .calling, 0) == [.emergency], again(Self.self))
    #expect(Self.presses(of: .calling, 0, 9000, 9002, 9004) == [.emergency], again(Self.self))
  }

  @Test func `A button that only calls for help does so after two seconds`() {
    #expect(Self.presses(of: .guarded, 0, 1999).isEmpty, again(Self.self))
    #expect(Self.presses(of: .guarded, 0, 2000) == [.emergency], again(Self.self))
    #expect(Self.presses(of: .guarded, 0) == [.emergency], again(Self.self))
  }

  @Test func `A release that is handled late still ends a long press`() {
    var button = Button()
    #expect(button.changed(isPressed: true, .plain, at: .at(0)) == nil)
    #expect(button.changed(isPressed: false, .plain, at: .at(4000)) == .long, again(Self.self))
  }

  @Test func `A release without a press is nothing`() {
    var button = Button()
    #expect(button.changed(isPressed: false, .plain, at: .at(50)) == nil, again(Self.self))
  }

  @Test func `A short press takes a capture, a long one stops and starts the session`() {
    var bench = Bench()
    bench.run(until: bench.now + .minutes(2))
    let captures = bench.stored.count
    bench.press(for: 300)
    bench.run(until: bench.now + .seconds(30))
    #expect(bench.stored.count == captures + 1, again(Self.self))
    #expect(bench.stored.last?.trigger == .command, again(Self.self))
    bench.press(for: 3500)
    #expect(!bench.tracker.isSessionRunning, again(Self.self))
    bench.press(for: 3500)
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    let order = bench.tracker.identity.memory.sessionOrder
    #expect(order?.origin == .button, again(Self.self, "\(String(describing: order))"))
  }

  @Test func `The length of a press counts, not when a busy host tells of it`() {
    var bench = Bench()
    bench.run(until: bench.now + .minutes(2))
    let captures = bench.stored.count
    bench.handle(.pinChanged(.button, isActive: true, since: 20))
    // The host is held up by its disk; the deadline of a long press passes meanwhile.
    bench.pass(.seconds(5))
    bench.handle(.pinChanged(.button, isActive: false, since: 4700))
    bench.run(until: bench.now + .seconds(30))
    #expect(bench.tracker.isSessionRunning && bench.stored.count == captures + 1, again(Self.self))
    // Both edges of a press are reported together.
    bench.handle(.pinChanged(.button, isActive: true, since: 900))
    bench.handle(.pinChanged(.button, isActive: false, since: 600))
    bench.run(until: bench.now + .seconds(30))
    #expect(bench.stored.count == captures + 2, again(Self.self))
  }
}

extension Bench {
  /// Presses the button for so many milliseconds.
  fileprivate mutating func press(for length: Int64) {
    handle(.pinChanged(.button, isActive: true, since: 0))
    run(until: now + Milliseconds(length))
    handle(.pinChanged(.button, isActive: false, since: 0))
  }
}
