import ModemDialogues
import TrackerCore
import Uplink

// The modem: its key, its line, its faults, and the host's own dialogues with it.
extension World {
  /// From a command to its answer. SIMCom's manuals promise most answers within 9 s; modems give
  /// most at once.
  static let answerDelay = Milliseconds(50)
  /// Baud rate of its line; every board file has this rate.
  static let modemBaud: Int64 = 115_200
  /// From `setLink` to the bearer: radio promotion on 3G (2.0 s, AT&T Video Optimizer profile).
  static let linkDelay = Milliseconds.seconds(2)

  /// How long the modem's radio has been on.
  public var radioOnTime: Milliseconds { modem.radioOnTime(at: now) }

  /// Off, or on with its radio off.
  var isModemOff: Bool { modem.activity == .off || modem.activity == .radioOff }

  /// Registered with a network that carries data.
  var hasData: Bool {
    modem.activity == .registered && scenario.coverage.content(at: now) == nil
  }

  // These two are mutating although they only look: otherwise each call copies the whole world,
  // 6 KB, for every arrival.

  var modemMicroamps: Int32 {
    mutating get {
      switch modem.activity {
      case .off: board.loads.modemOffMicroamps
      case .starting, .stopping: board.loads.modemStartingMicroamps
      // No manual has a figure for this; idle in the network is the closest upper bound.
      case .radioOff: board.loads.modemIdleMicroamps
      case .searching: board.loads.modemSearchingMicroamps
      case .registered:
        switch modem.connection.state(at: now) {
        case .released: board.loads.modemIdleMicroamps
        case .promoting: modem.connection.figures.promotionMicroamps
        case .transferring: board.loads.transmittingMicroamps(signal: modem.signal)
        case .tail: modem.connection.figures.tailMicroamps
        }
      }
    }
  }

  /// What the radio takes around each transfer; by default nothing.
  public mutating func use(_ radio: RadioFigures) { modem.connection.figures = radio }

  /// When something is due at the modem, on its line, or in the host's dialogues with it.
  var modemDeadline: Instant {
    mutating get {
      var deadline = modem.nextDeadline ?? .distantFuture
      if let at = toModem.nextAt { deadline = min(deadline, at) }
      if let at = fromModem.nextAt { deadline = min(deadline, at) }
      if let at = modemOperations.nextDeadline { deadline = min(deadline, at) }
      if let at = modem.connection.deadline(after: now) { deadline = min(deadline, at) }
      return deadline
    }
  }

  // MARK: Input to the modem

  /// Applies the current coverage and fault of the scenario.
  mutating func applyModemScenario() {
    modem.coverage = scenario.coverage.content(at: now)
    let fault = scenario.modem.content(at: now)
    if fault != modemFault {
      switch modemFault {
      // A power-on ends that.
      case .mute, nil: break
      case .noSIM: modem.set("noSIM", false)
      case .simLocked: modem.set("locked", false)
      }
      switch fault {
      case .mute, nil: break
      case .noSIM: modem.set("noSIM")
      case .simLocked: modem.set("locked")
      }
      modemFault = fault
    }
    modem.advance(to: now)
    modemChanged()
  }

  mutating func sendToModem(_ command: ModemCommand) {
    sayToModem(modemOperations.abandon(.needed))
    takeModemResults()
    let line =
      command == .enterPIN
      ? scenario.sim.secret.flatMap { formatter.pinLine(Array($0.utf8).span) }
      : formatter.line(of: command)
    guard let line else { return }
    if modemFault == .mute { modem.fallMute() }
    // By the time of its answer that is still its voltage.
    if command == .supply, sensor == .modem {
      modem.supplyMillivolts = measuredMillivolts()
    }
    sayToModem((0..<line.count).map { line[$0] })
  }

  mutating func setModemBaud(_ baud: Int64) {
    modem.portBaud = baud
    (toModem, fromModem) = (SerialWire(baud: baud), SerialWire(baud: baud))
  }

  mutating func sayToModem(_ bytes: [UInt8]) { toModem.put(bytes, at: now) }

  // MARK: Output of the modem

  /// Does what is due, and returns what the modem has sent.
  mutating func modemTurn(into buffer: inout MutableSpan<UInt8>) -> Arrival? {
    let bytes = toModem.take(at: now)
    if bytes.isEmpty { modem.advance(to: now) } else { modem.receive(bytes, at: now) }
    modemChanged()
    sayToModem(modemOperations.deadlineReached(at: now))
    takeModemResults()
    // The wire delivers less than the size of the buffer.
    var said = fromModem.take(at: now)
    if modemOperations.isActive {
      sayToModem(modemOperations.receive(said, at: now))
      said = modemOperations.takeNews()
      takeModemResults()
    }
    guard !said.isEmpty else { return nil }
    let count = min(said.count, buffer.count)
    for index in 0..<count { buffer[index] = said[index] }
    return .bytes(count: count, from: .modem)
  }

  /// Handles its output and requests, and the effects of its state on the bearer.
  mutating func modemChanged() {
    let said = modem.takeOutput()
    if !said.isEmpty { fromModem.put(said, at: now + Self.answerDelay) }
    if let request = modem.takeRequest() { send(request) }
    reportStatus()
    if modem.activity != .registered { modem.connection.drop(at: now) }
    let wantsReceiver = !modem.flags.isReceiverOff
    if wantsReceiver != isModemReceiverOn {
      isModemReceiverOn = wantsReceiver
      controlReceiver(wantsReceiver ? .wake : .sleep)
    }
    if isLinkUp && !hasData {
      isLinkUp = false
      deliver(.linkChanged(isUp: false), at: now)
    }
    if !isBearerUp { breakExchange() }
  }

