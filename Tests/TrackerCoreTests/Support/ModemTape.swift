import Testing

@testable import TrackerCore

extension Modem {
  var isOff: Bool { if case .off(_, .rest) = power.state { true } else { false } }
}

/// A transcript of a modem: what happens when, and what must come of it.
///
/// The board's times: PWRKEY 200 ms on and 1 s off, boot 15 s, power-off 8 s, rest 2 s.
struct ModemTape {
  enum Event {
    case connect
    case release
    case hears(String)
    case link(Bool)
    case line(Bool)
    case status(Bool)
    case deadline
    case uploadFails
    case wantsText
    case textEnds(UInt32, wasSent: Bool)
    case receiver(Bool)
  }

  /// What is not usual about a tape's modem.
  struct Setting {
    var floor = Milliseconds.minutes(10)
    var bearer = Bearer.interface
    var accessPoint: String?
    var textAfter: Milliseconds?
    var simPIN = PINState.absent
    var family = ModemFamily.sim7600
    var rest = ModemRest.off
    var hasPowerKey = true
    var mayBeOn = false
  }

  let suite: Any.Type
  var modem: Modem
  /// Whether the battery is down to its reserve.
  var isSparing = false
  private let family: ModemFamily
  private var line = ModemLineBuffer()

  init(_ suite: Any.Type, _ adjust: (inout Setting) -> Void = { _ in }) {
    self.suite = suite
    var setting = Setting()
    adjust(&setting)
    family = setting.family
    var board = Board.bench.modem
    board.family = setting.family
    board.rest = setting.rest
    board.hasPowerKey = setting.hasPowerKey
    var configuration = Configuration()
    configuration.reconnectFloor = setting.floor
    configuration.bearer = setting.bearer
    configuration.accessPoint = setting.accessPoint.flatMap { AccessPointName(Array($0.utf8).span) }
    configuration.textAfter = setting.textAfter
    configuration.textTo = PhoneNumber(Array("+34600000000".utf8).span)
    modem = Modem(
      board, configuration, simPIN: setting.simPIN, mayBeOn: setting.mayBeOn, at: .start)
  }

  /// Plays one event. Fails the test unless exactly the expected effects come of it.
  mutating func at(
    _ milliseconds: Int64, _ event: Event, _ expected: Effect...,
    location: SourceLocation = #_sourceLocation
  ) {
    let effects = play(event, at: .at(milliseconds))
    let moment = "at \(milliseconds) ms, now \(modem.power.state);"
    #expect(effects == expected, again(suite, moment), sourceLocation: location)
  }

  @discardableResult
  mutating func play(_ event: Event, at now: Instant) -> [Effect] {
    var sink = Sink()
    switch event {
    case .connect: modem.connect(isSparing: isSparing, at: now, into: &sink)
    case .release: modem.release(at: now, into: &sink)
    case .link(let isUp): modem.linkChanged(isUp: isUp, at: now, into: &sink)
    case .line(let isPresent): modem.lineChanged(isPresent: isPresent, at: now, into: &sink)
    case .status(let isOn): modem.statusChanged(isOn: isOn, at: now, into: &sink)
    case .deadline: modem.deadlineReached(at: now, into: &sink)
    case .uploadFails: modem.uploadFailed(at: now, into: &sink)
    case .wantsText: modem.considerText(at: now, into: &sink)
    case .textEnds(let id, let wasSent):
      modem.textFinished(RequestID(id), wasSent: wasSent, at: now, into: &sink)
    case .receiver(let isOn): modem.setReceiver(isOn: isOn, at: now, into: &sink)
    case .hears(let text):
      for byte in text.utf8 where line.append(byte) {
        modem.hear(ModemLine(line, family.words), at: now, into: &sink)
        line.clear()
      }
    }
    return sink.effects
  }

  /// Lets time pass: every deadline up to an instant is kept to the millisecond.
  @discardableResult
  mutating func wait(until end: Int64) -> [Effect] {
    var effects: [Effect] = []
    var last = Instant.start
    var turns = 0
    while let deadline = modem.deadline, deadline <= .at(end) {
      turns = deadline > last ? 0 : turns + 1
      last = deadline
      guard turns < 10 else {
        Issue.record(again(suite, "stuck at \(deadline) in \(modem.power.state);"))
        break
      }
      effects += play(.deadline, at: deadline)
    }
    return effects
  }

