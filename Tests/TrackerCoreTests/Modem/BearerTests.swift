import Testing

@testable import TrackerCore

/// The modem's own requests, and no modem at all.
@Suite struct BearerTests {
  // MARK: The modem's own HTTP

  @Test func `The modem's own requests need no interface`() {
    var tape = ModemTape.searching(Self.self) { $0.bearer = .modem }
    tape.at(250, .hears("+CREG: 0,1\r\nOK\r\n"), .says(.signal))
    #expect(!tape.modem.isReady, "the line is not free yet")
    tape.at(260, .hears("+CSQ: 15,99\r\nOK\r\n"), .note(.signal(dBm: -83)), .says(.supply))
    tape.at(
      270, .hears("+CBC: 3.8V\r\nOK\r\n"), .note(.modemSupply(millivolts: 3800)),
      .says(.networkOperator))
    tape.play(.hears("+COPS: 0\r\nOK\r\n"), at: .at(280))
    #expect(tape.modem.isReady && tape.modem.deadline == nil, again(Self.self))
    tape.at(290, .link(true))
    tape.at(1000, .release, .says(.powerOff))
  }

  @Test func `An operator that is not told costs one wait, and is never asked for again`() {
    var tape = ModemTape.searching(Self.self) {
      $0.bearer = .modem
      $0.floor = 0
    }
    tape.play(.hears("+CREG: 0,1\r\nOK\r\n+CSQ: 15,99\r\nOK\r\n"), at: .at(250))
    tape.at(
      270, .hears("+CBC: 3.8V\r\nOK\r\n"), .note(.modemSupply(millivolts: 3800)),
      .says(.networkOperator))
    tape.at(5269, .deadline)
    #expect(!tape.modem.isReady, again(Self.self))
    tape.at(5270, .deadline, .note(.networkOperator(InlineText())))
    #expect(tape.modem.isReady, again(Self.self))
    tape.play(.release, at: .at(6000))
    tape.live(until: 60_000)
    #expect(tape.modem.isOff, again(Self.self))
    tape.play(.connect, at: .at(60_000))
    tape.play(.hears("OK\r\n"), at: .at(60_010))
    let seen = tape.live(until: 90_000).map(\.effect)
    #expect(seen.contains(.says(.supply)) && tape.modem.isReady, again(Self.self))
    #expect(!seen.contains(.says(.networkOperator)), again(Self.self))
  }

  @Test func `While a request is under way the modem's lines are somebody else's`() {
    var tape = ModemTape.inUse(Self.self) { $0.bearer = .modem }
    let body = "+HTTPREAD: 60\r\nPB DONE\r\n+CREG: 0,3\r\n+CPIN: READY\r\nOK\r\nERROR\r\n"
    tape.at(5000, .hears(body))
    #expect(tape.modem.phase == .inUse, again(Self.self))
  }

  @Test func `A modem that restarts during a request begins at the SIM, and the supply is named`() {
    var tape = ModemTape.inUse(Self.self) { $0.bearer = .modem }
    tape.at(5000, .hears("RDY\r\n"), .note(.modemRestarted), .says(.attention))
    #expect(tape.modem.phase == .starting, again(Self.self))
    // The host's report on the request comes after that, and changes nothing.
    tape.at(5000, .uploadFails)
    tape.at(5050, .hears("OK\r\n"), .says(.reportErrors))
    tape.at(5100, .hears("OK\r\n"), .says(.simStatus))
  }

  @Test func `A modem that restarts before it is in the network blames the supply once`() {
    var tape = ModemTape.searching(Self.self)
    tape.at(5000, .hears("RDY\r\n"), .note(.modemRestarted), .says(.attention))
    tape.play(.hears("OK\r\nOK\r\n+CPIN: READY\r\nOK\r\nOK\r\n"), at: .at(5050))
    tape.live(until: 6000, [.registration: "+CREG: 0,2\r\nOK\r\n"])
    #expect(tape.modem.phase == .searching, again(Self.self))
    tape.at(6100, .hears("RDY\r\n"), .says(.attention))
    tape.play(.hears("OK\r\nOK\r\n+CPIN: READY\r\nOK\r\nOK\r\n"), at: .at(6150))
    tape.live(until: 7000, [.registration: "+CREG: 0,2\r\nOK\r\n"])
    // It answers: what it lacks is not an answer.
    tape.play(.hears("RDY\r\n"), at: .at(7100))
    #expect(tape.modem.reason(at: .at(7100)) != .modemSilent, again(Self.self))
  }

