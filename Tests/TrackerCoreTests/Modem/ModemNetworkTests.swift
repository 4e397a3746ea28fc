import Testing

@testable import TrackerCore

/// SIM, network and bearer: had, refused, lost.
@Suite struct ModemNetworkTests {
  @Test(arguments: [
    ("+CME ERROR: 10", Reason.noSIM), ("+CME ERROR: 13", .noSIM), ("ERROR", .noSIM),
    ("+CME ERROR: SIM not inserted", .noSIM), ("+CPIN: NOT READY\r\nOK", .noSIM),
    ("+CME ERROR: 11", .simLocked), ("+CPIN: SIM PIN\r\nOK", .simLocked),
    ("+CPIN: SIM PUK\r\nOK", .simBlocked), ("+CME ERROR: 12", .simBlocked),
    ("+CPIN: PH-NET PIN\r\nOK", .operatorLocked), ("+CME ERROR: 40", .operatorLocked),
    ("+CME ERROR: 5", .operatorLocked), ("+CME ERROR: PH-SIM PIN required", .operatorLocked),
    ("+CME ERROR: SIM PIN required", .simLocked), ("+CME ERROR: SIM PUK required", .simBlocked),
  ])
  func `A SIM that is missing or locked is named, asked for 20 s, and given up`(
    _ answer: String, _ reason: Reason
  ) {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(150, .hears("\(answer)\r\n"))
    #expect(tape.modem.reason(at: .at(150)) == reason, again(Self.self, answer))
    let asked = tape.live(until: 20_089, [.simStatus: "\(answer)\r\n"]).map(\.effect)
    #expect(asked == Array(repeating: .says(.simStatus), count: 9), again(Self.self, answer))
    tape.at(20_090, .deadline, .says(.powerOff))
    #expect(tape.modem.contact.failure == reason, again(Self.self, answer))
    #expect(tape.modem.phase == .stopping, again(Self.self, answer))
  }

