import Testing

@testable import TrackerCore

/// From off to an answer, or to a fault.
@Suite struct ModemStartTests {
  @Test func `A modem that is on already is not pressed`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    tape.at(80, .hears("ATE0\r\r\nOK\r\n"), .says(.simStatus))
    #expect(tape.modem.phase == .checkingSIM, again(Self.self))
  }

  @Test func `A modem that is off is pressed, boots, and is asked until it answers`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    #expect(tape.modem.phase == .starting, again(Self.self))
    tape.at(999, .deadline)
    tape.at(1000, .deadline, .key(true))
    tape.at(1199, .deadline)
    tape.at(1200, .deadline, .key(false))
    tape.at(2199, .deadline)
    tape.at(2200, .deadline, .says(.attention))
    tape.at(3200, .deadline, .says(.attention))
    tape.at(3900, .hears("\0\0START\r\n\r\n+CPIN: READY\r\n"))
    tape.at(4200, .deadline, .says(.attention))
    tape.at(4230, .hears("\r\nOK\r\n"), .says(.simStatus))
    #expect(tape.modem.phase == .checkingSIM, again(Self.self))
  }

  @Test func `The whole way up, in use, and down again`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    tape.at(10, .hears("OK\r\n"), .says(.simStatus))
    tape.at(20, .hears("+CPIN: READY\r\n"), .says(.registration))
    tape.at(21, .hears("OK\r\n"))
    tape.at(30, .hears("+CREG: 0,2\r\nOK\r\n"))
    tape.at(2020, .deadline, .says(.registration))
    tape.at(2030, .hears("+CREG: 0,5\r\nOK\r\n"), .setLink(isUp: true))
    #expect(tape.modem.phase == .registered && !tape.modem.isReady, again(Self.self))
    tape.at(4000, .link(true))
    #expect(tape.modem.phase == .attached && tape.modem.isReady, again(Self.self))
    tape.modem.setInUse(true)
    #expect(tape.modem.phase == .inUse && tape.modem.deadline == nil, again(Self.self))
    tape.modem.setInUse(false)
    #expect(tape.modem.phase == .attached, again(Self.self))
    tape.at(9000, .release, .setLink(isUp: false), .says(.powerOff))
    #expect(tape.modem.phase == .stopping, again(Self.self))
    tape.at(16_999, .deadline)
    tape.at(17_000, .deadline)
    #expect(tape.modem.isOff && tape.modem.failure == nil, again(Self.self))
  }

  @Test func `A mute modem is power-cycled twice and then left alone for ten minutes`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    var effects = tape.wait(until: 120_000)
    // On, off, on, off, on: each press with its release, never a cut of the supply.
    let keys = effects.filter { $0 == .key(true) || $0 == .key(false) }
    let pulse: [Effect] = [.key(true), .key(false)]
    #expect(keys == pulse + pulse + pulse + pulse + pulse, again(Self.self))
    #expect(effects.allSatisfy { keys.contains($0) || $0 == .says(.attention) }, again(Self.self))
    #expect(tape.modem.phase == .faulted, again(Self.self))
    #expect(tape.modem.takeFailure() == .modemOff, again(Self.self))
    #expect(tape.modem.takeFailure() == nil, "a failure is told once")
    guard case .faulted(let until) = tape.modem.state else { return }
    effects = tape.wait(until: until.milliseconds - 1)
    tape.at(until.milliseconds - 1, .connect)
    #expect(effects.isEmpty && tape.modem.phase == .faulted, again(Self.self))
    tape.at(until.milliseconds, .deadline)
    #expect(tape.modem.isOff, again(Self.self))
    tape.at(until.milliseconds, .connect, .says(.attention))
  }

  @Test func `A power cycle presses as long as the board says, and rests before the next one`() {
    var tape = ModemTape(Self.self)
    _ = tape.play(.connect, at: .at(0))
    _ = tape.wait(until: 16_199)
    tape.at(16_200, .deadline, .key(true))
    #expect(tape.modem.phase == .stopping, again(Self.self))
    tape.at(17_199, .deadline)
    tape.at(17_200, .deadline, .key(false))
    tape.at(25_200, .deadline)
    #expect(tape.modem.phase == .off && !tape.modem.isOff, "off, but on its way up again")
    #expect(tape.modem.connectableAt == nil, again(Self.self))
    tape.at(27_199, .deadline)
    tape.at(27_200, .deadline, .says(.attention))
    tape.at(28_200, .deadline, .key(true))
    tape.at(28_400, .deadline, .key(false))
    tape.at(29_000, .hears("OK\r\n"), .says(.simStatus))
  }

  @Test func `A modem that answers after a power cycle has its full number of cycles again`() {
    var tape = ModemTape(Self.self, floor: 0)
    _ = tape.play(.connect, at: .at(0))
    _ = tape.wait(until: 29_500)
    tape.at(29_500, .hears("OK\r\n"), .says(.simStatus))
    tape.at(29_600, .release, .says(.powerOff))
    _ = tape.wait(until: 50_000)
    tape.at(50_000, .connect, .says(.attention))
    let presses = tape.wait(until: 200_000).filter { $0 == .key(true) }
    #expect(presses.count == 5 && tape.modem.phase == .faulted, again(Self.self))
  }
}
