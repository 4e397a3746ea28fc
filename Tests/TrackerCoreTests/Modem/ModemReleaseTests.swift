import Testing

@testable import TrackerCore

/// Let go of in every state, and told things that it did not ask for.
@Suite struct ModemReleaseTests {
  /// A modem in each state, and the effects that its release must have.
  static let states: [(tape: ModemTape, effects: [Effect], phase: ModemPhase)] = {
    func mute(until end: Int64) -> ModemTape {
      var tape = ModemTape(Self.self)
      tape.play(.connect, at: .at(0))
      tape.wait(until: end)
      return tape
    }
    func cycling() -> ModemTape {
      var tape = ModemTape.registered(Self.self) { $0.floor = 0 }
      tape.wait(until: 60_300)
      return tape
    }
    let down: [Effect] = [.setLink(isUp: false), .says(.powerOff)]
    return [
      (ModemTape(Self.self), [], .off),
      (mute(until: 0), [.says(.powerOff)], .stopping),
      (mute(until: 1000), [], .starting),
      (mute(until: 5000), [.says(.powerOff)], .stopping),
      (.checkingSIM(Self.self), [.says(.powerOff)], .stopping),
      (.searching(Self.self), [.says(.powerOff)], .stopping),
      (.registered(Self.self), down, .stopping),
      (.attached(Self.self), down, .stopping),
      (.inUse(Self.self), down, .stopping),
      (cycling(), [.says(.powerOff)], .stopping),
      (mute(until: 16_200), [], .stopping),
      (mute(until: 17_200), [], .stopping),
      (mute(until: 25_200), [], .off),
      (mute(until: 120_000), [], .faulted),
    ]
  }()

  @Test(arguments: states.indices)
  func `A release ends politely in every state, and nothing restarts`(_ number: Int) {
    var (tape, effects, phase) = Self.states[number]
    let now = max(tape.modem.deadline ?? .at(130_000), .at(1000)) - 1
    let detail = "state \(number), \(tape.modem.power.state);"
    #expect(tape.play(.release, at: now) == effects, again(Self.self, detail))
    #expect(tape.modem.phase == phase, again(Self.self, detail))
    let rest = tape.wait(until: 10_000_000)
    // It is told to stop when its key is let go, and not before. One that was there and does not
    // say that it will is switched off by its key.
    let allowed: [Effect] = [.says(.powerOff), .pressOff]
    #expect(rest.allSatisfy(allowed.contains), again(Self.self, detail))
    #expect(rest.count { $0.isPress } <= 1, again(Self.self, detail))
    if rest.contains(where: \.isPress) {
      // Whether it is off now is asked once more.
      let end: [Effect] = [.pressOff, .says(.powerOff)]
      #expect(rest.suffix(2) == end[...], again(Self.self, detail))
    }
    #expect(tape.modem.isOff && tape.modem.deadline == nil, again(Self.self, detail))
  }