  @Test func `A SIM that is removed during a request is checked again at once`() {
    var tape = ModemTape.inUse(Self.self) { $0.bearer = .modem }
    tape.at(5000, .hears("+SIMCARD: NOT AVAILABLE\r\n"), .says(.simStatus))
    tape.at(5000, .uploadFails)
    tape.at(5050, .hears("+CME ERROR: 10\r\n"))
    #expect(tape.modem.reason(at: .at(5050)) == .noSIM, again(Self.self))
  }

  @Test func `A request without an answer is looked into: is there a network?`() {
    var tape = ModemTape.inUse(Self.self) { $0.bearer = .modem }
    tape.at(5000, .uploadFails, .says(.registration))
    #expect(!tape.modem.isReady, again(Self.self))
    // What the host's dialogue left behind is nobody's answer.
    tape.at(5010, .hears("OK\r\n"))
    tape.at(5050, .hears("+CREG: 0,1\r\nOK\r\n"), .says(.signal))
    tape.play(.hears("+CSQ: 15,99\r\nOK\r\n+CBC: 3.8V\r\nOK\r\nERROR\r\n"), at: .at(5100))
    #expect(tape.modem.isReady, again(Self.self))
    tape.at(6000, .link(false), .says(.registration))
    tape.at(6050, .hears("+CREG: 0,2\r\nOK\r\n"))
    #expect(tape.modem.reason(at: .at(6050)) == .searching, again(Self.self))
  }

  @Test func `With an interface a failed request says nothing about the modem`() {
    var tape = ModemTape.inUse(Self.self)
    tape.at(5000, .uploadFails)
    #expect(tape.modem.isReady, again(Self.self))
  }

  @Test func `The whole tracker sends by the modem's own requests, over lost answers too`() {
    var bench = Bench { $0.bearer = .modem }
    bench.run(seconds: 100)
    #expect(bench.received == [1], again(Self.self))
    bench.server = .losesAnswer
    bench.run(seconds: 600)
    bench.server = .accepts
    bench.run(seconds: 3000)
    #expect(bench.received == bench.sequences && bench.queue.isEmpty, again(Self.self))
    let links = bench.log.filter { if case .setLink = $0.effect { true } else { false } }
    #expect(links.isEmpty, again(Self.self))
  }

  // MARK: No modem

  @Test func `Without a modem nothing is done to one, and the link decides`() {
    var bench = Bench { $0.bearer = .none }
    bench.run(seconds: 1300)
    #expect(bench.received == [1, 2, 3] && bench.queue.isEmpty, again(Self.self))
    let orders = bench.log.filter {
      switch $0.effect {
      case .sendToModem, .pulse, .setPin, .setLight, .setLink, .sendText, .readTexts: true
      case .store, .upload, .reconcile, .fetch, .setAside, .sendToReceiver, .rememberPIN,
        .setModemBaud, .halt, .note:
        false
      }
    }
    #expect(orders.isEmpty, again(Self.self))
    #expect(bench.tracker.modemPhase == .attached, again(Self.self))
  }

  @Test func `A modem that is no bearer any more, and was left on, is switched off once`() {
    for rest in [ModemRest.off, .radioOff] {
      var board = Board.bench
      board.modem.rest = rest
      var identity = Identity.bench
      identity.hasLeftModem = true
      var bench = Bench(board: board, identity: identity) { $0.bearer = .none }
      bench.run(seconds: 1300)
      let orders = bench.log.compactMap { entry -> ModemCommand? in
        if case .sendToModem(let command) = entry.effect { command } else { nil }
      }
      #expect(orders == [rest == .off ? .powerOff : .radioOff], again(Self.self))
      #expect(bench.tracker.modemPhase == .attached, again(Self.self))
      #expect(bench.received == [1, 2, 3] && bench.queue.isEmpty, again(Self.self))
      #expect(!bench.tracker.identity.hasLeftModem, "the next start has nothing to do with it")
    }
  }

