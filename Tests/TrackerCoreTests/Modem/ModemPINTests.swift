import Testing

@testable import TrackerCore

/// The SIM's PIN: tried once, remembered before, never heard of again if it was wrong.
@Suite struct ModemPINTests {
  static let remember = Effect.rememberPIN(isTried: true)
  static let forget = Effect.rememberPIN(isTried: false)

  private func locked(_ state: PINState) -> ModemTape {
    .checkingSIM(Self.self) { $0.simPIN = state }
  }

  @Test func `The host remembers first, and then the PIN is entered`() {
    var tape = locked(.untried)
    tape.at(150, .hears("+CPIN: SIM PIN\r\n"))
    tape.at(151, .hears("OK\r\n"), Self.remember, .says(.enterPIN))
    #expect(tape.modem.reason(at: .at(151)) == .simLocked, again(Self.self))
    tape.at(300, .hears("OK\r\n"), .says(.simStatus))
    tape.at(350, .hears("+CME ERROR: 14\r\n"))
    tape.at(900, .hears("+CPIN: READY\r\n"), Self.forget, .says(.subscriber))
  }

  @Test func `With errors in words it is the same`() {
    var tape = locked(.untried)
    tape.at(
      150, .hears("+CME ERROR: SIM PIN required\r\n"), Self.remember, .says(.enterPIN))
  }

  @Test func `A wrong PIN is told, and not tried again`() {
    var tape = locked(.untried)
    tape.play(.hears("+CPIN: SIM PIN\r\nOK\r\n"), at: .at(150))
    tape.at(300, .hears("+CME ERROR: 16\r\n"), .note(.pinRefused), .says(.simStatus))
    tape.at(310, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    let seen = tape.live(until: 20_299, [.simStatus: "+CPIN: SIM PIN\r\nOK\r\n"]).map(\.effect)
    #expect(seen.allSatisfy { $0 == .says(.simStatus) }, again(Self.self, "\(seen)"))
    tape.play(.hears("+CPIN: SIM PIN\r\nOK\r\n"), at: .at(20_299))
    tape.at(20_300, .deadline, .says(.powerOff))
    #expect(tape.modem.failure == .simLocked, again(Self.self))
    // Neither with the next contact.
    tape.wait(until: 600_000)
    tape.play(.connect, at: .at(600_000))
    tape.play(.hears("OK\r\nOK\r\n"), at: .at(600_010))
    tape.at(600_020, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
  }

  @Test(arguments: [PINState.absent, .tried])
  func `A PIN that is not there, or was tried before the program's start, is not asked for`(
    _ state: PINState
  ) {
    var tape = locked(state)
    tape.at(150, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(150)) == .simLocked, again(Self.self))
  }

  @Test func `A SIM that is ready was unlocked rightly, whenever that was`() {
    var tape = locked(.tried)
    tape.at(150, .hears("+CPIN: READY\r\nOK\r\n"), Self.forget, .says(.subscriber))
    tape.play(.hears("OK\r\nOK\r\n+CREG: 0,2\r\nOK\r\n"), at: .at(160))
    // The next time that it is locked, the PIN may be tried.
    tape.at(200, .hears("+CPIN: SIM REMOVED\r\n"), .says(.simStatus))
    tape.at(250, .hears("+CPIN: SIM PIN\r\nOK\r\n"), Self.remember, .says(.enterPIN))
  }

  @Test(arguments: ["+CPIN: SIM PUK", "+CPIN: PH-NET PIN", "+CPIN: SIM PIN2"])
  func `No other lock is answered with the PIN`(_ lock: String) {
    var tape = locked(.untried)
    tape.at(150, .hears("\(lock)\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(150)) == .simLocked, again(Self.self, lock))
  }

  @Test func `A PIN without an answer is not entered again`() {
    var tape = locked(.untried)
    tape.play(.hears("+CPIN: SIM PIN\r\nOK\r\n"), at: .at(150))
    tape.at(5150, .deadline, .note(.modemRecovery(.askAgain)), .says(.simStatus))
    tape.at(5200, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    let seen = tape.live(until: 60_000, [.simStatus: "+CPIN: SIM PIN\r\nOK\r\n"]).map(\.effect)
    #expect(!seen.contains(.says(.enterPIN)), again(Self.self))
  }

  @Test func `The echo is switched off before the PIN is entered`() {
    var tape = locked(.untried)
    tape.at(150, .hears("AT+CPIN?\r\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n"), .says(.attention))
    tape.at(160, .hears("ATE0\r\r\nOK\r\n"))
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2170, .hears("+CPIN: SIM PIN\r\n\r\nOK\r\n"), Self.remember, .says(.enterPIN))
  }

  @Test func `A modem that echoes whatever it is told is not told the PIN`() {
    var tape = locked(.untried)
    tape.play(.hears("AT+CPIN?\r\r\n+CPIN: SIM PIN\r\nOK\r\n"), at: .at(150))
    let seen = tape.live(
      until: 60_000,
      [
        .attention: "ATE0\r\r\nOK\r\n",
        .simStatus: "AT+CPIN?\r\r\n+CPIN: SIM PIN\r\nOK\r\n",
      ]
    ).map(\.effect)
    #expect(!seen.contains(.says(.enterPIN)) && !seen.contains(Self.remember), again(Self.self))
    #expect(tape.modem.failure == .simLocked, again(Self.self))
  }

  @Test func `Out of step it is made sure first that the answer will be the PIN's`() {
    var tape = locked(.untried)
    tape.at(5100, .deadline, .note(.modemRecovery(.askAgain)), .says(.simStatus))
    tape.at(5150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.signal))
    tape.at(5160, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    tape.at(5170, .hears("+CSQ: 99,99\r\nOK\r\n"))
    tape.at(7100, .deadline, .says(.simStatus))
    tape.at(7150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), Self.remember, .says(.enterPIN))
  }

  @Test func `The whole tracker unlocks its SIM, power-on after power-on`() {
    var identity = Identity.bench
    identity.simPIN = .untried
    var bench = Bench(identity: identity)
    bench.pin = "0742"
    bench.run(seconds: 300)
    #expect(bench.queue.isEmpty && bench.pinsTried == 1, again(Self.self))
    bench.pin = "0742"
    bench.run(seconds: 600)
    #expect(bench.received.count == 2 && bench.pinsTried == 2, again(Self.self))
  }

  @Test func `The whole tracker tries a wrong PIN once, whatever is ordered`() {
    var identity = Identity.bench
    identity.simPIN = .untried
    var bench = Bench(identity: identity)
    bench.pin = "1111"
    for _ in 0..<20 {
      bench.run(seconds: 700)
      bench.handle(.commandGiven(.sendNow))
    }
    #expect(bench.pinsTried == 1 && bench.received.isEmpty, again(Self.self))
    #expect(bench.notes.filter { $0 == .pinRefused }.count == 1, again(Self.self))
    identity.simPIN = .tried
    bench = Bench(identity: identity)
    bench.pin = "1111"
    bench.run(seconds: 3000)
    #expect(bench.pinsTried == 0, "after a restart of the program")
  }
}