  @Test func `A SIM that is ready late is welcome`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(150, .hears("+CME ERROR: 14\r\n"))
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2150, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    #expect(tape.modem.reason(at: .at(2150)) == .searching, again(Self.self))
  }

  @Test func `An OK alone may be an earlier command's and says nothing of the SIM`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(150, .hears("OK\r\n"))
    #expect(tape.modem.reason(at: .at(150)) == .modemOff, again(Self.self))
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2150, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    #expect(tape.modem.reason(at: .at(2150)) == .searching, again(Self.self))
  }

  @Test func `A SIM that was blocked and is not any more is no reason to wait for a person`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(150, .hears("+CPIN: SIM PUK\r\nOK\r\n"))
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2150, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
    tape.at(2200, .release, .says(.powerOff))
    tape.live(until: 30_000)
    #expect(tape.modem.isOff, again(Self.self))
    #expect(tape.modem.reason(at: .at(30_000)) == .reconnectFloor, again(Self.self))
  }

  @Test func `A SIM that says by itself that it is ready is not asked again`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(150, .hears("+CME ERROR: 14\r\n"))
    tape.at(900, .hears("+CPIN: READY\r\n"), .says(.subscriber))
  }

  @Test(arguments: [
    "+CREG: 0,2", "+CREG: 0,0", "+CREG: 0,4", "+CREG: 0,1\r\n+CGREG: 0,2",
    "+CREG: 0,6\r\n+CGREG: 0,2",
  ])
  func `Without a network the search ends after three minutes and says so`(_ answer: String) {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("\(answer)\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(250)) == .searching, again(Self.self, answer))
    let seen = tape.live(until: 180_199, [.registration: "\(answer)\r\nOK\r\n"])
    #expect(
      seen.map(\.effect) == Array(repeating: .says(.registration), count: 89),
      again(Self.self, answer))
    tape.at(180_200, .deadline, .says(.powerOff))
    #expect(tape.modem.contact.failure == .searching, again(Self.self, answer))
  }

  @Test(arguments: [
    "+CREG: 0,3", "+CREG: 0,8", "+CREG: 0,11", "+CEREG: 0,3", "+CREG: 2,3,\"00C3\",\"0F2A\"",
    "+CREG: 0,1\r\n+CGREG: 0,3", "+CGREG: 0,3\r\n+CEREG: 0,0",
  ])
  func `A network that refuses is given up after a minute, and half of that the next time`(
    _ answer: String
  ) {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("\(answer)\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(250)) == .registrationDenied, again(Self.self, answer))
    let answers = [ModemCommand.registration: "\(answer)\r\nOK\r\n"]
    let seen = tape.live(until: 60_249, answers)
    #expect(
      seen.map(\.effect) == Array(repeating: .says(.registration), count: 30),
      again(Self.self, answer))
    tape.at(60_250, .deadline, .says(.powerOff))
    #expect(tape.modem.takeFailure() == .registrationDenied, again(Self.self, answer))
    tape.live(until: 600_000)
    tape.play(.connect, at: .at(600_000))
    tape.play(.hears("OK\r\n"), at: .at(600_010))
    tape.live(until: 629_000, answers)
    #expect(tape.modem.phase == .searching, again(Self.self, answer))
    tape.live(until: 640_000, answers)
    #expect(tape.modem.takeFailure() == .registrationDenied, again(Self.self, answer))
  }

  @Test func `A modem that is searching between two refusals is refused nevertheless`() {
    var tape = ModemTape.searching(Self.self)
    for second: Int64 in 0..<30 {
      let status = second % 5 == 0 ? 3 : 2
      tape.play(.hears("+CREG: 0,\(status)\r\nOK\r\n"), at: .at(250 + second * 2000))
      tape.wait(until: 2200 + second * 2000)
    }
    tape.play(.hears("+CREG: 0,3\r\nOK\r\n"), at: .at(60_240))
    tape.at(60_250, .deadline, .says(.powerOff))
    #expect(tape.modem.takeFailure() == .registrationDenied, again(Self.self))
  }

  @Test(arguments: [
    "+CREG: 0,1", "+CREG: 0,5", "+CEREG: 0,1", "+CREG: 0,1\r\n+CGREG: 0,0",
    "+CREG: 0,2\r\n+CGREG: 0,0\r\n+CEREG: 0,1", "+CREG: 0,3\r\n+CEREG: 0,5",
  ])
  func `Data are what counts, and calls where the modem is silent about data`(_ answer: String) {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("\(answer)\r\nOK\r\n"), .setLink(isUp: true), .says(.signal))
  }

  @Test func `A network that refused may accept later in the same search`() {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("+CREG: 0,3\r\nOK\r\n"))
    // A report that nobody asked for is looked into at once.
    tape.at(1000, .hears("+CREG: 1\r\n"), .says(.registration))
    tape.at(1050, .hears("+CREG: 0,1\r\nOK\r\n"), .setLink(isUp: true), .says(.signal))
    #expect(tape.modem.reason(at: .at(1050)) == .noBearer, again(Self.self))
  }

  @Test func `A report in the middle of an answer does not disturb it`() {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("+CREG: 0,2\r\n+CMTI: \"SM\",1\r\n\r\nRING\r\n+CGREG: 0,1\r\n"))
    tape.at(251, .hears("\r\nOK\r\n"), .setLink(isUp: true), .says(.signal))
  }

  @Test func `Half an answer about the network does not count for the next question`() {
    var tape = ModemTape.searching(Self.self)
    tape.at(300, .hears("+CGREG: 0,1\r\n"))
    tape.at(5200, .deadline, .note(.modemRecovery(.askAgain)), .says(.registration))
    tape.at(5300, .hears("+CREG: 0,2\r\n+CGREG: 0,2\r\nOK\r\n"))
    #expect(tape.modem.phase == .searching, again(Self.self))
  }

  @Test func `A bearer that cannot be opened is given up at once`() {
    var tape = ModemTape.registered(Self.self)
    tape.at(5000, .link(false), .setLink(isUp: false), .says(.powerOff))
    #expect(tape.modem.contact.failure == .noBearer, again(Self.self))
  }

  @Test func `A bearer that never comes up is given up after a minute`() {
    var tape = ModemTape.registered(Self.self)
    tape.at(60_299, .deadline)
    tape.at(60_300, .deadline, .setLink(isUp: false), .says(.powerOff))
    #expect(tape.modem.contact.failure == .noBearer, again(Self.self))
  }

  @Test(arguments: [false, true])
  func `A link that is lost is searched for again, without a new contact`(_ inUse: Bool) {
    var tape = ModemTape.attached(Self.self)
    tape.modem.setInUse(inUse)
    // Closed, it can be opened again: a connection that hangs would stay as it is.
    tape.at(5000, .link(false), .setLink(isUp: false), .says(.registration))
    #expect(tape.modem.reason(at: .at(5000)) == .searching, again(Self.self))
    tape.at(5100, .hears("+CREG: 0,1\r\nOK\r\n"), .setLink(isUp: true), .says(.signal))
    tape.at(7000, .link(true))
    #expect(tape.modem.isReady, again(Self.self))
  }

  @Test func `A link that is lost again and again is opened five times more in a contact`() {
    for isDelivering in [false, true] {
      var tape = ModemTape.attached(Self.self)
      var now: Int64 = 5000
      for _ in 0..<5 {
        tape.play(.link(false), at: .at(now))
        tape.play(.hears("+CREG: 0,1\r\nOK\r\n+CSQ: 15,99\r\nOK\r\n"), at: .at(now + 10))
        tape.play(.hears("+CBC: 3.8V\r\nOK\r\nERROR\r\n"), at: .at(now + 20))
        tape.play(.link(true), at: .at(now + 30))
        #expect(tape.modem.isReady, again(Self.self))
        now += 1000
      }
      if isDelivering { tape.modem.delivered(at: .at(now)) }
      tape.modem.setInUse(true)
      tape.play(.link(false), at: .at(now))
      #expect((tape.modem.phase == .searching) == isDelivering, again(Self.self))
      #expect(tape.modem.takeFailure() == (isDelivering ? nil : .noBearer), again(Self.self))
    }
  }

  @Test func `A link that cannot be opened ends the contact`() {
    var tape = ModemTape.registered(Self.self) { $0.floor = 0 }
    tape.at(5000, .link(false), .setLink(isUp: false), .says(.powerOff))
    #expect(tape.modem.takeFailure() == .noBearer, again(Self.self))
  }

  @Test func `A lost link that is not found again ends as searching`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(5000, .link(false), .setLink(isUp: false), .says(.registration))
    tape.play(.hears("+CREG: 0,2\r\nOK\r\n"), at: .at(5010))
    tape.live(until: 184_999, [.registration: "+CREG: 0,2\r\nOK\r\n"])
    tape.at(185_000, .deadline, .says(.powerOff))
    #expect(tape.modem.contact.failure == .searching, again(Self.self))
  }

  static let onTheWay: [@Sendable () -> ModemTape] = [
    { .searching(Self.self) }, { .registered(Self.self) }, { .attached(Self.self) },
    { .inUse(Self.self) },
  ]

  @Test(arguments: onTheWay.indices, ["+SIMCARD: NOT AVAILABLE", "+CPIN: SIM REMOVED"])
  func `A SIM that is taken out while the modem runs is missed at once`(
    _ number: Int, _ report: String
  ) {
    var tape = Self.onTheWay[number]()
    // The question that was open is answered first.
    tape.play(.hears("+CREG: 0,2\r\nOK\r\n"), at: .at(1000))
    let effects = tape.play(.hears("\(report)\r\n"), at: .at(1100))
    let down: [Effect] = number == 0 ? [] : [.setLink(isUp: false)]
    #expect(effects == down + [.says(.simStatus)], again(Self.self, "\(number) \(report);"))
    #expect(tape.modem.reason(at: .at(1100)) == .noSIM, again(Self.self))
    tape.at(1150, .hears("+CME ERROR: 10\r\n"))
    tape.at(3100, .deadline, .says(.simStatus))
    // It is back, or another one: it is asked who it is.
    tape.at(3150, .hears("+CPIN: READY\r\nOK\r\n"), .says(.subscriber))
  }

  @Test func `The reconnect floor is honoured to the millisecond`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.at(1100, .hears("OK\r\n"))
    tape.wait(until: 9000)
    #expect(tape.modem.connectableAt == .at(600_000), again(Self.self))
    tape.at(599_999, .connect)
    #expect(tape.modem.reason(at: .at(599_999)) == .reconnectFloor, again(Self.self))
    #expect(tape.modem.reason(at: .at(600_000)) == .modemOff, again(Self.self))
    tape.at(600_000, .connect, .says(.attention))
  }

  @Test func `Without a floor the board's rest between off and on still counts`() {
    var tape = ModemTape.attached(Self.self) { $0.floor = 0 }
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.at(1100, .hears("OK\r\n"))
    tape.wait(until: 9000)
    tape.at(10_999, .connect)
    tape.at(11_000, .connect, .says(.attention))
  }
}