  @Test func `One that has become mute is switched off by its key, once`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.wait(until: 8999)
    tape.at(9000, .deadline, .pressOff)
    tape.at(10_000, .deadline)
    #expect(tape.modem.phase == .stopping, again(Self.self))
    let rest = tape.wait(until: 10_000_000)
    #expect(rest == [.says(.powerOff)] && tape.modem.isOff, again(Self.self, "\(rest)"))
  }

  @Test func `One that is on after its key was held is told once more`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.wait(until: 10_000)
    tape.at(18_000, .deadline, .says(.powerOff))
    tape.at(18_100, .hears("OK\r\n"))
    #expect(tape.modem.phase == .stopping, again(Self.self))
    #expect(tape.wait(until: 10_000_000).isEmpty && tape.modem.isOff, again(Self.self))
  }

  @Test func `One whose radio does not answer is switched off by its key`() {
    var tape = ModemTape.attached(Self.self) { $0.rest = .radioOff }
    tape.at(1000, .release, .setLink(isUp: false), .says(.radioOff))
    let rest = tape.wait(until: 60_000)
    let expected: [Effect] = [.says(.signal), .pressOff, .says(.radioOff)]
    #expect(rest == expected && tape.modem.isOff, again(Self.self, "\(rest)"))
  }

  @Test func `One without a key is told twice and then left as it is`() {
    var tape = ModemTape.attached(Self.self) { $0.hasPowerKey = false }
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    #expect(tape.wait(until: 60_000) == [.says(.powerOff)] && tape.modem.isOff, again(Self.self))
  }

  @Test func `A radio is off when the order's own OK has come, and is told until then`() {
    var tape = ModemTape.attached(Self.self) {
      $0.rest = .radioOff
      $0.hasPowerKey = false
    }
    tape.at(1000, .release, .setLink(isUp: false), .says(.radioOff))
    tape.at(1100, .hears("ERROR\r\n"))
    tape.at(3000, .deadline, .says(.radioOff))
    tape.at(3100, .hears("+CME ERROR: 3\r\n"))
    // Refused twice: the other command.
    tape.at(5000, .deadline, .says(.minimumFunction))
    #expect(tape.modem.phase == .stopping, again(Self.self))
    tape.at(5100, .hears("ERROR\r\n"), .note(.radioStaysOn))
    tape.at(7000, .deadline, .says(.radioOff))
    #expect(tape.modem.phase == .stillOn && !tape.modem.isOff, again(Self.self))
    // No answer, which may come later: the order, and then the order behind a question.
    tape.at(17_000, .deadline, .says(.radioOff))
    tape.at(17_100, .hears("OK\r\n"), .says(.signal))
    tape.at(17_150, .hears("OK\r\n"))
    tape.at(17_200, .hears("+CSQ: 99,99\r\nOK\r\n"), .says(.radioOff))
    #expect(!tape.modem.isOff, again(Self.self))
    tape.at(17_300, .hears("OK\r\n"))
    #expect(tape.modem.isOff && tape.modem.deadline == nil, again(Self.self))
    // What it says when it starts shows that it is no longer off.
    tape.at(50_000, .hears("RDY\r\n"), .says(.radioOff))
    tape.at(50_100, .hears("OK\r\n"))
    tape.at(60_000, .line(false))
    tape.at(63_000, .line(true), .says(.radioOff))
    #expect(!tape.modem.isOff, again(Self.self))
  }

  @Test func `One that was not let go of properly before the start is told to be quiet`() {
    var tape = ModemTape(Self.self) {
      $0.rest = .radioOff
      $0.hasPowerKey = false
    }
    #expect(!tape.modem.isOff && tape.modem.connectableAt != nil, again(Self.self))
    tape.at(0, .deadline, .says(.radioOff))
    tape.at(50, .connect, .says(.attention))
    #expect(tape.modem.phase == .starting, again(Self.self))
  }

  @Test func `A key that is held is let go before the modem is told to stop`() {
    var tape = ModemTape(Self.self)
    tape.play(.connect, at: .at(0))
    tape.wait(until: 1000)
    tape.at(1100, .release)
    tape.at(1200, .deadline, .says(.powerOff))
    #expect(tape.modem.phase == .stopping, again(Self.self))
  }

  @Test func `A key that is held goes on being held for who wants the modem again`() {
    var tape = ModemTape(Self.self)
    tape.play(.connect, at: .at(0))
    tape.wait(until: 1000)
    tape.at(1100, .release)
    tape.at(1150, .connect)
    tape.at(1200, .deadline)
    #expect(tape.modem.phase == .starting, again(Self.self))
  }

  @Test(arguments: states.indices)
  func `Rubbish and answers to no question change nothing but what they answer`(_ number: Int) {
    let tape = Self.states[number].tape
    let now = Instant.at(140_000)
    let texts = [
      "+CUSD: 1", "NO CARRIER", "\u{1}\u{2}", "+CPIN:", "+CREG: x", "OKOK", "+HTTPREAD: 5",
      "214070000000001", String(repeating: "+CREG: ", count: 200),
    ]
    for text in texts {
      var copy = tape
      let effects = copy.play(.hears(text + "\r\n"), at: now)
      // The time that has passed is seen to at the deadline, or with the next line.
      let isQuiet = copy.modem == tape.modem && effects.isEmpty
      let asks = effects.allSatisfy { if case .sendToModem = $0 { true } else { false } }
      let detail = "\(text) in \(tape.modem.power.state);"
      #expect(isQuiet || asks && copy.modem.phase == tape.modem.phase, again(Self.self, detail))
    }
  }

  @Test func `A late answer is ignored where nobody waits for it`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .hears("OK\r\n+CPIN: READY\r\n+CREG: 0,1\r\n"))
    tape.at(0, .link(true))
    tape.play(.connect, at: .at(0))
    tape.at(1000, .deadline, .pressOn)
    tape.at(1001, .hears("OK\r\n"))
    #expect(tape.modem.phase == .starting, "the key is held: first things first")

    var attached = ModemTape.attached(Self.self)
    attached.at(500, .hears("OK\r\n+CREG: 0,3\r\n+CPIN: SIM PIN\r\n"))
    attached.at(501, .link(true))
    #expect(attached.modem.isReady, again(Self.self))
    attached.at(600, .release, .setLink(isUp: false), .says(.powerOff))
    attached.at(700, .link(false))
    attached.at(701, .hears("OK\r\n"))
    #expect(attached.modem.phase == .stopping, again(Self.self))
  }

  @Test func `It is not in use unless it is attached`() {
    var tape = ModemTape.registered(Self.self)
    tape.modem.setInUse(true)
    #expect(tape.modem.phase == .registered, again(Self.self))
    tape = .attached(Self.self)
    tape.modem.setInUse(false)
    #expect(tape.modem.phase == .attached, again(Self.self))
  }
}
