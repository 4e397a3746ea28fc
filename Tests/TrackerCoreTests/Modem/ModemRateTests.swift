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
    #expect(
      rates(effects) == [9600, 115_200, 38_400, 4800, 57_600, 19_200, 230_400, nil],
      again(Self.self, "\(effects)"))
    let last = effects.lastIndex(of: .setModemBaud(nil)) ?? 0
    let cycle = effects.lastIndex(of: ModemRecoveryTests.powerCycle) ?? 0
    #expect(cycle > last, again(Self.self, "\(effects)"))
    // At its own rate it is told to answer in words first.
    let words = effects.count { $0 == .says(.wordAnswers) }
    #expect(words == 8, again(Self.self, "\(effects)"))
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
