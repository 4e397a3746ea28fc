import Testing

@testable import TrackerCore

/// One command at a time, and whose answer is whose.
@Suite struct ATEngineTests {
  /// An engine, and what it has said.
  private struct Talk {
    var engine = ATEngine()
    var said: [ModemCommand] = []

    mutating func send(_ command: ModemCommand, at now: Int64 = 0) {
      var sink = Sink()
      engine.send(command, at: .at(now), into: &sink)
      take(sink)
    }

    mutating func insist(_ command: ModemCommand, at now: Int64) {
      var sink = Sink()
      engine.insist(command, at: .at(now), into: &sink)
      take(sink)
    }

    mutating func hear(_ lines: String, at now: Int64 = 0) -> [ATEngine.Outcome] {
      var outcomes: [ATEngine.Outcome] = []
      var buffer = ModemLineBuffer()
      for byte in (lines + "\r").utf8 where buffer.append(byte) {
        var sink = Sink()
        outcomes.append(engine.hear(ModemLine(buffer), at: .at(now), into: &sink))
        take(sink)
        buffer.clear()
      }
      return outcomes.filter { $0 != .nothing }
    }

    private mutating func take(_ sink: Sink) {
      for case .sendToModem(let command) in sink.effects { said.append(command) }
    }
  }

  @Test func `An answer ends a command, and an error too`() {
    var talk = Talk()
    talk.send(.definePDP)
    #expect(talk.hear("OK") == [.done(.definePDP)], again(Self.self))
    talk.send(.definePDP)
    #expect(talk.hear("ERROR") == [.failed(.definePDP, code: nil)], again(Self.self))
    talk.send(.enterPIN)
    #expect(talk.hear("+CME ERROR: 16") == [.failed(.enterPIN, code: 16)], again(Self.self))
    #expect(talk.engine.isIdle && talk.hear("OK").isEmpty, again(Self.self))
  }

