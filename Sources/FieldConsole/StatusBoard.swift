public import Courses
public import NMEA
public import TrackerCore
public import Wording

/// What has happened to a running tracker that its own state does not show; the same on Linux and
/// in the simulator.
public struct StatusBoard: HostObserver {
  /// How a contact with the server last ended without an answer.
  public struct Trouble: Sendable {
    var text: Texts
    /// `nil`: unknown.
    var cause: FailureCause?
    /// Scheme, host and port of the server; empty: not known.
    var server: String
    var at: Instant

    public init(text: Texts, cause: FailureCause?, of server: String = "", at: Instant) {
      self.text = text
      self.cause = cause
      self.server = server
      self.at = at
    }
  }

  private(set) var receiver = ReceiverMeter()
  public private(set) var events: EventMemory
  public private(set) var isSessionRunning = false
  /// The control room wants the team to call it.
  public private(set) var isCallAsked = false
  private(set) var isReceiverSilent = false
  /// When the receiver was last woken.
  private(set) var receiverAwakeSince = Instant.start
  private(set) var modem = ModemPhase.off
  private(set) var modemSince = Instant.start
  /// It refuses to switch its radio off, and nothing else can.
  private(set) var isRadioStuck = false
  private(set) var signalDBm: Int32?
  /// `nil`: the modem did not report it.
  private(set) var networkOperator: String?
  /// When it last searched for a network or was in one, so that its SIM was accepted.
  private var simReadyAt: Instant?
  /// When it was last in the network.
  private var registeredAt: Instant?
  public private(set) var lastCapture: (capture: Capture, at: Instant)?
  /// The capture that is being stored.
  private var offered: Capture?
  private(set) var lastDelivery: (count: UInt32, at: Instant)?
  /// When the server last answered at all.
  private(set) var lastContact: Instant?
  /// Requests without an answer since then, and the server of the last one if it is to blame.
  private(set) var unanswered: Int64 = 0
  private(set) var silentServer: String?
  private(set) var nextContactBy: UTC?
  /// `nil`: the tracker has none.
  public var course: MappedCourse?
  public private(set) var reading: BatteryReading?
  /// What only a person can remove, as last reported, until it is gone: between two attempts the
  /// tracker gives other reasons.
  private(set) var obstacle: Reason?
  /// The last problem with a server or with the modem, and when it was.
  private(set) var problem: Trouble?
  private(set) var streak = FailureStreak()

  /// What the tracker last remembered.
  public private(set) var memory: Memory
  /// As of the last time that the date became trusted.
  private var clock: (utc: UTC, at: Instant)?

  public init(memory: Memory = Memory(), events: EventMemory = EventMemory()) {
    self.memory = memory
    self.events = events
  }

  /// A problem was reported to people.
  public mutating func learned(_ trouble: Trouble) {
    problem = trouble
    silentServer = trouble.cause?.isOfServer == true ? trouble.server : nil
    if let lastDelivery, lastDelivery.at >= trouble.at { return }
    streak.learned(trouble.cause, at: trouble.at)
  }

  /// The tracker is told to end.
  public mutating func end(at now: Instant) { events.end(at: now) }

  /// How long ago the modem's SIM was last accepted, and how long ago it was in the network.
  func simReady(at now: Instant) -> Milliseconds? {
    modem.isPast(.sim) ? 0 : simReadyAt.map { now - $0 }
  }
  func registered(at now: Instant) -> Milliseconds? {
    modem.isPast(.network) ? 0 : registeredAt.map { now - $0 }
  }

  /// The date, once one was trusted.
  public func date(at now: Instant) -> UTC? { clock.map { $0.utc + (now - $0.at) } }

  /// How long ago a moment was, if known.
  public func age(of moment: Moment, at now: Instant) -> Milliseconds? {
    moment.age(at: now, date: date(at: now))
  }