  /// Lets time pass with a modem that answers at once; `answers` are by command, OK where there is
  /// none, and nothing where it is empty.
  @discardableResult
  mutating func live(
    until end: Int64, _ answers: [ModemCommand: String] = [:]
  ) -> [(at: Int64, effect: Effect)] {
    var seen: [(at: Int64, effect: Effect)] = []
    var steps = 0
    while let deadline = modem.deadline, deadline <= .at(end), steps < 5000 {
      steps += 1
      var effects = play(.deadline, at: deadline)
      while !effects.isEmpty {
        seen += effects.map { (deadline.milliseconds, $0) }
        let said = effects.map { effect -> String in
          guard case .sendToModem(let command) = effect else { return "" }
          return answers[command] ?? Self.usual[command] ?? "OK\r\n"
        }
        effects = said.filter { !$0.isEmpty }.flatMap { play(.hears($0), at: deadline) }
      }
    }
    return seen
  }

  static let usual: [ModemCommand: String] = [
    .simStatus: "+CPIN: READY\r\n\r\nOK\r\n", .subscriber: "214070000000001\r\n\r\nOK\r\n",
    .equipment: "351602000330570\r\n\r\nOK\r\n", .registration: "+CREG: 0,1\r\n\r\nOK\r\n",
    .circuitRegistration: "+CREG: 0,1\r\n\r\nOK\r\n",
    .packetRegistration: "+CGREG: 0,1\r\n\r\nOK\r\n",
    .epsRegistration: "+CEREG: 0,1\r\n\r\nOK\r\n",
    .pinTries: "+SPIC: 3,10,3,10\r\n\r\nOK\r\n",
    .signal: "+CSQ: 15,99\r\n\r\nOK\r\n", .supply: "+CBC: 3.810V\r\n\r\nOK\r\n",
    .networkOperator: "+COPS: 0,0,\"Movistar\",7\r\n\r\nOK\r\n",
  ]

  // MARK: Brought as far as

  /// A modem that was on already, brought to where the first question is open.
  static func checkingSIM(
    _ suite: Any.Type, _ adjust: (inout Setting) -> Void = { _ in }
  ) -> ModemTape {
    var tape = ModemTape(suite, adjust)
    tape.play(.connect, at: .at(0))
    tape.play(.hears("OK\r\n"), at: .at(90))
    tape.play(.hears("OK\r\n"), at: .at(100))
    return tape
  }

  /// Asks for the registration: its identity is known.
  static func searching(
    _ suite: Any.Type, _ adjust: (inout Setting) -> Void = { _ in }
  ) -> ModemTape {
    var tape = checkingSIM(suite, adjust)
    tape.play(.hears("+CPIN: READY\r\nOK\r\n"), at: .at(200))
    tape.play(.hears("214070000000001\r\nOK\r\n351602000330570\r\nOK\r\n"), at: .at(200))
    return tape
  }

  static func registered(
    _ suite: Any.Type, _ adjust: (inout Setting) -> Void = { _ in }
  ) -> ModemTape {
    var tape = searching(suite, adjust)
    tape.play(.hears("+CREG: 0,1\r\nOK\r\n"), at: .at(300))
    tape.play(.hears("+CSQ: 15,99\r\nOK\r\n"), at: .at(310))
    tape.play(.hears("+CBC: 3.810V\r\nOK\r\n"), at: .at(320))
    tape.play(.hears("+COPS: 0,0,\"Movistar\",7\r\nOK\r\n"), at: .at(330))
    return tape
  }

  static func attached(
    _ suite: Any.Type, _ adjust: (inout Setting) -> Void = { _ in }
  ) -> ModemTape {
    var tape = registered(suite, adjust)
    tape.play(.link(true), at: .at(400))
    return tape
  }

  static func inUse(
    _ suite: Any.Type, _ adjust: (inout Setting) -> Void = { _ in }
  ) -> ModemTape {
    var tape = attached(suite, adjust)
    tape.modem.setInUse(true)
    return tape
  }
}
