@testable import TrackerCore

/// A modem to which everything happens at random, from a seed: its board, its network, its SIM, its
/// port, its host and its own mistakes.
struct ModemFuzz {
  private(set) var modem: Modem
  private let words: ModemStrings
  private var seeded: Seeded
  private var now: Int64 = 0
  /// What it was last asked, and how often out of a hundred times it answers.
  private var asked: ModemCommand?
  private let obedience: UInt64
  private let hasStatus: Bool
  private var text = RequestID(0)

  init(seed: UInt64) {
    var seeded = Seeded(seed)
    var board = Board.bench.modem
    board.family = .sim7600
    board.rest = seeded.chance(50) ? .off : .radioOff
    board.hasPowerKey = seeded.chance(70)
    if seeded.chance(30) { board.offOnGap = 0 }
    var configuration = Configuration()
    configuration.bearer = seeded.chance(60) ? .interface : .modem
    configuration.reconnectFloor = seeded.one(of: [0, .seconds(30), .minutes(10)])
    configuration.textTo = PhoneNumber(Array("112".utf8).span)
    if seeded.chance(60) { configuration.textAfter = seeded.one(of: [0, .seconds(30)]) }
    obedience = seeded.one(of: [95, 80, 50])
    words = board.family.words
    hasStatus = seeded.chance(30)
    let simPIN = seeded.one(of: [PINState.absent, .untried, .tried])
    self.seeded = seeded
    modem = Modem(board, configuration, simPIN: simPIN, at: .start)
  }

  /// One thing happens.
  mutating func step() {
    var sink = Sink()
    let question = asked
    asked = nil
    if let question, seeded.chance(obedience) {
      now += seeded.chance(80) ? 10 : 4000
      for line in answer(to: question) { hear(line, into: &sink) }
    } else if seeded.chance(40) {
      let deadline = seeded.chance(90) ? modem.deadline : nil
      now = deadline.map { max(now, $0.milliseconds) } ?? now + Int64(seeded.next() % 200_000)
      modem.deadlineReached(at: .at(now), into: &sink)
    } else {
      if seeded.chance(30) { now += Int64(seeded.next() % 20_000) }
      disturb(into: &sink)
    }
    for effect in sink.effects {
      if case .sendToModem(let command) = effect { asked = command }
      if case .sendText(let id) = effect { text = id }
      if case .readTexts(let id) = effect { text = id }
    }
  }

  private mutating func disturb(into sink: inout Sink) {
    let now = Instant.at(now)
    switch seeded.next() % 40 {
    case 0..<8: modem.connect(isSparing: seeded.one(of: [false, true]), at: now, into: &sink)
    case 8, 9: modem.release(at: now, into: &sink)
    case 10: modem.linkChanged(isUp: false, at: now, into: &sink)
    case 11..<15: modem.linkChanged(isUp: true, at: now, into: &sink)
    case 15, 16: modem.lineChanged(isPresent: seeded.chance(50), at: now, into: &sink)
    case 17: modem.uploadFailed(at: now, into: &sink)
    case 18, 19: modem.considerText(at: now, into: &sink)
    case 20..<24: modem.textFinished(text, wasSent: seeded.chance(50), at: now, into: &sink)
    case 30: _ = modem.textsRead(text, .nothing, at: now, into: &sink)
    case 31:
      _ = modem.textsRead(text, .answered(by: InlineText("Marta")), at: now, into: &sink)
    case 24, 25: modem.setReceiver(isOn: seeded.chance(50), at: now, into: &sink)
    case 26, 27: modem.setInUse(seeded.chance(50))
    case 28: modem.tryPIN()
    case 29 where hasStatus:
      modem.statusChanged(isOn: seeded.chance(50), at: now, into: &sink)
    default:
      let lines = [
        "RDY", "PB DONE", "+CPIN: NOT READY", "+CPIN: READY", "OK", "ERROR", "+CREG: 0,3", "ATE0",
      ]
      hear(seeded.one(of: lines), into: &sink)
    }
  }

  private mutating func answer(to command: ModemCommand) -> [String] {
    let lines: [String] =
      switch command {
      case .simStatus:
        seeded.one(of: [
          ["+CPIN: READY", "OK"], ["+CPIN: READY", "OK"], ["+CPIN: READY", "OK"],
          ["+CPIN: SIM PIN", "OK"], ["+CPIN: SIM PUK", "OK"], ["+CME ERROR: 10"],
          ["+CME ERROR: 14"],
        ])
      case .registration:
        seeded.one(of: [
          ["+CREG: 0,1", "OK"], ["+CREG: 0,1", "OK"], ["+CREG: 0,1", "+CGREG: 0,3", "OK"],
          ["+CREG: 0,2", "OK"], ["+CREG: 0,1", "+CGREG: 0,2", "+CEREG: 0,5", "OK"], ["ERROR"],
        ])
      case .circuitRegistration: seeded.one(of: [["+CREG: 0,1", "OK"], ["ERROR"]])
      case .packetRegistration: seeded.one(of: [["+CGREG: 0,3", "OK"], ["ERROR"]])
      case .epsRegistration: seeded.one(of: [["+CEREG: 0,1", "OK"], ["ERROR"]])
      case .pinTries: seeded.one(of: [["+SPIC: 3,10,3,10", "OK"], ["ERROR"]])
      case .enterPIN: seeded.one(of: [["OK"], ["+CME ERROR: 16"]])
      case .networkOperator:
        seeded.one(of: [["+COPS: 0,0,\"Movistar\",7", "OK"], ["+COPS: 0", "OK"], ["ERROR"], []])
      case .attention, .reportErrors, .subscriber, .equipment, .definePDP, .signal, .supply,
        .radioOn, .radioOff, .reset, .powerOff, .receiverOn, .receiverOff, .wordAnswers,
        .storeTexts, .minimumFunction:
        (ModemTape.usual[command] ?? "OK").split(whereSeparator: \.isNewline).map(String.init)
      }
    // Now and then the rest of an answer is lost.
    return seeded.chance(5) ? Array(lines.prefix(1)) : lines
  }

  private mutating func hear(_ text: String, into sink: inout Sink) {
    var line = ModemLineBuffer()
    for byte in (text + "\r").utf8 where line.append(byte) {
      modem.hear(ModemLine(line, words), at: .at(now), into: &sink)
    }
  }
}

extension Seeded {
  mutating func one<Value>(of values: [Value]) -> Value {
    values[Int(next() % UInt64(values.count))]
  }
}
