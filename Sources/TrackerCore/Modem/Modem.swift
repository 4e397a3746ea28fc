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
struct Modem: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Switched off, or resting with its radio off. Exits: `probing`, `starting`, `lingering`.
    case off(restAt: Instant)
    /// Let go of and perhaps on: told to switch itself or its radio off until that is confirmed.
    /// Exits: `off`, `stopping`, `pressingOff`, `probing`, `starting`.
    case lingering(Lingering)
    /// Asks whether the module is on already. Exits: `starting`, `checkingSIM`, `pressingOn`,
    /// `serving`, `stopping`.
    case probing(until: Instant)
    /// PWRKEY held to switch on. Exits: `starting`, `stopping`.
    case pressingOn(until: Instant)
    /// Asks until it answers. Exits: `checkingSIM`, `serving`, `pressingOff`, `off`, `faulted`,
    /// `stopping`.
    case starting(askAt: Instant, giveUpAt: Instant)
    /// On for the receiver inside it, not for the network. Exits: `off`, `lingering`, and as
    /// `searching`.
    case serving
    /// Exits: `searching`, and as that.
    case checkingSIM(askAt: Instant, giveUpAt: Instant)
    /// Exits: `registered`, `checkingSIM`, `starting`, `pressingOff`, `off`, `faulted`, `texting`,
    /// `stopping`.
    case searching(askAt: Instant, giveUpAt: Instant)
    /// In the network, bearer asked for. Exits: `attached`, `cyclingRadio`, and as `searching`.
    case registered(giveUpAt: Instant)
    /// Bearer up. Exits: `inUse`, `searching`, and as that.
    case attached
    /// Exits: `attached`, `searching`, and as that.
    case inUse
    /// A short message is on its way; the host speaks to the modem. Exits: `stopping`, `attached`,
    /// and as `searching`.
    case texting(RequestID, giveUpAt: Instant, then: Sequel)
    /// Radio off, and on again. Exits: `searching`, and as that.
    case cyclingRadio(giveUpAt: Instant)
    /// PWRKEY held to switch a mute module off. Exits: `stopping`, `lingering`.
    case pressingOff(until: Instant)
    /// Told to switch itself off. Exits: `off`, `pressingOff`, `lingering`.
    case stopping(until: Instant)
    /// Mute after all power cycles. Exits: `off`, `lingering`.
    case faulted(until: Instant)
    /// No modem: another bearer, which comes and goes by itself. No exits.
    case wired(isUp: Bool, isInUse: Bool)
  }

  /// What comes after a short message.
  enum Sequel: Sendable, Equatable {
    case stop
    case attach
    case search
  }

  /// How often it was told to switch off, and when it is told next.
  struct Lingering: Sendable, Equatable {
    var askAt: Instant
    var tries: Int32 = 0
    /// Its key was held to switch it off: silence is what that should bring.
    var isKeyTried = false
  }

  var state: State
  var engine = ATEngine()
  /// Why the last attempt to connect was given up; taken by whoever asked for it.
  var failure: Reason?
  let board: ModemBoard
  let bearer: Bearer
  let hasAccessPoint: Bool
  var reconnectFloor: Milliseconds
  /// When the network was last joined, or could have been.
  var lastConnect: Instant?
  var cycles: Int32 = 0
  var radioCycles: Int32 = 0
  /// On its way up again after a power cycle.
  var isRestarting = false
  /// Let go of while a key was held or a message on its way.
  var isReleased = false
  /// Answered since it was last switched on: it may have been in the network.
  var hasAnswered = false
  /// It was told to switch itself off, and has not answered.
  var isOffUnanswered = false
  /// Wanted for a contact, not only for the receiver inside it.
  var isWanted = false
  var waitingFor = Reason.modemOff
  /// Questions and orders that are still to be put, whatever the state's own question is.
  var agenda = CommandSet()
  /// Those of them that were not answered in time once. Twice, and they are done without: a modem
  /// that takes long over its number must not keep everybody from the network.
  var missed = CommandSet()
  /// What the SIM said to the question that is open.
  var simWord: SIMWord?
  /// What the network said to the question that is open: the best of each domain.
  var circuit: Registration?
  var packet: Registration?
  var knowsSubscriber = false
  var knowsEquipment = false
  var pin: PINPlan
  /// What the SIM said to the question that is open.
  var pinTriesLeft: Int32?
  /// Whether the network would take a short message.
  var canText = false
  var lastResort: LastResort
  /// Whether the receiver inside the modem is to run; `nil`: nobody cares.
  var wantsReceiver: Bool?
  /// What it was last told; `nil`: it may have been started anew since.
  var receiverState: Bool?

  init(
    _ board: ModemBoard, _ configuration: Configuration, simPIN: PINState = .absent, at now: Instant
  ) {
    self.board = board
    pin = PINPlan(simPIN)
    bearer = configuration.bearer
    hasAccessPoint = configuration.accessPoint != nil
    reconnectFloor = configuration.reconnectFloor
    lastResort = LastResort(
      after: configuration.textTo == nil ? nil : configuration.textAfter, at: now)
    if bearer == .none {
      state = .wired(isUp: false, isInUse: false)
    } else if board.rest == .radioOff && !board.hasPowerKey {
      // It has been on all the time: with its radio on if the last run ended during a contact.
      state = .lingering(Lingering(askAt: now))
    } else {
      state = .off(restAt: .start)
    }
  }

  // MARK: Questions

  var phase: ModemPhase {
    switch state {
    case .off: .off
    case .lingering(let lingering):
      lingering.tries > Bounds.offPatience ? .stillOn : .stopping
    case .probing, .pressingOn, .starting, .serving: .starting
    case .checkingSIM: .checkingSIM
    case .searching, .cyclingRadio: .searching
    case .registered, .texting: .registered
    case .attached: .attached
    case .inUse: .inUse
    case .pressingOff, .stopping: .stopping
    case .faulted: .faulted
    case .wired(let isUp, let isInUse): isUp ? (isInUse ? .inUse : .attached) : .off
    }
  }

  /// When `connect` would take effect; `nil` while it is not off.
  var connectableAt: Instant? {
    guard !isRestarting else { return nil }
    if case .lingering = state { return floorEnd }
    guard case .off(let restAt) = state else { return nil }
    return max(restAt, floorEnd)
  }

  var isReady: Bool {
    if case .wired(let isUp, _) = state { return isUp }
    return state == .attached || state == .inUse
  }
  var isOff: Bool { if case .off = state { !isRestarting } else { false } }

  /// Earliest instant at which the network may be joined anew.
  var floorEnd: Instant { lastConnect.map { $0 + reconnectFloor } ?? .start }

  /// Why nothing can be sent through it; `nil` when it can.
  func reason(at now: Instant) -> Reason? {
    switch state {
    // A SIM that a person has to see to is not seen to by waiting.
    case .off where waitingFor.isOfLockedSIM, .lingering where waitingFor.isOfLockedSIM: waitingFor
    case .off where now < floorEnd && (!isRestarting || hasAnswered): .reconnectFloor
    case .lingering where now < floorEnd: .reconnectFloor
    case .off, .lingering, .probing, .pressingOn, .starting, .serving, .pressingOff, .stopping,
      .faulted:
      .modemOff
    case .checkingSIM, .searching: waitingFor
    case .registered, .texting, .cyclingRadio, .wired(isUp: false, _): .noBearer
    case .attached, .inUse, .wired(isUp: true, _): nil
    }
  }

  /// The next instant at which it wants to act.
  var deadline: Instant? {
    var earliest = Earliest()
    earliest.consider(engine.deadline)
    switch state {
    case .off(let restAt): if isRestarting { earliest.consider(restAt) }
    case .lingering(let lingering):
      if isRestarting { earliest.consider(floorEnd) }
      if engine.isIdle { earliest.consider(lingering.askAt) }
    case .probing(let until), .pressingOn(let until), .pressingOff(let until),
      .stopping(let until), .faulted(let until), .registered(let until),
      .texting(_, let until, _), .cyclingRadio(let until):
      earliest.consider(until)
    case .starting(let askAt, let giveUpAt), .checkingSIM(let askAt, let giveUpAt),
      .searching(let askAt, let giveUpAt):
      earliest.consider(engine.isIdle ? min(askAt, giveUpAt) : giveUpAt)
    case .serving, .attached, .inUse, .wired: break
    }
    return earliest.instant
  }

  mutating func takeFailure() -> Reason? {
    defer { failure = nil }
    return failure
  }

  /// On, as far as it is known, and with us alone on its line.
  var isListening: Bool {
    switch state {
    case .lingering, .serving, .checkingSIM, .searching, .registered, .attached, .cyclingRadio:
      true
    case .inUse: bearer != .modem
    case .off, .probing, .pressingOn, .starting, .texting, .pressingOff, .stopping, .faulted,
      .wired:
      false
    }
  }

  /// Registered, or further: the bearer may be up or coming.
  var isInNetwork: Bool {
    switch state {
    case .registered, .attached, .inUse, .texting: true
    case .off, .lingering, .probing, .pressingOn, .starting, .serving, .checkingSIM, .searching,
      .cyclingRadio, .pressingOff, .stopping, .faulted, .wired:
      false
    }
  }
}