  public mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant) {
    if role == .receiver { receiver.received(bytes.count, at: now) }
  }

  public mutating func heard(
    _ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>, at now: Instant
  ) {
    receiver.satellites.heard(kind, talker, fields, at: now)
  }
  public mutating func heard(_ report: Epoch, at now: Instant) { receiver.heard(report) }
  public mutating func heard(_ counts: SentenceCounts, at now: Instant) {
    receiver.heard(counts)
  }

  public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    if case .newSettings = arrival { events.add(.settingsChanged, at: now) }
    guard case .event(let event) = arrival else { return }
    switch event {
    case .captureStored(let sequence, _):
      if let offered, offered.sequence == sequence { lastCapture = (offered, now) }
      events.add(.captured, "\(sequence)", at: now)
    case .uploadFinished(_, let outcome, _): ended(outcome, at: now)
    case .reconcileFinished(_, let outcome, _):
      switch outcome {
      // There was nothing to ask a server about.
      case .settled(confirmed: 0): break
      case .settled(let confirmed):
        answered(at: now)
        delivered(confirmed, at: now)
      case .failed(status: 0): unheard(at: now)
      case .failed:
        answered(at: now)
        streak.failed(at: now)
      }
    case .batteryMeasured(let reading): self.reading = reading
    case .batteryLost:
      reading = nil
      events.add(.batteryLost, at: now)
    case .storeFailed(let sequence): events.add(.notStored, "\(sequence)", at: now)
    case .lineChanged(let role, let isPresent):
      if role == .receiver, isPresent { receiverAwakeSince = now }
      events.add(isPresent ? .portBack : .portLost, "\(role)", at: now)
    case .commandGiven(let command, let origin):
      events.add(.ordered, "\(command.name) (\(origin))", at: now)
    case .textFinished(_, let wasSent): events.add(.textSent, "\(wasSent)", at: now)
    case .linkChanged(isUp: false): streak.lostNetwork()
    case .haltRefused: events.stayAwake(at: now)
    case .deadlineReached, .textsRead, .fetchFinished, .queueChanged, .linkChanged(isUp: true),
      .pinChanged:
      break
    }
  }

  private mutating func ended(_ outcome: UploadOutcome, at now: Instant) {
    switch outcome {
    case .answered, .empty: break
    case .refused, .unauthorised, .busy, .unreachable, .stalled, .ambiguous: streak.failed(at: now)
    }
    switch outcome {
    case .answered(let acknowledged, let refused, _, let code):
      answered(at: now)
      if acknowledged > 0 { delivered(acknowledged, at: now) }
      if refused > 0 { events.add(.refused, "\(refused) (\(code))", at: now) }
    case .refused(let code, _, let count):
      answered(at: now)
      events.add(.refused, "\(count) (\(code))", at: now)
    case .unauthorised:
      answered(at: now)
      events.add(.unauthorised, at: now)
    case .busy(let status, _):
      answered(at: now)
      events.add(.serverBusy, "\(status)", at: now)
    case .unreachable, .stalled, .ambiguous: unheard(at: now)
    case .empty: break
    }
  }

  private mutating func delivered(_ count: UInt32, at now: Instant) {
    lastDelivery = (count, now)
    obstacle = nil
    streak.delivered()
    events.add(.delivered, "\(count)", at: now)
  }

  private mutating func unheard(at now: Instant) {
    unanswered += 1
    events.add(.noAnswer, at: now)
  }

  private mutating func answered(at now: Instant) {
    lastContact = now
    unanswered = 0
    silentServer = nil
  }

  public mutating func pushed(_ effect: Effect, at now: Instant) {
    switch effect {
    case .store(let capture): offered = capture
    case .upload(let request): nextContactBy = request.nextContactBy
    case .note(let note): heard(note, at: now)
    case .sendToReceiver(.wake): receiverAwakeSince = now
    case .reconcile, .fetch, .setAside, .pulse, .setPin, .setLight, .sendToModem, .sendToReceiver,
      .setLink, .sendText, .readTexts, .rememberPIN, .setModemBaud:
      break
    case .halt(let time): events.sleep(for: time, at: now)
    }
  }

  public mutating func remembered(_ memory: Memory, at now: Instant) { self.memory = memory }

  private mutating func heard(_ note: Note, at now: Instant) {
    switch note {
    case .sessionStarted: sessionChanged(.sessionStarted, at: now)
    case .sessionStopped: sessionChanged(.sessionStopped, at: now)
    case .sessionFinished: sessionChanged(.sessionFinished, at: now)
    case .capturing(let reason): events.capturing(reason, at: now)
    case .sending(let reason):
      if let reason, reason.obstruction != nil { obstacle = reason }
      events.sending(reason, at: now)
    case .modem(let phase):
      remember(phase, at: now)
      if let obstruction = obstacle?.obstruction, phase.isPast(obstruction) { obstacle = nil }
      streak.left(modem, after: now - modemSince, for: phase)
      // The phase before lasted until now.
      if modem.isPast(.sim) || phase.isPast(.sim) { simReadyAt = now }
      if modem.isPast(.network) || phase.isPast(.network) { registeredAt = now }
      modem = phase
      modemSince = now
      if phase == .off { isRadioStuck = false }
    case .radioStaysOn: isRadioStuck = true
    case .signal(let dBm): signalDBm = dBm
    case .networkOperator(let name): networkOperator = name.isEmpty ? nil : String(name)
    case .receiverSilent:
      isReceiverSilent = true
      events.add(.receiverSilent, at: now)
    case .receiverHeard:
      isReceiverSilent = false
      receiverAwakeSince = now
      events.add(.receiverHeard, at: now)
    case .orderEnded(let key): events.add(.orderEnded, "\(key)", at: now)
    case .clockTrusted(let utc):
      clock = (utc, now)
      events.dated(utc, at: now)
      events.add(.clockTrusted, at: now)
    case .modemRecovery(let rung): events.add(.modemRecovery, "\(rung)", at: now)
    case .modemRestarted:
      streak.learned(.supply, at: now)
      events.add(.modemRestarted, at: now)
    case .accessPointRefused:
      streak.learned(.accessPoint, at: now)
      events.add(.accessPointRefused, at: now)
    case .pinRefused: events.add(.pinRefused, at: now)
    case .externalPower(let isPresent):
      events.add(isPresent ? .externalPower : .batteryAgain, at: now)
    case .passage(let passage):
      events.add(EventPhrase(passage.kind), placeName(passage.place), at: now)
    case .offCourse(_, let metres): events.add(.offCourse, "\(metres)", at: now)
    case .backOnCourse: events.add(.backOnCourse, at: now)
    case .backwards: events.add(.backwards, at: now)
    case .forwards: events.add(.forwards, at: now)
    case .courseChanged: events.add(.courseChanged, at: now)
    case .emergency(let stage): events.add(EventPhrase(stage), at: now)
    case .callRequest(let isOpen):
      isCallAsked = isOpen
      events.add(isOpen ? .callAsked : .callSeen, at: now)
    // The modem's own numbers are not shown.
    case .captured, .notCaptured, .fixRejected, .weekRolloverCorrected, .receiverFloods,
      .modemSupply, .subscriber, .equipment, .modemStatusContradicted, .textFinished:
      break
    }
  }

  /// A place's name; its number where it has none.
  public func placeName(_ place: Int16) -> String {
    let index = Int(place)
    let places = course?.places ?? []
    return places.indices.contains(index) ? places[index].name : "\(index + 1)"
  }

  private mutating func sessionChanged(_ phrase: EventPhrase, at now: Instant) {
    isSessionRunning = phrase == .sessionStarted
    events.add(phrase, at: now)
  }

  /// The turning points only: between them a contact passes through all phases.
  private mutating func remember(_ phase: ModemPhase, at now: Instant) {
    switch phase {
    case .starting: events.add(.modemOn, at: now)
    case .searching: events.add(.searching, at: now)
    case .attached: if modem != .inUse { events.add(.connected, at: now) }
    case .off: events.add(.modemOff, at: now)
    case .checkingSIM, .registered, .inUse, .stopping, .faulted, .stillOn: break
    }
  }
}

