import Testing

@testable import TrackerCore

/// The SIM's PIN: entered where the SIM leaves a try after it, remembered before, and the last try
/// is a person's to spend.
@Suite struct ModemPINTests {
  static let remember = Effect.rememberPIN(isTried: true)
  static let forget = Effect.rememberPIN(isTried: false)

  static let three = "+SPIC: 3,10,3,10\r\n\r\nOK\r\n"

  private func locked(_ state: PINState, _ family: ModemFamily = .sim7600) -> ModemTape {
    .checkingSIM(Self.self) {
      $0.simPIN = state
      $0.family = family
    }
  }

  /// The SIM asks for its PIN and tells how many tries are left.
  private func asked(_ state: PINState, _ tries: String, _ expected: Effect...) -> ModemTape {
    var tape = locked(state)
    tape.at(150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.pinTries))
    let effects = tape.play(.hears("\(tries)\r\n"), at: .at(160))
    #expect(effects == expected, again(Self.self, tries))
    return tape
  }

  @Test func `The host remembers first, and then the PIN is entered`() {
    var tape = locked(.untried)
    tape.at(150, .hears("+CPIN: SIM PIN\r\n"))
    tape.at(151, .hears("OK\r\n"), .says(.pinTries))
    tape.at(155, .hears("+SPIC: 3,10,3,10\r\n"))
    tape.at(156, .hears("OK\r\n"), Self.remember, .says(.enterPIN))
    #expect(tape.modem.reason(at: .at(156)) == .modemOff, again(Self.self))
    tape.at(300, .hears("OK\r\n"), .says(.simStatus))
    tape.at(350, .hears("+CME ERROR: 14\r\n"))
    tape.at(900, .hears("+CPIN: READY\r\n"), Self.forget, .says(.subscriber))
  }

  @Test func `With errors in words it is the same`() {
    var tape = locked(.untried)
    tape.at(150, .hears("+CME ERROR: SIM PIN required\r\n"), .says(.pinTries))
    tape.at(160, .hears(Self.three), Self.remember, .says(.enterPIN))
  }

  @Test(arguments: [PINState.untried, .tried])
  func `With two tries or more it is entered, whatever was tried before the start`(
    _ state: PINState
  ) {
    for tries in ["+SPIC: 2,10,3,10", "+SPIC: 3", "+SPIC: 10,10,10,10"] {
      _ = asked(state, tries + "\r\nOK", Self.remember, .says(.enterPIN))
    }
  }

  @Test(arguments: [PINState.untried, .tried])
  func `The last try is not spent, and a person is told`(_ state: PINState) {
    for tries in ["+SPIC: 1,10,3,10", "+SPIC: 0,10,3,10", "+SPIC: 1"] {
      var tape = asked(state, tries + "\r\nOK")
      #expect(tape.modem.reason(at: .at(160)) == .simLastTry, again(Self.self, tries))
      let seen = tape.live(
        until: 60_000,
        [.simStatus: "+CPIN: SIM PIN\r\nOK\r\n", .pinTries: tries + "\r\nOK\r\n"]
      ).map(\.effect)
      #expect(!seen.contains(.says(.enterPIN)) && !seen.contains(Self.remember), again(Self.self))
      // While it waits for the reconnect floor it says so too, and not that it is too soon.
      #expect(tape.modem.contact.failure == .simLastTry && tape.modem.isOff, again(Self.self))
      #expect(tape.modem.reason(at: .at(60_000)) == .simLastTry, again(Self.self))
    }
  }

  @Test func `The last try is spent on a person's order, once`() {
    var tape = asked(.untried, "+SPIC: 1,10,3,10\r\nOK")
    tape.modem.tryPIN()
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), Self.remember, .says(.enterPIN))
    tape.at(2200, .hears("+CME ERROR: 16\r\n"), .note(.pinRefused), .says(.simStatus))
    tape.at(2250, .hears("+CPIN: SIM PUK\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(2250)) == .simBlocked, again(Self.self))
  }

  @Test func `A modem that does not tell the tries gets the PIN once after it was written`() {
    _ = asked(.untried, "ERROR", Self.remember, .says(.enterPIN))
    _ = asked(.untried, "+CME ERROR: 100", Self.remember, .says(.enterPIN))
    var tape = asked(.tried, "ERROR")
    #expect(tape.modem.reason(at: .at(160)) == .simUncertain, again(Self.self))
    tape.modem.tryPIN()
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), Self.remember, .says(.enterPIN))
  }

  @Test func `A counter whose answer is lost is asked for again, and nothing is entered`() {
    var tape = locked(.untried)
    tape.at(150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.pinTries))
    tape.at(5150, .deadline, .note(.modemRecovery(.askAgain)), .says(.simStatus))
    tape.at(5200, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.pinTries))
    // The late one and its own are the same.
    tape.at(5210, .hears(Self.three), Self.remember, .says(.enterPIN))
  }

  /// As 3GPP has it, with the counters of the other codes around.
  @Test(arguments: ["SIM PIN", "\"SIM PIN\""])
  func `Of the counters that 3GPP names the PIN's is taken`(_ name: String) {
    for (left, isEntered) in [(1, false), (2, true), (3, true)] {
      var tape = locked(.untried, .generic)
      tape.at(150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.pinTries))
      tape.at(
        160,
        .hears("+CPINR: SIM PUK,9,10\r\n+CPINR: \(name),\(left),3\r\n+CPINR: SIM PIN2,7,3\r\n"))
      let effects = tape.play(.hears("OK\r\n"), at: .at(170))
      #expect(effects == (isEntered ? [Self.remember, .says(.enterPIN)] : []), again(Self.self))
    }
  }

  @Test func `A wrong PIN is told, and not tried again`() {
    var tape = locked(.untried)
    tape.play(.hears("+CPIN: SIM PIN\r\nOK\r\n\(Self.three)"), at: .at(150))
    tape.at(300, .hears("+CME ERROR: 16\r\n"), .note(.pinRefused), .says(.simStatus))
    #expect(tape.modem.reason(at: .at(300)) == .simRefused, again(Self.self))
    tape.at(310, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    let seen = tape.live(until: 20_299, [.simStatus: "+CPIN: SIM PIN\r\nOK\r\n"]).map(\.effect)
    #expect(seen.allSatisfy { $0 == .says(.simStatus) }, again(Self.self, "\(seen)"))
    tape.play(.hears("+CPIN: SIM PIN\r\nOK\r\n"), at: .at(20_299))
    tape.at(20_300, .deadline, .says(.powerOff))
    #expect(tape.modem.contact.failure == .simRefused, again(Self.self))
    // Neither with the next contact.
    tape.wait(until: 600_000)
    tape.play(.connect, at: .at(600_000))
    tape.play(.hears("OK\r\nOK\r\n"), at: .at(600_010))
    tape.at(600_020, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
  }

  @Test func `A PIN that was accepted is entered again where the modem starts anew`() {
    var tape = locked(.untried)
    tape.play(.hears("+CPIN: SIM PIN\r\nOK\r\n\(Self.three)"), at: .at(150))
    tape.at(300, .hears("OK\r\n"), .says(.simStatus))
    tape.play(.hears("\r\nRDY\r\n"), at: .at(310))
    let seen = tape.live(
      until: 19_000,
      [
        .attention: "OK\r\n", .reportErrors: "OK\r\n",
        .simStatus: "+CPIN: SIM PIN\r\nOK\r\n", .pinTries: Self.three,
      ]
    ).map(\.effect)
    #expect(seen.contains(.says(.enterPIN)), again(Self.self, "\(seen)"))
  }

  @Test func `A PIN that is not there is asked for by name`() {
    var tape = locked(.absent)
    tape.at(150, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(150)) == .simLocked, again(Self.self))
    tape.modem.tryPIN()
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2150, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
  }

  @Test func `A SIM that is ready was unlocked rightly, whenever that was`() {
    var tape = locked(.tried)
    tape.at(150, .hears("+CPIN: READY\r\nOK\r\n"), Self.forget, .says(.subscriber))
    tape.play(.hears("OK\r\nOK\r\n+CREG: 0,2\r\nOK\r\n"), at: .at(160))
    // The next time that it is locked, the PIN may be tried.
    tape.at(200, .hears("+CPIN: SIM REMOVED\r\n"), .says(.simStatus))
    tape.at(250, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.pinTries))
    tape.at(260, .hears(Self.three), Self.remember, .says(.enterPIN))
  }

  @Test(arguments: [
    ("+CPIN: SIM PUK", Reason.simBlocked), ("+CPIN: PH-NET PIN", .operatorLocked),
    ("+CPIN: SIM PIN2", .simBlocked),
  ])
  func `No other lock is answered with the PIN`(_ lock: String, _ reason: Reason) {
    var tape = locked(.untried)
    tape.at(150, .hears("\(lock)\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(150)) == reason, again(Self.self, lock))
  }

  @Test func `A PIN without an answer is not entered again`() {
    var tape = locked(.untried)
    tape.play(.hears("+CPIN: SIM PIN\r\nOK\r\n\(Self.three)"), at: .at(150))
    tape.at(5150, .deadline, .note(.modemRecovery(.askAgain)), .says(.simStatus))
    tape.at(5200, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    let seen = tape.live(until: 60_000, [.simStatus: "+CPIN: SIM PIN\r\nOK\r\n"]).map(\.effect)
    #expect(!seen.contains(.says(.enterPIN)), again(Self.self))
  }

  /// As after a power cut: the SIM has counted the try, or not.
  @Test(arguments: [("+SPIC: 2", true), ("+SPIC: 1", false), ("ERROR", false)])
  func `Where the modem starts anew before it has answered the PIN the tries left decide`(
    _ tries: String, _ isEntered: Bool
  ) {
    var tape = locked(.untried)
    tape.play(.hears("+CPIN: SIM PIN\r\nOK\r\n\(Self.three)"), at: .at(150))
    tape.play(.hears("\r\nRDY\r\n"), at: .at(310))
    let answer = tries == "ERROR" ? "ERROR\r\n" : "\(tries)\r\n\r\nOK\r\n"
    let seen = tape.live(
      until: 19_000,
      [
        .attention: "OK\r\n", .reportErrors: "OK\r\n",
        .simStatus: "+CPIN: SIM PIN\r\nOK\r\n", .pinTries: answer,
      ]
    ).map(\.effect)
    #expect(seen.contains(.says(.enterPIN)) == isEntered, again(Self.self, "\(tries): \(seen)"))
  }

  /// Or its PIN would be entered at each contact, until the SIM is blocked.
  @Test func `A SIM that was called ready before its PIN was entered has not accepted it`() {
    var tape = asked(.untried, "+CPIN: READY\r\nOK", Self.remember, .says(.enterPIN))
    tape.at(200, .hears("+CME ERROR: 16\r\n"), .note(.pinRefused), .says(.simStatus))
    #expect(tape.modem.reason(at: .at(200)) == .simRefused, again(Self.self))
    // Nor does that clear a try from before the start.
    tape = asked(.tried, "+CPIN: READY\r\nOK")
    #expect(tape.modem.reason(at: .at(160)) == .simUncertain, again(Self.self))
  }

  @Test func `A SIM that refuses its PIN is not ready, although it was called so just before`() {
    var tape = asked(.untried, "+SPIC: 3,10,3,10\r\n\r\nOK", Self.remember, .says(.enterPIN))
    tape.at(200, .hears("+CPIN: READY\r\n"))
    tape.at(210, .hears("+CME ERROR: 16\r\n"), .note(.pinRefused), .says(.simStatus))
    #expect(tape.modem.reason(at: .at(210)) == .simRefused, again(Self.self))
  }

  @Test func `Only a READY that was asked for clears a try from before the start`() {
    var tape = asked(.tried, "ERROR")
    tape.at(200, .hears("+CPIN: READY\r\n"), .says(.subscriber))
    tape = locked(.tried)
    tape.at(150, .hears("+CPIN: READY\r\nOK\r\n"), Self.forget, .says(.subscriber))
  }

  /// Some are so slow that the answer comes to a later question, and open and lock a SIM by
  /// themselves.
  @Test(arguments: ["at once", "after its time", "after an OK"])
  func `A PIN that was refused is not entered again, whenever that was`(_ when: String) {
    var tape = locked(.untried)
    tape.at(150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.pinTries))
    tape.at(160, .hears("ERROR\r\n"), Self.remember, .says(.enterPIN))
    if when == "after its time" {
      tape.at(5160, .deadline, .note(.modemRecovery(.askAgain)), .says(.simStatus))
    } else if when == "after an OK" {
      tape.at(5160, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.simStatus))
    }
    tape.at(5170, .hears("+CME ERROR: 16\r\n"), .note(.pinRefused), .says(.simStatus))
    tape.at(5180, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(5180)) == .simRefused, again(Self.self))
    tape.at(7180, .deadline, .says(.simStatus))
    tape.at(7190, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    tape.play(.hears("\r\nRDY\r\n"), at: .at(7310))
    let seen = tape.live(
      until: 60_000,
      [
        .attention: "OK\r\n", .reportErrors: "OK\r\n",
        .simStatus: "+CPIN: SIM PIN\r\nOK\r\n", .pinTries: "ERROR\r\n",
      ]
    ).map(\.effect)
    #expect(!seen.contains(.says(.enterPIN)), again(Self.self, "\(seen)"))
  }

  @Test func `The echo is switched off before the PIN is entered`() {
    var tape = locked(.untried)
    tape.at(150, .hears("AT+CPIN?\r\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n"), .says(.attention))
    tape.at(160, .hears("ATE0\r\r\nOK\r\n"))
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2170, .hears("+CPIN: SIM PIN\r\n\r\nOK\r\n"), .says(.pinTries))
    tape.at(2180, .hears(Self.three), Self.remember, .says(.enterPIN))
  }

  /// Some modems refuse all but AT+CPIN while their SIM is locked. The host hides the echo.
  @Test(arguments: ["ERROR", "+CME ERROR: 11", "OK"])
  func `A modem that echoes whatever it is told is told the PIN nevertheless`(_ answer: String) {
    var tape = locked(.untried)
    tape.at(150, .hears("AT+CPIN?\r\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n"), .says(.attention))
    tape.at(160, .hears("ATE0\r\r\n\(answer)\r\n"))
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2170, .hears("AT+CPIN?\r\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n"), .says(.pinTries))
    tape.at(2180, .hears("AT+SPIC\r\r\n\(Self.three)"), Self.remember, .says(.enterPIN))
  }

  @Test func `A SIM that wants its PIN without an OK gets it`() {
    var tape = locked(.untried)
    tape.at(150, .hears("+CPIN: SIM PIN\r\n"))
    tape.at(5099, .deadline)
    tape.at(5100, .deadline, .says(.pinTries))
    tape.at(5150, .hears(Self.three), Self.remember, .says(.enterPIN))
    tape.at(5200, .hears("OK\r\n"), .says(.simStatus))
    // Without the tries either: first a question whose answer cannot be another's.
    tape = locked(.untried)
    tape.at(150, .hears("+CPIN: SIM PIN\r\n"))
    tape.at(5100, .deadline, .says(.pinTries))
    tape.at(5150, .hears("ERROR\r\n"), .says(.signal))
    tape.at(5160, .hears("+CSQ: 99,99\r\nOK\r\n"), Self.remember, .says(.enterPIN))
  }

  @Test func `A PIN that is due does not go to a SIM that is removed`() {
    var tape = locked(.untried)
    tape.at(150, .hears("+CPIN: SIM PIN\r\n"))
    tape.at(5100, .deadline, .says(.pinTries))
    tape.at(5150, .hears("ERROR\r\n"), .says(.signal))
    tape.at(5155, .hears("+CPIN: NOT READY\r\n"))
    let effects = tape.play(.hears("+CSQ: 99,99\r\nOK\r\n"), at: .at(5160))
    #expect(!effects.contains(.says(.enterPIN)), again(Self.self))
    #expect(tape.modem.reason(at: .at(5160)) == .noSIM, again(Self.self))
  }

  @Test func `A PIN that is due waits no longer when the SIM is something else`() {
    var tape = locked(.untried)
    tape.at(150, .hears("+CPIN: SIM PIN\r\n"))
    tape.at(5100, .deadline, .says(.pinTries))
    tape.at(5150, .hears("ERROR\r\n"), .says(.signal))
    // It is silent; then the SIM is blocked, and the signal is asked for in vain.
    tape.at(10_150, .deadline, .note(.modemRecovery(.askAgain)), .says(.simStatus))
    tape.at(10_160, .hears("+CPIN: SIM PUK\r\nOK\r\n+CSQ: 99,99\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(10_160)) == .simBlocked, again(Self.self))
  }

  @Test func `Out of step it is made sure first that the answer will be the PIN's`() {
    var tape = locked(.untried)
    tape.at(5100, .deadline, .note(.modemRecovery(.askAgain)), .says(.simStatus))
    tape.at(5150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.pinTries))
    // Late, and no answer to this.
    tape.at(5160, .hears("+CPIN: SIM PIN\r\nOK\r\n"))
    tape.at(5170, .hears(Self.three), Self.remember, .says(.enterPIN))
  }

  @Test func `Out of step with a modem that does not tell the tries it is brought back first`() {
    var tape = locked(.untried)
    tape.at(5100, .deadline, .note(.modemRecovery(.askAgain)), .says(.simStatus))
    tape.at(5150, .hears("+CPIN: SIM PIN\r\nOK\r\n"), .says(.pinTries))
    tape.at(5160, .hears("ERROR\r\n"), .says(.signal))
    tape.at(5170, .hears("+CSQ: 99,99\r\nOK\r\n"), Self.remember, .says(.enterPIN))
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
      bench.handle(.commandGiven(.sendNow, from: .script))
    }
    #expect(bench.pinsTried == 1 && bench.received.isEmpty, again(Self.self))
    #expect(bench.notes.filter { $0 == .pinRefused }.count == 1, again(Self.self))
    #expect(bench.notes.contains(.sending(.simRefused)), again(Self.self))
    #expect(!bench.notes.contains(.sending(.reconnectFloor)), "waiting does not cure it")
    // After a restart of the program, with two tries left and with one.
    identity.simPIN = .tried
    for (tries, entered) in [("+SPIC: 2,10,3,10", 1), ("+SPIC: 1,10,3,10", 0)] {
      bench = Bench(identity: identity)
      bench.pin = "1111"
      bench.pinTriesAnswer = tries
      bench.run(seconds: 3000)
      #expect(bench.pinsTried == entered, again(Self.self, tries))
    }
    #expect(bench.tracker.sendReason == .simLastTry, again(Self.self))
    bench.handle(.commandGiven(.tryPIN, from: .script))
    bench.run(seconds: 900)
    #expect(bench.pinsTried == 1, again(Self.self))
  }
}
