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
  /// Let go of; it has not confirmed that it or its radio is off, and is told again and again.
  case stillOn
}

/// Wakes a modem, brings it into the network and puts it to sleep again.
///
/// It never cuts the supply. PWRKEY toggles, so it asks before it presses. What does not answer is
/// asked again, then power-cycled `Bounds.powerCycles` times, and then left alone for
/// `Bounds.faultPause`; a modem in the network without a bearer has its radio started anew first.
/// Whatever it does, it does not join the network more often than the reconnect floor allows.
///
/// It counts as off once it has confirmed that: with an OK that is certainly the order's own, or by
/// its silence where it was to switch itself off. Until then it is told again.
///
/// Its parts keep their own states: `power` and, while that is on for a contact, `power.network`;
/// `sim`, `agenda` and `receiver`. What one's outcome means for the others is done here; `sim` asks
/// the engine whether an answer can be told apart.
struct Modem: Sendable, Equatable {
  /// What only counts for the contact that it was last switched on for.
  struct Contact: Sendable, Equatable {
    /// Why it was given up; taken by whoever asked for it.
    var failure: Reason?
    /// Whether the network would take a short message.
    var canText = false
    var radioCycles: Int32 = 0
  }

  var power: ModemPower
  var engine = ATEngine()
  var agenda = ModemAgenda()
  var sim: SIMAccess
  var receiver = ModemReceiver()
  var contact = Contact()
  var lastResort: LastResort
  let bearer: Bearer
  let hasAccessPoint: Bool

  init(
    _ board: ModemBoard, _ configuration: Configuration, simPIN: PINState = .absent, at now: Instant
  ) {
    power = ModemPower(board, reconnectFloor: configuration.reconnectFloor, at: now)
    sim = SIMAccess(simPIN)
    bearer = configuration.bearer
    hasAccessPoint = configuration.accessPoint != nil
    lastResort = LastResort(
      after: configuration.textTo == nil ? nil : configuration.textAfter, at: now)
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

  /// When `connect` would take effect; `nil` while it is not off.
  var connectableAt: Instant? { power.connectableAt }

  var isReady: Bool { power.network?.isReady ?? false }
  var isOff: Bool { if case .off(_, .rest) = power.state { true } else { false } }

  /// Earliest instant at which the network may be joined anew.
  var floorEnd: Instant { power.floor.end }

  /// Why nothing can be sent through it; `nil` when it can.
  func reason(at now: Instant) -> Reason? {
    switch power.state {
    // A SIM that a person has to see to is not seen to by waiting.
    case .off where sim.waitingFor.isOfLockedSIM, .lingering where sim.waitingFor.isOfLockedSIM:
      sim.waitingFor
    case .off(_, .rest) where now < floorEnd, .lingering where now < floorEnd: .reconnectFloor
    case .off(_, .restart) where now < floorEnd && power.floor.hasAnswered: .reconnectFloor
    case .off, .lingering, .probing, .pressingOn, .starting, .on(nil), .pressingOff, .stopping,
      .faulted:
      .modemOff
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
    earliest.consider(power.deadline(isIdle: engine.isIdle))
    return earliest.instant
  }

  mutating func takeFailure() -> Reason? {
    defer { contact.failure = nil }
    return contact.failure
  }

  /// On, as far as it is known, and with us alone on its line.
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
      engine.send(.attention, at: now, into: &sink)
    case .reset: engine.order(.reset, into: &sink)
    case .forget:
      engine.restart()
      receiver.forget()
    case .tellOff: tellOff(at: now, into: &sink)
    case .stop: stop(at: now, into: &sink)
    case .fault(let purpose):
      if purpose == .contact { contact.failure = .modemOff }
      // It may hear what it does not answer.
      if board.rest == .radioOff { engine.order(.radioOff, into: &sink) }
    }
  }
}