extension Command {
  /// The command as typed, without its argument.
  fileprivate var name: String {
    switch self {
    case .start: "start"
    case .stop: "stop"
    case .captureNow: "capture now"
    case .sendNow: "send now"
    case .setTeam: "set team"
    case .tryPIN: "pin try"
    case .unsetTeam: "unset team"
    case .test(overFloor: false): "try"
    case .test(overFloor: true): "try now"
    case .raiseEmergency: "emergency"
    case .withdrawEmergency: "emergency over"
    case .askForCall: "call"
    case .endCallRequest: "undo call"
    }
  }
}

/// How long nothing has been delivered although it was tried, and why.
struct FailureStreak: Sendable, Equatable {
  /// The first trouble since the last delivery.
  private(set) var since: Instant?
  /// The first request since then that failed without a time without network since: what a hole in
  /// the coverage explains does not count here.
  private(set) var inNetworkSince: Instant?
  /// The last one that was known.
  private(set) var cause: FailureCause?

  /// A request ended without a delivery.
  mutating func failed(at now: Instant) {
    since = since ?? now
    inNetworkSince = inNetworkSince ?? now
  }

  /// A possible cause is known.
  mutating func learned(_ cause: FailureCause?, at now: Instant) {
    since = since ?? now
    // Without its access point a modem opens no connection.
    if self.cause == .accessPoint && cause == .dataConnection { return }
    self.cause = cause ?? self.cause
  }

