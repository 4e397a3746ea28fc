import Testing

@testable import TrackerCore

/// What a wired STATUS line spares a modem, and what happens when it is wrong.
@Suite struct StatusLineTests {
  @Test func `A modem that is known to be off is pressed at once, without a question`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .status(false))
    tape.at(100, .connect)
    #expect(tape.modem.deadline == .at(100), again(Self.self))
    tape.at(100, .deadline, .pressOn)
    tape.at(300, .deadline)
    tape.play(.status(true), at: .at(2000))
    tape.at(3000, .hears("RDY\r\n"), .says(.attention))
  }

  @Test func `The key of a modem that is known to be on is not pressed, however mute it is`() {
    var tape = ModemTape(Self.self) { $0.floor = 0 }
    tape.play(.status(true), at: .at(0))
    tape.at(100, .connect, .says(.attention))
    let effects = tape.wait(until: 16_000)
    #expect(effects.allSatisfy { $0 == .says(.attention) }, again(Self.self, "\(effects)"))
    // It stays mute: a power cycle, with the key that switches off.
    #expect(tape.wait(until: 17_000).contains(.pressOff), again(Self.self))
  }

  @Test func `One that is on when the tracker starts, and not needed, is switched off`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .status(true))
    #expect(tape.wait(until: 2000) == [.says(.powerOff)], again(Self.self))
    tape.at(2100, .hears("OK\r\n"))
    #expect(!tape.modem.isOff, again(Self.self))
    tape.at(5000, .status(false))
    #expect(tape.modem.isOff, "before the time that the board gives it")
  }

  @Test func `A modem is off as soon as its STATUS says so`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(500, .status(true))
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.at(3000, .status(false))
    #expect(tape.modem.isOff && tape.modem.deadline == nil, again(Self.self))
  }

  @Test func `A modem that loses its power in a contact is said to restart, and is pressed on`() {
    var tape = ModemTape.inUse(Self.self) { $0.floor = 0 }
    tape.play(.status(true), at: .at(900))
    tape.at(1000, .status(false), .note(.modemRestarted), .setLink(isUp: false))
    #expect(tape.wait(until: 2999).isEmpty, "the gap between off and on")
    #expect(tape.wait(until: 3000) == [.pressOn], again(Self.self))
  }

  @Test func `After a loss of power it does not join the network before the floor`() {
    var tape = ModemTape.inUse(Self.self)
    tape.play(.status(true), at: .at(900))
    tape.play(.status(false), at: .at(1000))
    #expect(tape.wait(until: 599_999).isEmpty, again(Self.self))
    #expect(tape.modem.reason(at: .at(5000)) == .reconnectFloor, again(Self.self))
    #expect(tape.wait(until: 600_000) == [.pressOn], again(Self.self))
  }

  @Test func `A line that says off in a contact without coverage is ignored after it`() {
    var tape = ModemTape.searching(Self.self)
    tape.modem.power.status.changed(isOn: false)
    let effects = tape.play(.release, at: .at(400))
    #expect(effects.first == .note(.modemStatusContradicted), again(Self.self, "\(effects)"))
  }

  @Test func `A key that did not help does not make STATUS wrong`() {
    var tape = ModemTape.attached(Self.self)
    tape.play(.status(true), at: .at(900))
    tape.play(.release, at: .at(1000))
    let effects = tape.wait(until: 100_000)
    #expect(effects.contains(.pressOff), again(Self.self, "\(effects)"))
    #expect(!effects.contains(.note(.modemStatusContradicted)), again(Self.self, "\(effects)"))
  }

  @Test func `One whose supply breaks down again and again is left alone`() {
    var tape = ModemTape(Self.self) { $0.floor = 0 }
    tape.play(.status(false), at: .at(0))
    tape.play(.connect, at: .at(0))
    var presses = 0
    for round in 1...10 where tape.modem.phase != .faulted {
      let now = Int64(round) * 2000
      presses += tape.wait(until: now).count { $0.isPress }
      tape.play(.status(true), at: .at(now))
      tape.play(.status(false), at: .at(now + 100))
    }
    #expect(tape.modem.phase == .faulted && presses <= 3, again(Self.self, "\(presses)"))
  }

  @Test func `A modem that is off is not pressed to switch it off`() {
    var tape = ModemTape(Self.self) { $0.floor = 0 }
    tape.play(.connect, at: .at(0))
    tape.play(.status(false), at: .at(16_100))
    let effects = tape.wait(until: 40_000)
    #expect(!effects.contains(.pressOff), again(Self.self, "\(effects)"))
  }

  @Test func `A line that says off while the modem is in the network is ignored from then on`() {
    var tape = ModemTape.searching(Self.self)
    tape.modem.power.status.changed(isOn: false)
    let note = Effect.note(.modemStatusContradicted)
    let effects = tape.play(.hears("+CREG: 0,1\r\nOK\r\n"), at: .at(300))
    #expect(effects.contains(note), again(Self.self, "\(effects)"))
    tape.at(400, .status(false))
    tape.at(410, .status(true))
    #expect(tape.modem.power.status.isOn == nil, again(Self.self))
  }

  @Test func `A line that says on after the modem has switched itself off is ignored, too`() {
    var tape = ModemTape.attached(Self.self)
    tape.play(.status(true), at: .at(900))
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.at(1100, .hears("OK\r\n"))
    let effects = tape.wait(until: 60_000)
    #expect(effects == [.note(.modemStatusContradicted)], again(Self.self, "\(effects)"))
    #expect(tape.modem.isOff, again(Self.self))
  }

  @Test func `A line that is stuck does not keep a modem from any contact`() {
    for isOn in [true, false] {
      var tape = ModemTape(Self.self) { $0.floor = 0 }
      tape.play(.status(isOn), at: .at(0))
      for contact in 1...3 {
        let now = Int64(contact) * 1_000_000
        tape.wait(until: now)
        tape.play(.connect, at: .at(now))
        tape.live(until: now + 60_000)
        let detail = "contact \(contact), stuck at \(isOn), \(tape.modem.power.state);"
        #expect(tape.modem.phase == .registered, again(Self.self, detail))
        tape.play(.release, at: .at(now + 61_000))
        for said in tape.modem.isOff ? [] : ["OK\r\n"] {
          tape.play(.hears(said), at: .at(now + 62_000))
        }
      }
    }
  }
}
