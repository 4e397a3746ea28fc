import Testing

@testable import TrackerCore

/// The ladder: ask again, restart the radio, restart the power, leave it alone. Never more often
/// into the network than the floor allows.
@Suite struct ModemRecoveryTests {
  static let askAgain = Effect.note(.modemRecovery(.askAgain))
  static let powerCycle = Effect.note(.modemRecovery(.powerCycle))
  static let radioCycle = Effect.note(.modemRecovery(.radioCycle))

  @Test func `A mute modem is power-cycled twice and then left alone for ten minutes`() throws {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    var effects = tape.wait(until: 120_000)
    // On, off, on, off, on, and off for the time in which it is left alone: never a cut of the
    // supply.
    let keys = effects.filter { $0.isPress }
    #expect(
      keys == [.pressOn, .pressOff, .pressOn, .pressOff, .pressOn, .pressOff], again(Self.self))
    let isAsked: (Effect) -> Bool = {
      if case .setModemBaud = $0 { return true }
      return $0 == .says(.attention) || $0 == .says(.wordAnswers)
    }
    #expect(effects.filter { $0 == Self.powerCycle }.count == 2, again(Self.self))
    #expect(
      effects.allSatisfy { keys.contains($0) || isAsked($0) || $0 == Self.powerCycle },
      again(Self.self))
    #expect(tape.modem.phase == .faulted, again(Self.self))
    #expect(tape.modem.takeFailure() == .modemSilent, again(Self.self))
    #expect(tape.modem.takeFailure() == nil, "a failure is told once")
    let until = try #require(tape.modem.deadline, again(Self.self))
    effects = tape.wait(until: until.milliseconds - 1)
    tape.at(until.milliseconds - 1, .connect)
    #expect(effects.isEmpty && tape.modem.phase == .faulted, again(Self.self))
    tape.at(until.milliseconds, .deadline)
    #expect(tape.modem.isOff, again(Self.self))
    tape.at(until.milliseconds, .connect, .says(.attention))
  }

  @Test func `A power cycle presses as long as the board says, and rests before the next one`() {
    var tape = ModemTape(Self.self)
    tape.play(.connect, at: .at(0))
    tape.wait(until: 16_199)
    tape.at(16_200, .deadline, Self.powerCycle, .pressOff)
    #expect(tape.modem.phase == .stopping, again(Self.self))
    tape.at(17_199, .deadline)
    tape.at(17_200, .deadline)
    tape.at(25_200, .deadline)
    #expect(tape.modem.phase == .off && !tape.modem.isOff, "off, but on its way up again")
    #expect(tape.modem.reason(at: .at(25_200)) == .modemSilent, again(Self.self))
    #expect(tape.modem.connectableAt == nil, again(Self.self))
    tape.at(27_199, .deadline)
    tape.at(27_200, .deadline, .says(.attention))
    tape.at(28_200, .deadline, .pressOn)
    tape.at(28_400, .deadline)
    tape.at(29_000, .hears("RDY\r\n"), .says(.attention))
    tape.at(29_100, .hears("OK\r\n"), .says(.reportErrors))
  }

  @Test func `What answers only after a power cycle joins then, and the floor counts from there`() {
    var tape = ModemTape(Self.self)
    tape.play(.connect, at: .at(0))
    tape.wait(until: 28_400)
    #expect(tape.modem.floorEnd == .at(627_200), again(Self.self))
    tape.play(.hears("RDY\r\n"), at: .at(29_000))
    tape.at(29_100, .hears("OK\r\n"), .says(.reportErrors))
    #expect(tape.modem.floorEnd == .at(627_200), again(Self.self))
  }

  @Test func `With the next contact a modem has its full number of cycles again`() {
    var tape = ModemTape(Self.self) { $0.floor = 0 }
    tape.play(.connect, at: .at(0))
    tape.wait(until: 29_400)
    tape.at(29_450, .hears("RDY\r\n"), .says(.attention))
    // It may have heard the question of 29 400 as well.
    tape.at(29_500, .hears("OK\r\n"), .says(.signal))
    tape.at(29_600, .release, .says(.powerOff))
    tape.wait(until: 50_000)
    tape.at(50_000, .connect, .says(.attention))
    let presses = tape.wait(until: 200_000).filter { $0.isPress }
    #expect(presses.count == 6 && tape.modem.phase == .faulted, again(Self.self))
  }

  @Test func `A mute modem is asked three times, then at two rates, and its power cycled`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(5099, .deadline)
    tape.at(5100, .deadline, Self.askAgain, .says(.simStatus))
    tape.at(10_100, .deadline, Self.askAgain, .says(.simStatus))
    tape.at(15_100, .deadline, .setModemBaud(9600), .says(.wordAnswers))
    tape.at(16_100, .deadline, .setModemBaud(115_200), .says(.wordAnswers))
    tape.at(17_100, .deadline, .setModemBaud(nil), Self.powerCycle, .pressOff)
    tape.at(18_100, .deadline)
    tape.at(26_100, .deadline)
    // It may have been in the network: it does not join it again before the floor.
    #expect(tape.modem.deadline == .at(600_000), again(Self.self))
    #expect(tape.modem.reason(at: .at(30_000)) == .reconnectFloor, again(Self.self))
    tape.at(600_000, .deadline, .says(.attention))
    tape.at(600_010, .hears("OK\r\n"), .says(.reportErrors))
    #expect(tape.modem.floorEnd == .at(1_200_000), "this joining counts too")
  }

  @Test func `A modem that answers and falls mute again and again is left alone`() {
    var tape = ModemTape(Self.self) { $0.floor = 0 }
    tape.play(.connect, at: .at(0))
    var presses = 0
    for _ in 0..<200 where tape.modem.phase != .faulted {
      guard let deadline = tape.modem.deadline else { break }
      let effects = tape.play(.deadline, at: deadline)
      presses += effects.filter { $0.isPress }.count
      // It boots as if nothing were, and answers nothing but the first question.
      if effects.contains(.says(.attention)) { tape.play(.hears("RDY\r\nOK\r\n"), at: deadline) }
    }
    #expect(tape.modem.phase == .faulted && presses <= 6, again(Self.self, "\(presses)"))
    #expect(tape.modem.takeFailure() == .modemSilent, again(Self.self))
  }

  @Test func `A question that is always answered too late is asked twice and then done without`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(200, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    tape.at(5200, .deadline, Self.askAgain, .says(.signal))
    tape.at(5900, .hears("214070000000001\r\nOK\r\n+CSQ: 99,99\r\nOK\r\n"), .says(.subscriber))
    tape.at(10_900, .deadline, Self.askAgain, .says(.signal))
    tape.at(11_900, .hears("214070000000001\r\nOK\r\n+CSQ: 99,99\r\nOK\r\n"), .says(.equipment))
    tape.at(
      12_000, .hears("351602000330570\r\nOK\r\n"),
      .note(.equipment(InlineText("351602000330570"))), .says(.registration))
  }

  @Test func `With the next contact each question has its two tries again`() {
    var tape = ModemTape.checkingSIM(Self.self) { $0.floor = 0 }
    tape.at(200, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    tape.at(5200, .deadline, Self.askAgain, .says(.signal))
    tape.play(.release, at: .at(5300))
    tape.live(until: 39_999)
    tape.at(40_000, .connect, .says(.attention))
    tape.play(.hears("OK\r\nOK\r\n"), at: .at(40_010))
    tape.at(40_200, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    tape.at(45_200, .deadline, Self.askAgain, .says(.signal))
    tape.at(45_300, .hears("+CSQ: 99,99\r\nOK\r\n"), .says(.subscriber))
  }

  @Test func `Reports from a modem that answers nothing do not count as answers`() {
    var tape = ModemTape.checkingSIM(Self.self)
    for second in 1..<15 {
      tape.play(.hears("+CGEV: NW DETACH\r\nSMS DONE\r\n"), at: .at(Int64(second) * 1000))
      tape.wait(until: Int64(second) * 1000 + 500)
    }
    tape.wait(until: 17_100)
    #expect(tape.modem.phase == .stopping && tape.modem.power.isRestarting, again(Self.self))
  }

  @Test func `A bearer that is up is worth more than an answer`() {
    var tape = ModemTape.searching(Self.self)
    tape.play(.hears("+CREG: 0,1\r\nOK\r\n"), at: .at(300))
    tape.play(.link(true), at: .at(400))
    let effects = tape.wait(until: 100_000)
    #expect(effects.filter { $0 == Self.askAgain }.count == 2, again(Self.self))
    #expect(tape.modem.isReady && tape.modem.deadline == nil, again(Self.self))
  }

  @Test func `Without a bearer the radio is started anew once, if the floor allows`() {
    var tape = ModemTape.registered(Self.self) { $0.floor = .seconds(30) }
    tape.at(60_300, .deadline, Self.radioCycle, .setLink(isUp: false), .says(.radioOff))
    #expect(tape.modem.phase == .searching, again(Self.self))
    tape.at(61_000, .hears("OK\r\n"), .says(.radioOn))
    tape.at(62_000, .hears("OK\r\n"), .says(.registration))
    #expect(tape.modem.floorEnd == .at(91_000), "the radio joins the network anew")
    tape.play(.hears("+CREG: 0,1\r\nOK\r\n"), at: .at(62_100))
    let readings = "+CSQ: 15,99\r\nOK\r\n+CBC: 3.810V\r\nOK\r\nERROR\r\n"
    tape.play(.hears(readings), at: .at(62_200))
    tape.at(122_100, .deadline, .setLink(isUp: false), .says(.powerOff))
    #expect(tape.modem.contact.failure == .noBearer, again(Self.self))
  }

  @Test func `A SIM that is missed while the radio starts anew does not leave the radio off`() {
    var tape = ModemTape.registered(Self.self) { $0.floor = .seconds(30) }
    tape.at(60_300, .deadline, Self.radioCycle, .setLink(isUp: false), .says(.radioOff))
    tape.at(60_400, .hears("+CPIN: NOT READY\r\n"))
    tape.at(61_000, .hears("OK\r\n"), .says(.radioOn))
    tape.at(62_000, .hears("OK\r\n"), .says(.simStatus))
    tape.at(62_100, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
  }

  @Test func `A radio that does not obey costs the power`() {
    var tape = ModemTape.registered(Self.self) { $0.floor = 0 }
    tape.wait(until: 60_300)
    tape.at(70_300, .deadline, Self.askAgain)
    tape.at(80_300, .deadline, .setModemBaud(9600), .says(.wordAnswers))
    tape.at(81_300, .deadline, .setModemBaud(115_200), .says(.wordAnswers))
    tape.at(82_300, .deadline, .setModemBaud(nil), Self.powerCycle, .pressOff)
  }

  @Test func `A modem that starts anew by itself is brought up again`() {
    var tape = ModemTape.inUse(Self.self)
    tape.at(
      5000, .hears("RDY\r\n"), .note(.modemRestarted), .setLink(isUp: false), .says(.attention))
    #expect(tape.modem.phase == .starting, again(Self.self))
    tape.at(5050, .hears("OK\r\n"), .says(.reportErrors))
  }

  @Test func `A modem that starts anew without end is at fault`() {
    var tape = ModemTape.checkingSIM(Self.self) { $0.floor = 0 }
    var now: Int64 = 1000
    for _ in 0..<400 where tape.modem.phase != .faulted {
      tape.play(.hears("RDY\r\n"), at: .at(now))
      tape.play(.hears("OK\r\n"), at: .at(now + 100))
      now += 3000
      tape.wait(until: now)
    }
    #expect(tape.modem.phase == .faulted, again(Self.self, "\(tape.modem.power.state)"))
  }

  @Test func `A modem without a power key is reset, and not more often than the floor allows`() {
    var tape = ModemTape(Self.self) {
      $0.rest = .radioOff
      $0.hasPowerKey = false
    }
    tape.play(.connect, at: .at(0))
    tape.wait(until: 15_999)
    tape.at(16_000, .deadline, Self.powerCycle, .says(.reset))
    tape.at(17_000, .deadline, .says(.attention))
    // It is owed several answers since the first question.
    tape.at(17_100, .hears("OK\r\n"), .says(.signal))
    tape.at(17_200, .hears("+CSQ: 99,99\r\nOK\r\n"), .says(.radioOn))
    // It joined the network when it was reset, and not before.
    let effects = tape.wait(until: 615_999)
    #expect(tape.modem.phase == .stillOn, again(Self.self, "\(tape.modem.power.state)"))
    // Until then its radio is told to be off, and nothing else.
    let offs = effects.filter { $0 == .says(.radioOff) }
    #expect(offs.count > 20 && !effects.contains(.says(.reset)), again(Self.self))
    tape.at(616_000, .deadline, .says(.reset))
  }

  @Test func `No answer within a search is a mute modem, not a missing network`() {
    var tape = ModemTape.searching(Self.self)
    tape.live(until: 170_000, [.registration: "+CREG: 0,2\r\nOK\r\n"])
    let effects = tape.wait(until: 200_000)
    #expect(effects.contains(Self.powerCycle), again(Self.self))
    #expect(tape.modem.contact.failure == nil, again(Self.self))
  }
}