  @Test func `One that does not answer, perhaps as there is none, is left alone after a while`() {
    var board = Board.bench
    (board.modem.rest, board.modem.hasPowerKey) = (.radioOff, false)
    var identity = Identity.bench
    identity.hasLeftModem = true
    var bench = Bench(board: board, identity: identity) { $0.bearer = .none }
    bench.isModemMute = true
    bench.run(seconds: 600)
    let before = bench.log.count { if case .sendToModem = $0.effect { true } else { false } }
    bench.run(seconds: 3000)
    let after = bench.log.count { if case .sendToModem = $0.effect { true } else { false } }
    #expect(before == after && before > 10, again(Self.self, "\(before), \(after)"))
    #expect(bench.received == bench.sequences && bench.queue.isEmpty, again(Self.self))
  }

  @Test func `Without a link it says so, and sends as soon as there is one`() {
    var bench = Bench { $0.bearer = .none }
    bench.run(seconds: 100)
    bench.handle(.linkChanged(isUp: false))
    #expect(bench.tracker.modemPhase == .off, again(Self.self))
    bench.run(seconds: 1200)
    #expect(bench.tracker.sendReason == .noBearer && bench.received == [1], again(Self.self))
    bench.handle(.linkChanged(isUp: true))
    bench.run(seconds: 10)
    #expect(bench.queue.isEmpty && bench.received == bench.sequences, again(Self.self))
  }

  @Test func `A link that goes during an upload costs nothing`() {
    var bench = Bench { $0.bearer = .none }
    bench.server = .mute
    bench.run(seconds: 5)
    #expect(bench.tracker.modemPhase == .inUse, again(Self.self))
    bench.handle(.linkChanged(isUp: false))
    bench.handle(
      .uploadFinished(RequestID(1), .ambiguous, queue: QueueCounts(pending: 1)))
    #expect(bench.tracker.sendReason == .noBearer, again(Self.self))
    bench.server = .accepts
    bench.handle(.linkChanged(isUp: true))
    bench.run(seconds: 100)
    #expect(bench.received == [1] && bench.queue.isEmpty, again(Self.self))
  }

  @Test func `A modem that is not there has no line, no messages and no receiver`() {
    var board = Board.bench
    board.modem.family = .sim5320
    board.modem.rest = .radioOff
    board.modem.hasPowerKey = false
    board.receiver.dialect = .modemGPS
    var bench = Bench(board: board) {
      $0.bearer = .none
      $0.textAfter = 0
      $0.textTo = PhoneNumber(Array("112".utf8).span)
    }
    bench.server = .ends(.unreachable)
    bench.run(seconds: 100)
    bench.handle(.linkChanged(isUp: false))
    for isPresent in [true, false] {
      bench.handle(.lineChanged(.modem, isPresent: isPresent))
      bench.receive("RDY\r\n+CPIN: READY\r\n+CSQ: 15,99\r\n+CBC: 3.8V\r\nOK\r\n", from: .modem)
      bench.handle(.textFinished(RequestID(1), wasSent: true))
      bench.handle(.commandGiven(.tryPIN, from: .script))
      bench.run(seconds: 3000)
    }
    let ofModem = bench.log.filter {
      switch $0.effect {
      case .sendToModem, .pulse, .setPin, .setLight, .setLink, .sendText, .readTexts, .rememberPIN,
        .setModemBaud:
        true
      case .note(.signal), .note(.modemSupply), .note(.modemRecovery), .note(.textFinished): true
      case .store, .upload, .reconcile, .fetch, .setAside, .sendToReceiver, .halt, .note: false
      }
    }
    #expect(ofModem.isEmpty, again(Self.self, "\(ofModem)"))
    #expect(bench.tracker.modemPhase == .off, again(Self.self))
  }

  @Test func `A wire is up or down, and in use only while it is up`() {
    var wire = WiredBearer.down
    wire.setInUse(true)
    #expect(wire == .down && !wire.isUp, again(Self.self))
    wire.changed(isUp: true)
    #expect(wire == .up && wire.phase == .attached, again(Self.self))
    wire.setInUse(true)
    wire.changed(isUp: true)
    #expect(wire == .inUse && wire.isUp, again(Self.self))
    wire.setInUse(false)
    #expect(wire == .up, again(Self.self))
    wire.setInUse(true)
    wire.changed(isUp: false)
    #expect(wire == .down && wire.phase == .off, again(Self.self))
  }
}