  mutating func delivered() { self = FailureStreak() }

  mutating func lostNetwork() { inNetworkSince = nil }

  /// The modem has left a phase after `time`.
  mutating func left(_ phase: ModemPhase, after time: Milliseconds, for next: ModemPhase) {
    switch phase {
    case .searching where !next.isPast(.network) || time >= VerdictBounds.lostNetwork: lostNetwork()
    // It had no data connection.
    case .registered where !next.isPast(.network): lostNetwork()
    case .off, .starting, .checkingSIM, .searching, .registered, .attached, .inUse, .stopping,
      .faulted, .stillOn:
      break
    }
  }
}

/// What keeps a tracker from sending, where only a person can help.
enum Obstruction {
  /// The modem does not answer.
  case modem
  case sim
  /// The network refuses the SIM.
  case network
  case server
}

extension Reason {
  /// `nil`: it passes by itself, or nothing is wrong.
  var obstruction: Obstruction? {
    guard properties.needsPerson else { return nil }
    switch properties.subject {
    case .modem: return .modem
    // A wrong PIN is mended when the network has taken the SIM, not before.
    case .sim: return self == .simRefused ? .network : .sim
    case .network: return .network
    case .server: return .server
    case .plan, .session, .position, .battery, .store: return nil
    }
  }
}

extension Reason {
  /// The table's row for a reason that needs a person.
  var row: Cause? {
    switch self {
    case .modemSilent: .modemSilent
    case .noSIM: .noSIM
    case .simLocked: .simLocked
    case .simLastTry: .simLastTry
    case .simUncertain: .simUncertain
    case .simBlocked: .simBlocked
    case .operatorLocked: .operatorLocked
    case .simRefused: .simRefused
    case .registrationDenied: .networkDenies
    case .unauthorised: .unauthorised
    case .serverRejected: .serverRefuses
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
      .batteryReserve, .modemOff, .searching, .noBearer, .reconnectFloor, .backingOff,
      .storeFailed, .nothingPending, .finished:
      nil
    }
  }
}

extension ModemPhase {
  /// Whether a modem in this phase has passed it.
  func isPast(_ obstruction: Obstruction) -> Bool {
    switch self {
    case .off, .starting, .stopping, .faulted, .stillOn: false
    case .checkingSIM: obstruction == .modem
    case .searching: obstruction == .modem || obstruction == .sim
    case .registered, .attached, .inUse: obstruction != .server
    }
  }
}