  private mutating func reportStatus() {
    guard board.modem.hasStatus, modem.isStatusActive != modemStatus else { return }
    modemStatus = modem.isStatusActive
    let event = Event.pinChanged(.modemStatus, isActive: modem.isStatusActive, since: 0)
    deliver(event, at: now)
  }

  // MARK: The host's own dialogues

  /// Sends a request by the modem's own commands, if it has any.
  mutating func sendByModem(_ request: HTTPRequest) {
    guard modemOperations.carriesRequests else {
      return plan(courier.receive(.unreachable, at: moment))
    }
    sayToModem(modemOperations.begin(request, at: now))
    takeModemResults()
  }

  /// Sends one short message with the last stored position.
  mutating func sendText(_ id: RequestID) {
    guard let textTo,
      let text = PositionText.text(
        of: lastCapture, isEmergency: emergency?.isStanding ?? false, code: callCode)
    else { return deliver(.textFinished(id, wasSent: false), at: now) }
    sayToModem(modemOperations.begin(id, to: textTo, text: text, at: now))
  }

  private var callCode: CallCode? {
    emergency.map { CallCode(device: courier.store.device, firstSequence: $0.firstSequence) }
  }

  mutating func takeModemResults() {
    while let completed = modemOperations.takeCompleted() {
      switch completed {
      case .texted(let id, let wasSent):
        if wasSent { texts += 1 }
        deliver(.textFinished(id, wasSent: wasSent), at: now)
      case .read(let id, let reading):
        let found = textTo.map { AnswerText.finding(in: reading, from: $0, to: callCode) }
        modemOperations.clear(found?.places ?? [])
        deliver(.textsRead(id, found?.outcome ?? .nothing), at: now)
      case .replied(let result):
        serverNews.transport = (result.problem, result.cause)
        plan(courier.receive(result.reply, at: moment))
        if result.isNetworkLost { deliver(.linkChanged(isUp: false), at: now) }
      }
    }
  }
}

// The bearer of the requests.
extension World {
  /// Applies the tracker's configuration; by default the bearer is an interface.
  public mutating func use(_ configuration: Configuration) {
    changes.inForce = configuration
    bearer = configuration.bearer
    textTo = configuration.textTo
    formatter = ModemCommandFormatter(
      family: board.modem.family, accessPoint: configuration.accessPoint)
    beginModemOperations()
    if bearer == .none { planned.plan(.turn, at: now) }
  }

  mutating func beginModemOperations() {
    let http =
      bearer == .modem ? ModemHTTP(family: board.modem.family, trust: .nobody) : nil
    modemOperations = ModemOperations(family: board.modem.family, http: http)
  }

  var isBearerUp: Bool {
    switch bearer {
    case .interface: isLinkUp
    case .modem: hasData
    case .none: scenario.coverage.content(at: now) == nil
    }
  }

  mutating func setLink(isUp: Bool) {
    if !isUp {
      isLinkUp = false
      sayToModem(modemOperations.abandon(.needed))
      takeModemResults()
      breakExchange()
    } else if hasData {
      isLinkUp = true
      deliver(.linkChanged(isUp: true), at: now + Self.linkDelay)
    }
  }

  /// Wi-Fi and Ethernet are up whenever there is coverage; nothing opens them.
  mutating func bearerNews() -> Event? {
    guard bearer == .none, isBearerTold != isBearerUp else { return nil }
    isBearerTold = isBearerUp
    return .linkChanged(isUp: isBearerTold)
  }
}

/// One direction of a serial line in virtual time, limited by its baud rate.
struct SerialWire: Sendable {
  private let baud: Int64?
  private var bytes: [UInt8] = []
  /// So many of them have come out.
  private var taken = 0
  private var freeAt = Instant.start
  /// Bytes come out in chunks of this size, as from a UART with a buffer.
  private static let chunk = 64

  /// - Parameter baud: bits per second, 10 per byte; `nil`: no limit.
  init(baud: Int64?) { self.baud = baud.flatMap { $0 > 0 ? $0 : nil } }

  var count: Int { bytes.count - taken }
  /// When the next bytes come out; `nil`: there are none.
  var nextAt: Instant? { bytes.isEmpty ? nil : freeAt }

  mutating func put(_ new: [UInt8], at now: Instant) {
    guard !new.isEmpty else { return }
    if bytes.isEmpty {
      freeAt = max(freeAt, now) + time(for: min(new.count, Self.chunk))
      bytes = new
    } else {
      bytes += new
    }
  }

  mutating func take(at now: Instant) -> [UInt8] {
    guard !bytes.isEmpty, freeAt <= now else { return [] }
    let first = taken
    while freeAt <= now {
      taken = baud == nil ? bytes.count : min(bytes.count, taken + Self.chunk)
      guard count > 0 else {
        defer { (bytes, taken) = ([], 0) }
        return first == 0 ? bytes : Array(bytes[first...])
      }
      freeAt = freeAt + time(for: min(count, Self.chunk))
    }
    return Array(bytes[first..<taken])
  }

  private func time(for count: Int) -> Milliseconds {
    // Rounded up, so that the line is never faster than its rate.
    Milliseconds(baud.map { (Int64(count) * 10_000 + $0 - 1) / $0 } ?? 0)
  }
}
