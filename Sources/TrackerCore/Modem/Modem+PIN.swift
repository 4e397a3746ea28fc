/// Whether the SIM's PIN may be entered.
///
/// A SIM takes three tries, and a wrong third one locks it until somebody has its PUK. So it is
/// asked first how many are left, and the last one is a person's to spend.
enum PINPlan: Sendable, Equatable {
  /// The host has none.
  case absent
  /// It may be, where the SIM has at least two tries left. `isMarked`: the host remembers a try
  /// whose end nobody knows, because of a power cut, or because it was refused before the start.
  /// Exits: `spent`, `ordered`.
  case open(isMarked: Bool)
  /// A person has ordered a try, were it the last. Exits: `spent`.
  case ordered
  /// Entered, and the SIM has not become ready since. Exits: `open`, `ordered`.
  case spent

  init(_ state: PINState) {
    switch state {
    case .absent: self = .absent
    case .untried: self = .open(isMarked: false)
    case .tried: self = .open(isMarked: true)
    }
  }
}

// The way through a SIM's lock.
extension Modem {
  /// A person orders a try, whatever is left.
  mutating func tryPIN() {
    switch pin {
    case .absent: return
    case .open, .ordered, .spent: pin = .ordered
    }
  }

  /// The SIM asks for its PIN.
  mutating func considerPIN(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch pin {
    case .absent: waitingFor = .simLocked
    case .spent: waitingFor = .simRefused
    case .open, .ordered:
      // An echo would bring the digits back, past everybody who keeps a trace.
      if engine.hasEcho { return engine.send(.attention, at: now, into: &sink) }
      pinTriesLeft = nil
      if pin != .ordered { return engine.send(.pinTries, at: now, into: &sink) }
      if !engine.isInStep { return engine.send(.signal, at: now, into: &sink) }
      enterPIN(at: now, into: &sink)
    }
  }

  /// How many tries are left, or that the modem does not tell.
  ///
  /// Where it does not, the PIN is entered once after it was written down, as nothing else can open
  /// the SIM; and never again without an order, for each could be the last.
  mutating func judgeTries(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    let left = pinTriesLeft
    pinTriesLeft = nil
    guard case .checkingSIM = state, case .open(let isMarked) = pin else { return }
    if let left, left < Bounds.pinTriesNeeded {
      waitingFor = .simLastTry
    } else if left == nil && isMarked {
      waitingFor = .simUncertain
    } else if !engine.isInStep {
      // The next time that the SIM asks.
      engine.send(.signal, at: now, into: &sink)
    } else {
      enterPIN(at: now, into: &sink)
    }
  }

  private mutating func enterPIN(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    sink.push(.rememberPIN(isTried: true))
    pin = .spent
    waitingFor = .modemOff
    engine.send(.enterPIN, at: now, into: &sink)
  }

  mutating func judgePIN(
    isAccepted: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard case .checkingSIM = state else { return }
    if !isAccepted {
      waitingFor = .simRefused
      sink.push(.note(.pinRefused))
    }
    state = .checkingSIM(askAt: now, giveUpAt: now + Bounds.simLimit)
  }

  /// The SIM is ready: the PIN, if there was one, was right.
  mutating func acceptPIN(into sink: inout some EffectSink & ~Copyable) {
    switch pin {
    case .absent, .open(isMarked: false): return
    case .open(isMarked: true), .ordered, .spent:
      sink.push(.rememberPIN(isTried: false))
      pin = .open(isMarked: false)
    }
  }
}

extension Reason {
  /// Only a person can unlock the SIM.
  public var isOfLockedSIM: Bool {
    switch self {
    case .simLocked, .simRefused, .simLastTry, .simUncertain, .simBlocked: true
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
      .batteryReserve, .modemOff, .noSIM, .searching, .registrationDenied, .noBearer,
      .reconnectFloor, .backingOff, .serverRejected, .unauthorised, .storeFailed, .nothingPending,
      .finished:
      false
    }
  }
}
