import Testing
import TrackerCore

@testable import LinuxHost

/// What edges of an input come to.
@Suite struct PinInputTests {
  private static let again: Comment = "repeat with: swift test --filter PinInputTests"

  /// What an input reports, given the level it had at the start.
  private static func input(_ pin: InputPin, startsAt level: Bool) -> PinInput {
    var input = PinInput(pin)
    let first = input.changes([], level: level, at: 0)
    #expect(first.map(\.isActive) == (pin == .button ? [] : [level]), again)
    return input
  }

  @Test func `A spike of STATUS is no change`() {
    var input = Self.input(.modemStatus, startsAt: true)
    #expect(input.changes([(false, 1000), (true, 1001)], level: true, at: 1002).isEmpty)
    #expect(input.settlesAt == 1202, Self.again)
    #expect(input.changes([], level: true, at: 1202).isEmpty)
    #expect(input.settlesAt == nil, Self.again)
  }

  @Test func `A level of STATUS counts when it has held`() {
    var input = Self.input(.modemStatus, startsAt: true)
    #expect(input.changes([(false, 1000)], level: false, at: 1000).isEmpty)
    #expect(input.changes([], level: false, at: 1199).isEmpty)
    let changes = input.changes([], level: false, at: 1200)
    #expect(changes.map(\.isActive) == [false] && changes.map(\.since) == [1000], Self.again)
  }

  @Test func `A STATUS that hums is never believed, and is given up`() {
    var input = Self.input(.modemStatus, startsAt: false)
    var now: Int64 = 1000
    for _ in 0..<1100 {
      now += 8
      #expect(input.changes([(true, now - 4), (false, now)], level: false, at: now).isEmpty)
    }
    #expect(input.isFlooding, Self.again)
  }

  @Test func `A button's edges keep their times, and one that was lost is made up for`() {
    var input = Self.input(.button, startsAt: false)
    let changes = input.changes([(true, 500), (false, 700), (true, 900)], level: false, at: 5000)
    #expect(changes.map(\.isActive) == [true, false, true, false], Self.again)
    #expect(changes.map(\.since) == [500, 700, 900, 5000], Self.again)
    #expect(!input.isFlooding, Self.again)
  }

  @Test func `A button that is held at the start counts from its next press`() {
    var input = Self.input(.button, startsAt: true)
    let changes = input.changes([(false, 100), (true, 200)], level: true, at: 200)
    #expect(changes.map(\.isActive) == [false, true], Self.again)
  }
}
