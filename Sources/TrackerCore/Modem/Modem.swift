/// What a modem is doing, for people.
public enum ModemPhase: UInt8, Sendable, Equatable {
  case off
  case starting
  case checkingSIM
  case searching
  case registered
  case attached
  case inUse
  case stopping
  case faulted
  /// No longer needed, but it has not confirmed that it or its radio is off, and is told
  /// repeatedly.
  case stillOn
}

/// Switches a modem on, joins the network and switches the modem off again.
///
/// It never cuts the supply. PWRKEY toggles, so it probes the modem before pressing the key, unless
/// STATUS says that it is off. A
/// modem that does not answer is asked again, then power-cycled `Bounds.powerCycles` times, and
/// then left alone for `Bounds.faultPause`; for a registered modem without a bearer only the radio
/// is restarted first. In no case does it join the network more often than the reconnect floor
/// allows.
///
/// It counts as off once it has confirmed that: with an OK that certainly belongs to the command,
/// or by silence if the command was to switch itself off. Until then the command is repeated.
///
/// Its parts keep their own states: `power` and, while that is on for a contact, `power.network`;
/// `sim`, `agenda` and `receiver`. This type passes on their outcomes; `sim` asks the engine
/// whether an answer can be identified.
struct Modem: Sendable, Equatable {
  /// State of the contact that it was last switched on for.
  struct Contact: Sendable, Equatable {
    /// Why the contact was given up, until `takeFailure`.
    var failure: Reason?
    /// Whether the network would take a short message.
    var canText = false
    var radioCycles: Int32 = 0
    /// How often the link was lost since the last delivery.
    var linkLosses: Int32 = 0
  }

  var power: ModemPower
  var engine = ATEngine()
  var agenda = ModemAgenda()
  var sim: SIMAccess
  var receiver = ModemReceiver()
  var contact = Contact()
  var lastResort: LastResort
  var patience: SearchPatience
  /// It has refused to be asked about all domains in one line.
  var asksByDomain = false
  /// It has once answered when it was told to answer in words: perhaps not without.
  var needsWords = false
  /// Its port is there, as far as is known.
  var hasLine = true
  /// Its supply voltage, until `takeSupply`.
  var supplyMillivolts: Int32?
  let bearer: Bearer
  let hasAccessPoint: Bool

  init(
    _ board: ModemBoard, _ configuration: Configuration, simPIN: PINState = .absent,
    mayBeOn: Bool = false, at now: Instant
  ) {
    power = ModemPower(
      board, reconnectFloor: configuration.reconnectFloor, mayBeOn: mayBeOn,
      startsFor: configuration.bearer == .none ? board.bootLimit : 0, at: now)
    sim = SIMAccess(simPIN)
    patience = SearchPatience(at: now)
    bearer = configuration.bearer
    hasAccessPoint = configuration.accessPoint != nil
    lastResort = LastResort(
      after: configuration.textAfter,
      hasNumber: configuration.textTo != nil && configuration.bearer != .none, at: now)
  }

  var board: ModemBoard { power.board }

  // MARK: Questions

  var phase: ModemPhase {
    switch power.state {
    case .off: .off
    case .lingering(let lingering, _):
      lingering.tries > Bounds.offPatience ? .stillOn : .stopping
    case .probing, .pressingOn, .starting, .on(nil): .starting
    case .on(let network?): network.phase
    case .pressingOff, .stopping: .stopping
    case .faulted: .faulted
    }
  }

  /// When `connect` could take effect; `nil` while it is not off.
  var connectableAt: Instant? { power.connectableAt }

  var isReady: Bool { power.network?.isReady ?? false }

  /// Earliest instant at which the network may be joined again.
  var floorEnd: Instant { power.floor.end }

  /// Why nothing can be sent through it; `nil` when it can.
  func reason(at now: Instant) -> Reason? {
    switch power.state {
    // A locked SIM needs a person; waiting does not help.
    case .off where sim.waitingFor.isOfLockedSIM, .lingering where sim.waitingFor.isOfLockedSIM:
      sim.waitingFor
    case .off(_, .rest) where now < floorEnd, .lingering where now < floorEnd: .reconnectFloor
    case .off(_, .restart) where now < floorEnd && power.floor.hasAnswered: .reconnectFloor
    case .off, .lingering, .probing, .pressingOn, .starting, .on(nil), .pressingOff, .stopping,
      .faulted:
      power.isMute ? .modemSilent : .modemOff
    case .on(let network?): reason(network)
    }
  }

  private func reason(_ network: NetworkJoining) -> Reason? {
    switch network.state {
    case .checkingSIM: sim.waitingFor
    case .searching(let search): search.waitingFor
    case .registered, .texting, .cyclingRadio: .noBearer
    case .attached, .inUse: nil
    }
  }

  /// The next instant at which it wants to act.
  var deadline: Instant? {
    var earliest = Earliest()
    earliest.consider(engine.deadline)
    earliest.consider(power.deadline(isIdle: engine.isIdle, slack: slack))
    return earliest.instant
  }

  /// How much longer than others it may take until its SIM is ready.
  var slack: Milliseconds { engine.isSlow ? Bounds.slowAllowance : 0 }

  /// Asks whether it answers.
  var attention: ModemCommand { needsWords ? .wordAnswers : .attention }

  mutating func outlook(at now: Instant) -> Link.Outlook {
    var earliest = Earliest()
    earliest.consider(deadline)
    earliest.consider(lastResort.deadline)
    return Link.Outlook(
      phase: phase, reason: reason(at: now), deadline: earliest.instant,
      connectableAt: connectableAt)
  }

  mutating func takeFailure() -> Reason? {
    defer { contact.failure = nil }
    return contact.failure
  }

  /// One that carries nothing is off, or was told often enough: perhaps there is none any more.
  var isDoneWith: Bool {
    switch power.state {
    case .off: true
    case .lingering(let lingering, _): lingering.tries > Bounds.leftOnTries
    case .probing, .pressingOn, .starting, .on, .pressingOff, .stopping, .faulted: false
    }
  }

  /// Known to be on, and its line is not used by the host.
  var isListening: Bool {
    switch power.state {
    case .lingering, .on(nil): true
    case .on(let network?): !network.isHostSpeaking
    case .off, .probing, .pressingOn, .starting, .pressingOff, .stopping, .faulted: false
    }
  }

  // MARK: What a change of its power asks for

  mutating func perform(
    _ outcome: ModemPower.Outcome, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch outcome {
    case .nothing: return
    case .probe:
      // Drop the replies that were still expected before it was switched off.
      if board.rest == .off { engine.restart() }
      engine.send(attention, at: now, into: &sink)
      if let end = engine.deadline { power.prolongProbe(until: end) }
    case .reset: engine.order(.reset, into: &sink)
    case .forget:
      engine.restart()
      receiver.forget()
    case .tellOff: tellOff(at: now, into: &sink)
    case .stop: stop(at: now, into: &sink)
    case .fault(let purpose):
      if purpose == .contact { contact.failure = power.isMute ? .modemSilent : .modemOff }
      // It may receive commands although it does not answer.
      if board.rest == .radioOff { engine.order(.radioOff, into: &sink) }
    }
  }
}