  @Test func `A question's line comes first, with anything in between`() {
    var talk = Talk()
    talk.send(.simStatus)
    let outcomes = talk.hear("+CSQ: 15,99\r+CPIN: READY\rRING\r\r+CMTI: \"SM\",3\rOK")
    let expected: [ATEngine.Outcome] = [
      .told(.signal(dBm: -83)), .told(.sim(.ready)), .done(.simStatus),
    ]
    #expect(outcomes == expected, again(Self.self))
    talk.send(.subscriber)
    #expect(
      talk.hear("214070000000001\rOK")
        == [.told(.digits(InlineText("214070000000001"))), .done(.subscriber)], again(Self.self))
  }

  @Test func `An OK without the line that was asked for is no answer of use`() {
    var talk = Talk()
    talk.send(.signal)
    #expect(talk.hear("OK") == [.failed(.signal, code: nil)], again(Self.self))
  }

  @Test func `What a modem says when it starts answers no question`() {
    var talk = Talk()
    talk.send(.signal)
    #expect(
      talk.hear("PB DONE\rOK") == [.told(.ready), .failed(.signal, code: nil)], again(Self.self))
  }

  @Test func `A command that is given up for another is owed its answer`() {
    var talk = Talk()
    talk.send(.definePDP)
    talk.send(.enterPIN)
    #expect(talk.said == [.definePDP, .signal], again(Self.self))
    _ = talk.hear("OK\r+CSQ: 99,99\rOK")
    #expect(talk.said.last == .enterPIN && talk.engine.isInStep, again(Self.self))
  }

  @Test func `Digits that nobody asked for are left out`() {
    var talk = Talk()
    #expect(talk.hear("214070000000001").isEmpty, again(Self.self))
    talk.send(.signal)
    #expect(talk.hear("214070000000001").isEmpty, again(Self.self))
  }

  @Test func `Silence ends a command to the millisecond`() {
    var talk = Talk()
    talk.send(.simStatus, at: 1000)
    #expect(talk.engine.deadline == .at(6000), again(Self.self))
    #expect(talk.engine.deadlineReached(at: .at(5999)) == .nothing, again(Self.self))
    #expect(talk.engine.deadlineReached(at: .at(6000)) == .silent(.simStatus), again(Self.self))
    #expect(talk.engine.silences == 1 && talk.engine.isIdle, again(Self.self))
    talk.send(.attention, at: 6000)
    #expect(talk.engine.deadline == .at(7000), again(Self.self))
    talk.send(.radioOff, at: 7000)
    // First the question that brings it into step, and then what takes longer.
    #expect(talk.said.last == .signal && talk.engine.deadline == .at(12_000), again(Self.self))
    _ = talk.hear("+CSQ: 15,99\rOK", at: 8000)
    #expect(talk.said.last == .radioOff && talk.engine.deadline == .at(18_000), again(Self.self))
  }

  @Test func `A late answer is not the next command's`() {
    var talk = Talk()
    talk.send(.definePDP)
    _ = talk.engine.deadlineReached(at: .at(5000))
    #expect(!talk.engine.isInStep, again(Self.self))
    talk.send(.enterPIN, at: 5000)
    #expect(talk.said == [.definePDP, .signal], again(Self.self))
    // The late one of definePDP.
    #expect(talk.hear("ERROR").isEmpty && talk.hear("OK").isEmpty, again(Self.self))
    #expect(talk.hear("+CSQ: 99,99") == [.told(.signal(dBm: nil))], again(Self.self))
    #expect(talk.hear("OK").isEmpty, again(Self.self))
    #expect(talk.said == [.definePDP, .signal, .enterPIN] && talk.engine.isInStep)
    #expect(talk.hear("OK") == [.done(.enterPIN)], again(Self.self))
  }

  @Test func `A late answer to a question does not put the engine into step`() {
    var talk = Talk()
    talk.send(.simStatus)
    _ = talk.engine.deadlineReached(at: .at(5000))
    talk.send(.simStatus, at: 5000)
    let ready: [ATEngine.Outcome] = [.told(.sim(.ready)), .done(.simStatus)]
    #expect(talk.hear("+CPIN: READY\rOK") == ready, again(Self.self))
    #expect(!talk.engine.isInStep, "it may have been the first question's")
    talk.send(.subscriber, at: 5100)
    #expect(talk.said.last == .signal, again(Self.self))
    // The second question's, and then the one in between.
    _ = talk.hear("+CPIN: READY\rOK\r+CSQ: 15,99\rOK")
    #expect(talk.said.last == .subscriber && talk.engine.isInStep, again(Self.self))
  }

  @Test func `Late digits are nobody's`() {
    var talk = Talk()
    talk.send(.subscriber)
    _ = talk.engine.deadlineReached(at: .at(5000))
    talk.send(.equipment, at: 5000)
    #expect(talk.hear("214070000000001\rOK").isEmpty, again(Self.self))
    _ = talk.hear("+CSQ: 15,99\rOK")
    #expect(
      talk.hear("351602000330570\rOK")
        == [.told(.digits(InlineText("351602000330570"))), .done(.equipment)], again(Self.self))
  }

  @Test func `A question that brings it into step and is not answered is another one's silence`() {
    var talk = Talk()
    talk.send(.definePDP)
    _ = talk.engine.deadlineReached(at: .at(5000))
    talk.send(.definePDP, at: 5000)
    #expect(talk.engine.deadlineReached(at: .at(10_000)) == .silent(.definePDP), again(Self.self))
    talk.send(.definePDP, at: 10_000)
    #expect(talk.said == [.definePDP, .signal, .supply], again(Self.self))
    _ = talk.engine.deadlineReached(at: .at(15_000))
    #expect(talk.engine.silences == 3, again(Self.self))
    talk.send(.definePDP, at: 15_000)
    #expect(talk.said.last == .simStatus, again(Self.self))
    _ = talk.engine.deadlineReached(at: .at(20_000))
    talk.send(.definePDP, at: 20_000)
    #expect(talk.said.last == .definePDP, "nothing is left to ask")
  }

  @Test func `An order is not waited for, and leaves the engine out of step`() {
    var talk = Talk()
    talk.send(.simStatus)
    var sink = Sink()
    talk.engine.order(.powerOff, into: &sink)
    #expect(sink.effects == [.says(.powerOff)] && talk.engine.isIdle, again(Self.self))
    #expect(talk.hear("OK").isEmpty && !talk.engine.isInStep, again(Self.self))
  }

  @Test func `An echo is heard until it is switched off`() {
    var talk = Talk()
    #expect(!talk.engine.hasEcho, again(Self.self))
    talk.send(.attention)
    #expect(talk.hear("ATE0\rOK") == [.done(.attention)], again(Self.self))
    #expect(!talk.engine.hasEcho, "that of the switch itself")
    talk.send(.simStatus)
    _ = talk.hear("AT+CPIN?\r+CPIN: SIM PIN\rOK")
    #expect(talk.engine.hasEcho, again(Self.self))
    talk.send(.attention)
    #expect(!talk.engine.hasEcho, again(Self.self))
  }

  @Test func `A modem that is slow gets more time, and the usual time when it is fast again`() {
    var talk = Talk()
    talk.send(.signal, at: 0)
    #expect(talk.engine.deadlineReached(at: .at(5000)) == .silent(.signal), again(Self.self))
    talk.send(.supply, at: 5000)
    // The first one's answer.
    _ = talk.hear("+CSQ: 15,99\rOK", at: 7000)
    #expect(talk.engine.isSlow && talk.engine.deadline == .at(21_000), again(Self.self))
    _ = talk.hear("+CBC: 3.810V\rOK", at: 14_000)
    #expect(talk.engine.limit(of: .signal) == 14_000, again(Self.self))
    talk.send(.signal, at: 14_000)
    _ = talk.hear("+CSQ: 15,99\rOK", at: 30_000)
    #expect(talk.engine.limit(of: .signal) == Bounds.slowestAnswer, again(Self.self))
    talk.send(.signal, at: 30_000)
    _ = talk.hear("+CSQ: 15,99\rOK", at: 30_100)
    #expect(talk.engine.limit(of: .signal) == Bounds.answerLimit, again(Self.self))
  }

  @Test func `An OK that may be an earlier command's does not make a slow modem seem fast`() {
    var talk = Talk()
    talk.send(.signal)
    _ = talk.hear("+CSQ: 15,99\rOK", at: 7000)
    talk.send(.signal, at: 7000)
    talk.insist(.radioOff, at: 13_000)
    // The signal's, though it is taken for the one that came last.
    #expect(talk.hear("+CSQ: 15,99\rOK", at: 14_000).last == .done(.radioOff), again(Self.self))
    #expect(talk.engine.isSlow, again(Self.self))
  }

  @Test func `The tries left are asked for when an OK is certainly the answer`() {
    var talk = Talk()
    talk.send(.simStatus)
    _ = talk.hear("+CPIN: SIM PIN")
    #expect(talk.engine.deadlineReached(at: .at(5000)) == .done(.simStatus), again(Self.self))
    talk.send(.pinTries, at: 5000)
    // It may be the OK that was missing.
    #expect(talk.hear("OK", at: 5010).isEmpty, again(Self.self))
    #expect(talk.engine.deadlineReached(at: .at(10_000)) == .silent(.pinTries), again(Self.self))
    talk.send(.pinTries, at: 10_000)
    #expect(talk.said == [.simStatus, .pinTries, .signal], again(Self.self))
    _ = talk.hear("+CSQ: 15,99\rOK", at: 10_010)
    #expect(talk.said.last == .pinTries, again(Self.self))
    #expect(talk.hear("OK", at: 10_020) == [.failed(.pinTries, code: nil)], again(Self.self))
  }
}
