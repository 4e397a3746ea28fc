import Testing

@testable import TrackerCore

/// SIM, network and bearer: had, refused, lost.
@Suite struct ModemNetworkTests {
  @Test(arguments: [
    ("+CME ERROR: 10", Reason.noSIM), ("+CME ERROR: 13", .noSIM), ("ERROR", .noSIM),
    ("+CME ERROR: SIM not inserted", .noSIM), ("+CME ERROR: 11", .simLocked),
    ("+CPIN: SIM PIN", .simLocked), ("+CPIN: SIM PUK", .simLocked), ("+CME ERROR: 12", .simLocked),
    ("+CME ERROR: SIM PIN required", .simLocked), ("+CME ERROR: SIM PUK required", .simLocked),
  ])
  func `A SIM that is missing or locked is named, asked for 20 s, and given up`(
    _ answer: String, _ reason: Reason
  ) {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(150, .hears("\(answer)\r\n"))
    #expect(tape.modem.reason(at: .at(150)) == reason, again(Self.self, answer))
    let asked = tape.wait(until: 20_099)
    #expect(asked == Array(repeating: .says(.simStatus), count: 9), again(Self.self, answer))
    tape.at(20_100, .deadline, .says(.powerOff))
    #expect(tape.modem.failure == reason, again(Self.self, answer))
    #expect(tape.modem.phase == .stopping, again(Self.self, answer))
  }

  @Test func `A SIM that is ready late is welcome`() {
    var tape = ModemTape.checkingSIM(Self.self)
    tape.at(150, .hears("+CME ERROR: 14\r\n"))
    tape.at(2100, .deadline, .says(.simStatus))
    tape.at(2150, .hears("+CPIN: READY\r\n"), .says(.registration))
    #expect(tape.modem.reason(at: .at(2150)) == .searching, again(Self.self))
  }

  @Test(arguments: [
    ("+CREG: 0,3", Reason.registrationDenied), ("+CREG: 0,8", .registrationDenied),
    ("+CREG: 0,2", .searching), ("+CREG: 0,0", .searching), ("+CREG: 0,4", .searching),
    ("+CEREG: 0,3", .registrationDenied), ("+CREG: 3", .registrationDenied),
    ("+CREG: 2,3,\"00C3\",\"0F2A\"", .registrationDenied), ("+CREG: 0,77", .searching),
    ("+CREG:", .searching),
  ])
  func `Without a network the search ends after three minutes and says why`(
    _ answer: String, _ reason: Reason
  ) {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("\(answer)\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(250)) == reason, again(Self.self, answer))
    let asked = tape.wait(until: 180_199)
    #expect(asked == Array(repeating: .says(.registration), count: 89), again(Self.self, answer))
    tape.at(180_200, .deadline, .says(.powerOff))
    #expect(tape.modem.failure == reason, again(Self.self, answer))
  }

  @Test func `A network that refused may accept later in the same search`() {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("+CREG: 0,3\r\n"))
    tape.at(5000, .hears("+CREG: 1\r\n"), .setLink(isUp: true))
    #expect(tape.modem.reason(at: .at(5000)) == .noBearer, again(Self.self))
  }

  @Test func `A bearer that never comes up is given up after a minute`() {
    var tape = ModemTape.registered(Self.self)
    tape.at(60_299, .deadline)
    tape.at(60_300, .deadline, .setLink(isUp: false), .says(.powerOff))
    #expect(tape.modem.failure == .noBearer, again(Self.self))
  }

  @Test(arguments: [false, true])
  func `A link that is lost is searched for again, without a new contact`(_ inUse: Bool) {
    var tape = ModemTape.attached(Self.self)
    tape.modem.setInUse(inUse)
    tape.at(5000, .link(false), .says(.registration))
    #expect(tape.modem.reason(at: .at(5000)) == .searching, again(Self.self))
    tape.at(5100, .hears("+CREG: 0,1\r\n"), .setLink(isUp: true))
    tape.at(7000, .link(true))
    #expect(tape.modem.isReady, again(Self.self))
  }

  @Test func `A lost link that is not found again ends as searching`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(5000, .link(false), .says(.registration))
    _ = tape.wait(until: 184_999)
    tape.at(185_000, .deadline, .says(.powerOff))
    #expect(tape.modem.failure == .searching, again(Self.self))
  }

  @Test func `The reconnect floor is honoured to the millisecond`() {
    var tape = ModemTape.attached(Self.self)
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    _ = tape.wait(until: 9000)
    #expect(tape.modem.connectableAt == .at(600_000), again(Self.self))
    tape.at(599_999, .connect)
    #expect(tape.modem.reason(at: .at(599_999)) == .reconnectFloor, again(Self.self))
    #expect(tape.modem.reason(at: .at(600_000)) == .modemOff, again(Self.self))
    tape.at(600_000, .connect, .says(.attention))
  }

  @Test func `Without a floor the board's rest between off and on still counts`() {
    var tape = ModemTape.attached(Self.self, floor: 0)
    tape.at(1000, .release, .setLink(isUp: false), .says(.powerOff))
    _ = tape.wait(until: 9000)
    tape.at(10_999, .connect)
    tape.at(11_000, .connect, .says(.attention))
  }
}
