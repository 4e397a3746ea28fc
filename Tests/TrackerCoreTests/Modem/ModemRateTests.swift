import Testing

@testable import TrackerCore

/// A modem that has answered and falls silent, also after a power cycle, may have another rate.
@Suite struct ModemRateTests {
  private func rates(_ effects: [Effect]) -> [Int32?] {
    effects.compactMap { if case .setModemBaud(let baud) = $0 { .some(baud) } else { nil } }
  }

  @Test func `It is asked at each usual rate, and power-cycled at its own if all are in vain`() {
    var tape = ModemTape.checkingSIM(Self.self) { $0.floor = 0 }
    let effects = tape.wait(until: 200_000)
    let brief: [Int32?] = [9600, 115_200, nil]
    #expect(
      rates(effects) == brief + [9600, 115_200, 38_400, 4800, 57_600, 19_200, 230_400, nil],
      again(Self.self, "\(effects)"))
    let cycle = ModemRecoveryTests.powerCycle
    let turns = effects.filter { $0 == .setModemBaud(nil) || $0 == cycle }
    #expect(
      turns == [.setModemBaud(nil), cycle, .setModemBaud(nil), cycle],
      again(Self.self, "\(effects)"))
    // After its power was cycled, at its own rate first: it is told to answer in words.
    let words = effects.count { $0 == .says(.wordAnswers) }
    #expect(words == 10, again(Self.self, "\(effects)"))
  }

  @Test func `Found at a likely rate before its power is cycled, it goes on with the contact`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.wait(until: 15_100)
    tape.at(15_110, .hears("OK\r\n"), .says(.reportErrors))
    tape.play(.hears("OK\r\n"), at: .at(15_120))
    tape.play(.hears("+CPIN: READY\r\n\r\nOK\r\n"), at: .at(15_130))
    let seen = tape.live(until: 60_000).map(\.effect)
    #expect(tape.modem.isReady || tape.modem.phase == .registered, again(Self.self, "\(seen)"))
    #expect(rates(seen).isEmpty, again(Self.self, "\(seen)"))
    #expect(!seen.contains(ModemRecoveryTests.powerCycle), again(Self.self, "\(seen)"))
  }

  @Test func `Registered, with no link and no answers, it is sought at other rates too`() {
    var tape = ModemTape.searching(Self.self)
    tape.play(.hears("+CREG: 0,1\r\nOK\r\n"), at: .at(300))
    let effects = tape.wait(until: 70_000)
    #expect(Array(rates(effects).prefix(2)) == [9600, 115_200], again(Self.self, "\(effects)"))
  }

  @Test func `One that says no more than that it is there at a likely rate is power-cycled`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.wait(until: 15_100)
    tape.at(15_110, .hears("OK\r\n"), .says(.reportErrors))
    tape.at(20_110, .deadline, .setModemBaud(nil), ModemRecoveryTests.powerCycle, .pressOff)
  }

  @Test func `The rate that was found is its own from then on`() {
    var tape = ModemTape.checkingSIM(Self.self) { $0.floor = 0 }
    tape.wait(until: 15_100)
    tape.play(.hears("OK\r\n"), at: .at(15_110))
    tape.play(.hears("OK\r\n"), at: .at(15_120))
    tape.play(.hears("+CPIN: READY\r\n\r\nOK\r\n"), at: .at(15_130))
    let effects = tape.wait(until: 200_000)
    #expect(
      rates(effects) == [115_200, 38_400, 4800, 57_600, 19_200, 230_400, 9600],
      again(Self.self, "\(effects)"))
  }

  @Test func `Not needed any more while another rate is tried, it is told so at its own`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.wait(until: 15_100)
    tape.at(15_200, .release, .setModemBaud(nil), .says(.powerOff))
  }

  @Test func `The rate at which it answers is kept`() {
    var tape = ModemTape.checkingSIM(Self.self) { $0.floor = 0 }
    var now: Int64 = 0
    while now < 200_000, rates(tape.wait(until: now)).last != 38_400 { now += 100 }
    tape.at(now + 10, .hears("OK\r\n"), .says(.reportErrors))
    let seen = tape.live(until: now + 60_000).map(\.effect)
    #expect(rates(seen).isEmpty && tape.modem.isReady == false, again(Self.self, "\(seen)"))
  }

  @Test func `One that has never answered is power-cycled first`() {
    var tape = ModemTape(Self.self)
    tape.play(.connect, at: .start)
    let effects = tape.wait(until: 200_000)
    let cycles = effects.indices.filter { effects[$0] == ModemRecoveryTests.powerCycle }
    let first = effects.firstIndex(of: .setModemBaud(9600)) ?? 0
    #expect(cycles.count == 2 && first > cycles[1], again(Self.self, "\(effects)"))
    #expect(tape.modem.phase == .faulted && effects.last == .pressOff, again(Self.self))
  }

  @Test func `Without a port no rate is tried`() {
    var tape = ModemTape.checkingSIM(Self.self) { $0.floor = 0 }
    tape.play(.line(false), at: .at(200))
    #expect(rates(tape.wait(until: 300_000)).isEmpty, again(Self.self))
  }

  @Test func `One whose radio is to be off is sought at other rates too`() {
    var tape = ModemTape.attached(Self.self) {
      $0.rest = .radioOff
      $0.hasPowerKey = false
    }
    tape.play(.release, at: .at(1000))
    #expect(Set(rates(tape.wait(until: 400_000))).count == 8, again(Self.self))
    tape.play(.hears("OK\r\n"), at: .at(400_001))
    tape.live(until: 430_000)
    #expect(tape.modem.isOff, again(Self.self))
  }
}
