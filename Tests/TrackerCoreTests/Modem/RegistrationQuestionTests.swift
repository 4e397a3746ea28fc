import Testing

@testable import TrackerCore

/// How a modem is asked for its registration: in one line, and otherwise domain by domain.
@Suite struct RegistrationQuestionTests {
  static let error = "ERROR\r\n"
  static let searching = "+CREG: 0,2\r\nOK\r\n"

  @Test(arguments: [
    "ERROR", "+CME ERROR: 30", "+CREG: 0,1\r\nERROR", "OK", "+CREG: 0,77\r\nOK", "+CREG:\r\nOK",
  ])
  func `A modem that refuses the line is asked one by one, and so ever after`(_ answer: String) {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("\(answer)\r\n"), .says(.circuitRegistration))
    tape.at(260, .hears("ERROR\r\n"), .says(.packetRegistration))
    tape.at(270, .hears("ERROR\r\n"), .says(.epsRegistration))
    tape.at(280, .hears("+CEREG: 0,2\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(280)) == .searching, again(Self.self, answer))
    tape.at(2270, .deadline, .says(.circuitRegistration))
    tape.at(2280, .hears("+CREG: 0,2\r\nOK\r\n"), .says(.packetRegistration))
    tape.at(2290, .hears("+CGREG: 0,0\r\nOK\r\n"), .says(.epsRegistration))
    tape.at(
      2300, .hears("+CEREG: 0,1\r\nOK\r\n"), .setLink(isUp: true), .says(.signal))
    tape.at(3000, .release, .setLink(isUp: false), .says(.powerOff))
    tape.live(until: 600_000)
    tape.play(.connect, at: .at(600_000))
    tape.play(.hears("OK\r\n"), at: .at(600_010))
    let next = tape.live(until: 600_100).map(\.effect)
    #expect(!next.contains(.says(.registration)), again(Self.self, answer))
  }

  @Test func `The answers of a round are judged together`() {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("ERROR\r\n"), .says(.circuitRegistration))
    // Calls alone: that data are refused is said only by the last answer.
    tape.at(260, .hears("+CREG: 0,1\r\nOK\r\n"), .says(.packetRegistration))
    tape.at(270, .hears("+CGREG: 0,3\r\nOK\r\n"), .says(.epsRegistration))
    tape.at(280, .hears("+CEREG: 0,3\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(280)) == .registrationDenied, again(Self.self))
  }

  @Test func `A single question without an answer is repeated`() {
    var tape = ModemTape.searching(Self.self)
    tape.at(250, .hears("ERROR\r\n"), .says(.circuitRegistration))
    tape.at(260, .hears("+CREG: 0,2\r\nOK\r\n"), .says(.packetRegistration))
    tape.at(5260, .deadline, .note(.modemRecovery(.askAgain)), .says(.packetRegistration))
    tape.at(5300, .hears("+CGREG: 0,1\r\nOK\r\n"), .says(.epsRegistration))
    tape.at(5310, .hears("ERROR\r\n"), .setLink(isUp: true), .says(.signal))
  }

  @Test func `One that refuses every question is tried after half a minute`() {
    var tape = ModemTape.searching(Self.self)
    let deaf: [ModemCommand: String] = [
      .registration: Self.error, .circuitRegistration: Self.error,
      .packetRegistration: Self.error, .epsRegistration: Self.error,
    ]
    tape.play(.hears(Self.error), at: .at(250))
    tape.play(.hears(Self.error), at: .at(251))
    tape.play(.hears(Self.error), at: .at(252))
    tape.play(.hears(Self.error), at: .at(253))
    #expect(tape.modem.phase == .searching, again(Self.self))
    let early = tape.live(until: 30_199, deaf).map(\.effect)
    #expect(!early.contains(.setLink(isUp: true)), again(Self.self))
    let late = tape.live(until: 33_000, deaf).map(\.effect)
    #expect(late.contains(.setLink(isUp: true)), again(Self.self))
  }

  @Test func `One that answers one of them is not tried blindly`() {
    var tape = ModemTape.searching(Self.self)
    tape.play(.hears(Self.error), at: .at(250))
    let answers: [ModemCommand: String] = [
      .circuitRegistration: Self.error, .packetRegistration: Self.error,
      .epsRegistration: "+CEREG: 0,2\r\nOK\r\n",
    ]
    tape.play(.hears(Self.error + Self.error + "+CEREG: 0,2\r\nOK\r\n"), at: .at(251))
    let seen = tape.live(until: 180_000, answers).map(\.effect)
    #expect(!seen.contains(.setLink(isUp: true)), again(Self.self))
  }
}
