public import TrackerCore

/// What has happened to a running tracker, as far as its own state does not show it: the same on
/// Linux and in the simulator.
public struct StatusBoard: HostObserver {
  /// How a contact with the server last ended without an answer.
  public struct Trouble: Sendable {
    public var text: String
    public var at: Instant

    public init(text: String, at: Instant) {
      self.text = text
      self.at = at
    }
  }

  public private(set) var receiver = ReceiverMeter()
  public private(set) var memory = EventMemory()
  public private(set) var isSessionRunning = false
  public private(set) var isReceiverSilent = false
  /// When the receiver was last woken.
  public private(set) var receiverAwakeSince = Instant.start
  public private(set) var modem = ModemPhase.off
  public private(set) var modemSince = Instant.start
  public private(set) var signalDBm: Int32?
  public private(set) var lastCapture: (capture: Capture, at: Instant)?
  /// Being stored.
  private var offered: Capture?
  public private(set) var lastDelivery: (count: UInt32, at: Instant)?
  /// When the server last answered at all.
  public private(set) var lastContact: Instant?
  /// Requests without an answer since then.
  public private(set) var unanswered: Int64 = 0
  public private(set) var nextContactBy: UTC?
  public private(set) var reading: BatteryReading?
  /// The last problem with a server or with the modem, and when it was.
  public var problem: Trouble?

  public init() {}

  public mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant) {
    if role == .receiver { receiver.received(bytes, at: now) }
  }

  public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    guard case .event(let event) = arrival else { return }
    switch event {
    case .captureStored(let sequence, _):
      if let offered, offered.sequence == sequence { lastCapture = (offered, now) }
      memory.add(.captured, "\(sequence)", at: now)
    case .uploadFinished(_, let outcome, _): ended(outcome, at: now)
    case .reconcileFinished(_, let outcome, _):
      switch outcome {
      case .settled(let confirmed):
        answered(at: now)
        if confirmed > 0 { delivered(confirmed, at: now) }
      case .failed(status: 0): unheard(at: now)
      case .failed: answered(at: now)
      }
    case .batteryMeasured(let reading): self.reading = reading
    case .batteryLost:
      reading = nil
      memory.add(.batteryLost, at: now)
    case .storeFailed(let sequence): memory.add(.notStored, "\(sequence)", at: now)
    case .lineChanged(let role, let isPresent):
      memory.add(isPresent ? .portBack : .portLost, "\(role)", at: now)
    case .commandGiven(let command, let origin):
      memory.add(.ordered, "\(command.name) (\(origin))", at: now)
    case .configurationChanged: memory.add(.settingsChanged, at: now)
    case .textFinished(_, let wasSent): memory.add(.textSent, "\(wasSent)", at: now)
    case .deadlineReached, .queueChanged, .linkChanged, .pinChanged: break
    }
  }

  private mutating func ended(_ outcome: UploadOutcome, at now: Instant) {
    switch outcome {
    case .answered(let acknowledged, let refused, _, let code):
      answered(at: now)
      if acknowledged > 0 { delivered(acknowledged, at: now) }
      if refused > 0 { memory.add(.refused, "\(refused) (\(code))", at: now) }
    case .refused(let code, _, let count):
      answered(at: now)
      memory.add(.refused, "\(count) (\(code))", at: now)
    case .unauthorised:
      answered(at: now)
      memory.add(.unauthorised, at: now)
    case .busy(let status, _):
      answered(at: now)
      memory.add(.serverBusy, "\(status)", at: now)
    case .unreachable, .stalled, .ambiguous: unheard(at: now)
    case .empty: break
    }
  }

  private mutating func delivered(_ count: UInt32, at now: Instant) {
    lastDelivery = (count, now)
    memory.add(.delivered, "\(count)", at: now)
  }

  private mutating func unheard(at now: Instant) {
    unanswered += 1
    memory.add(.noAnswer, at: now)
  }

  private mutating func answered(at now: Instant) {
    lastContact = now
    unanswered = 0
  }

  public mutating func pushed(_ effect: Effect, at now: Instant) {
    switch effect {
    case .store(let capture): offered = capture
    case .upload(let request): nextContactBy = request.nextContactBy
    case .note(let note): heard(note, at: now)
    case .sendToReceiver(.wake): receiverAwakeSince = now
    case .reconcile, .setAside, .pulse, .setPin, .setLight, .sendToModem, .sendToReceiver,
      .setLink, .sendText, .rememberPIN, .remember:
      break
    }
  }

  private mutating func heard(_ note: Note, at now: Instant) {
    switch note {
    case .sessionStarted: sessionChanged(.sessionStarted, at: now)
    case .sessionStopped: sessionChanged(.sessionStopped, at: now)
    case .sessionFinished: sessionChanged(.sessionFinished, at: now)
    case .capturing(let reason): memory.capturing(reason, at: now)
    case .sending(let reason): memory.sending(reason, at: now)
    case .modem(let phase):
      remember(phase, at: now)
      modem = phase
      modemSince = now
    case .signal(let dBm): signalDBm = dBm
    case .receiverSilent:
      isReceiverSilent = true
      memory.add(.receiverSilent, at: now)
    case .receiverHeard:
      isReceiverSilent = false
      memory.add(.receiverHeard, at: now)
    case .orderEnded(let key): memory.add(.orderEnded, "\(key)", at: now)
    case .clockTrusted: memory.add(.clockTrusted, at: now)
    case .modemRecovery(let rung): memory.add(.modemRecovery, "\(rung)", at: now)
    case .modemRestarted: memory.add(.modemRestarted, at: now)
    case .accessPointRefused: memory.add(.accessPointRefused, at: now)
    case .pinRefused: memory.add(.pinRefused, at: now)
    case .externalPower(let isPresent):
      memory.add(isPresent ? .externalPower : .batteryAgain, at: now)
    // The modem's own numbers are nobody's business here.
    case .captured, .notCaptured, .fixRejected, .weekRolloverCorrected, .receiverFloods,
      .modemSupply, .subscriber, .equipment, .modemStatusContradicted, .textFinished:
      break
    }
  }

  private mutating func sessionChanged(_ phrase: EventPhrase, at now: Instant) {
    isSessionRunning = phrase == .sessionStarted
    memory.add(phrase, at: now)
  }

  /// The turning points only: between them a contact passes through all phases.
  private mutating func remember(_ phase: ModemPhase, at now: Instant) {
    switch phase {
    case .starting: memory.add(.modemOn, at: now)
    case .searching: memory.add(.searching, at: now)
    case .attached: if modem != .inUse { memory.add(.connected, at: now) }
    case .off: memory.add(.modemOff, at: now)
    case .checkingSIM, .registered, .inUse, .stopping, .faulted, .stillOn: break
    }
  }
}

extension Command {
  /// As typed, without what it is about.
  fileprivate var name: String {
    switch self {
    case .start: "start"
    case .stop: "stop"
    case .captureNow: "capture now"
    case .sendNow: "send now"
    case .setTeam: "set team"
    case .tryPIN: "pin try"
    case .unsetTeam: "unset team"
    }
  }
}
