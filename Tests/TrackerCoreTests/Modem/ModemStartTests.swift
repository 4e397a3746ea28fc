import Testing

@testable import TrackerCore

/// From off to an answer, or to a fault.
@Suite struct ModemStartTests {
  @Test func `A modem that is on already is not pressed`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    tape.at(80, .hears("ATE0\r\r\nOK\r\n"), .says(.reportErrors))
    tape.at(90, .hears("OK\r\n"), .says(.simStatus))
    #expect(tape.modem.phase == .checkingSIM, again(Self.self))
  }

  @Test func `A modem that is off is pressed, boots, and is asked until it answers`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    #expect(tape.modem.phase == .starting, again(Self.self))
    tape.at(999, .deadline)
    tape.at(1000, .deadline, .pressOn)
    tape.at(1199, .deadline)
    tape.at(1200, .deadline)
    tape.at(2199, .deadline)
    tape.at(2200, .deadline, .says(.attention))
    tape.at(3200, .deadline, .says(.attention))
    tape.at(3900, .hears("\0\0+CGEV: ME PDN\r\n"))
    tape.at(4200, .deadline, .says(.attention))
    // Others are owed an answer: the next question must tell itself apart.
    tape.at(4230, .hears("\r\nOK\r\n"), .says(.signal))
    tape.at(4240, .hears("\r\nOK\r\n"))
    tape.at(4250, .hears("+CSQ: 99,99\r\n\r\nOK\r\n"), .says(.reportErrors))
    #expect(tape.modem.phase == .checkingSIM, again(Self.self))
  }

  @Test(arguments: ["RDY", "START", "PB DONE", "SMS DONE", "+CPIN: READY", "+CPIN: SIM PIN"])
  func `The word that tells of its start is not waited for, and answered at once`(_ word: String) {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    tape.wait(until: 9200)
    tape.at(9500, .hears("\(word)\r\n"), .says(.attention))
    tape.at(9600, .hears("OK\r\n"), .says(.signal))
  }

  /// Its first words and the answer to a question that it just heard come together.
  @Test func `An answer that comes right after its first words is not taken for the next one's`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    tape.wait(until: 9200)
    #expect(tape.modem.engine.awaited == .attention, again(Self.self))
    tape.at(9250, .hears("RDY\r\nOK\r\n"), .says(.attention), .says(.signal))
    tape.at(9300, .hears("OK\r\n"))
    tape.at(9350, .hears("+CSQ: 99,99\r\n\r\nOK\r\n"), .says(.reportErrors))
    tape.at(9400, .hears("OK\r\n"), .says(.simStatus))
  }

  @Test func `A modem that is just starting is not pressed`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    tape.at(400, .hears("RDY\r\n"), .says(.attention))
    #expect(tape.wait(until: 5000).allSatisfy { $0 == .says(.attention) }, again(Self.self))
    tape.at(5100, .hears("OK\r\n"), .says(.signal))
  }

  @Test func `The whole way up, in use, and down again`() {
    var tape = ModemTape(Self.self) { $0.accessPoint = "internet" }
    tape.at(0, .connect, .says(.attention))
    tape.at(10, .hears("OK\r\n"), .says(.reportErrors))
    tape.at(15, .hears("OK\r\n"), .says(.simStatus))
    tape.at(20, .hears("+CPIN: READY\r\n"))
    tape.at(21, .hears("OK\r\n"), .says(.subscriber))
    tape.at(
      22, .hears("214070000000001\r\n\r\nOK\r\n"),
      .note(.subscriber(InlineText("214070000000001"))), .says(.equipment))
    tape.at(
      23, .hears("351602000330570\r\n\r\nOK\r\n"),
      .note(.equipment(InlineText("351602000330570"))), .says(.definePDP))
    tape.at(24, .hears("OK\r\n"), .says(.registration))
    tape.at(30, .hears("+CREG: 0,2\r\n+CGREG: 0,2\r\n+CEREG: 0,2\r\nOK\r\n"))
    #expect(tape.modem.phase == .searching, again(Self.self))
    tape.at(2024, .deadline, .says(.registration))
    tape.at(2030, .hears("+CREG: 0,0\r\n+CGREG: 0,0\r\n+CEREG: 0,5\r\n"))
    tape.at(2031, .hears("OK\r\n"), .setLink(isUp: true), .says(.signal))
    #expect(tape.modem.phase == .registered && !tape.modem.isReady, again(Self.self))
    tape.at(2040, .hears("+CSQ: 15,99\r\nOK\r\n"), .note(.signal(dBm: -83)), .says(.supply))
    tape.at(
      2050, .hears("+CBC: 3.810V\r\nOK\r\n"), .note(.modemSupply(millivolts: 3810)),
      .says(.networkOperator))
    tape.at(
      2060, .hears("+COPS: 0,0,\"Movistar\",7\r\nOK\r\n"),
      .note(.networkOperator(InlineText("Movistar"))))
    tape.at(4000, .link(true))
    #expect(tape.modem.phase == .attached && tape.modem.isReady, again(Self.self))
    tape.modem.setInUse(true)
    #expect(tape.modem.phase == .inUse && tape.modem.deadline == nil, again(Self.self))
    tape.modem.setInUse(false)
    #expect(tape.modem.phase == .attached, again(Self.self))
    tape.at(9000, .release, .setLink(isUp: false), .says(.powerOff))
    #expect(tape.modem.phase == .stopping, again(Self.self))
    tape.at(9100, .hears("OK\r\n"))
    tape.at(16_999, .deadline)
    tape.at(17_000, .deadline)
    #expect(tape.modem.isOff && tape.modem.contact.failure == nil, again(Self.self))
  }

  @Test func `What is known of SIM and modem is not asked for again`() {
    var tape = ModemTape.registered(Self.self) { $0.floor = 0 }
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.wait(until: 20_000)
    tape.play(.connect, at: .at(20_000))
    tape.play(.hears("OK\r\nOK\r\n"), at: .at(20_010))
    tape.at(20_020, .hears("+CPIN: READY\r\nOK\r\n"), .says(.registration))
  }

  @Test func `A question that is answered with an error is let be`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(200, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    tape.at(210, .hears("+CME ERROR: 4\r\n"), .says(.equipment))
    tape.at(220, .hears("ERROR\r\n"), .says(.registration))
    tape.at(230, .hears("+CREG: 0,1\r\nOK\r\n"), .setLink(isUp: true), .says(.signal))
    tape.at(240, .hears("ERROR\r\n"), .says(.supply))
    tape.at(250, .hears("ERROR\r\n"), .says(.networkOperator))
    tape.at(260, .hears("ERROR\r\n"), .note(.networkOperator(InlineText())))
    #expect(tape.modem.phase == .registered, again(Self.self))
  }

  @Test func `One that answers in numbers is told to use words, and asked so the next time`() {
    var tape = ModemTape(Self.self) { $0.floor = 0 }
    tape.at(0, .connect, .says(.attention))
    tape.at(50, .hears("0\r\n"), .says(.wordAnswers))
    tape.at(60, .hears("OK\r\n"), .says(.signal))
    tape.at(70, .hears("+CSQ: 99,99\r\nOK\r\n"), .says(.reportErrors))
    tape.at(1000, .release, .says(.powerOff))
    tape.wait(until: 30_000)
    tape.at(30_000, .connect, .says(.wordAnswers))
  }

  /// One that took 4 s for an answer, was switched off, and is asked again at 100 s.
  private static func slow() -> ModemTape {
    var tape = ModemTape.registered(Self.self) { $0.floor = 0 }
    tape.wait(until: 60_300)
    tape.play(.hears("+CREG: 0,1\r\nOK\r\n"), at: .at(64_300))
    #expect(tape.modem.engine.isSlow, again(Self.self))
    tape.play(.release, at: .at(65_000))
    tape.wait(until: 99_000)
    #expect(tape.modem.isOff, again(Self.self))
    tape.at(100_000, .connect, .says(.attention))
    return tape
  }

  @Test func `A slow modem has the time for its answer before it is pressed`() {
    var tape = Self.slow()
    #expect(!tape.wait(until: 104_900).contains(.pressOn), again(Self.self))
    tape.play(.hears("OK\r\n"), at: .at(104_950))
    #expect(tape.modem.phase == .checkingSIM, again(Self.self))
  }

  @Test func `A slow modem's first words do not repeat a question that it is busy with`() {
    var tape = Self.slow()
    tape.wait(until: 107_500)
    #expect(tape.modem.phase == .starting, again(Self.self))
    tape.at(107_600, .hears("PB DONE\r\n"))
  }
}
