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
  /// A person has ordered a try, were it the last. Exits: `spent`, `open`.
  case ordered
  /// Entered, and the SIM has not become ready since. Exits: `accepted`, `open`, `ordered`.
  case spent
  /// Entered with an OK, and the SIM has not become ready since. It was right: a modem that starts
  /// anew is told it again. Exits: `open`, `ordered`.
  case accepted

  init(_ state: PINState) {
    switch state {
    case .absent: self = .absent
    case .untried: self = .open(isMarked: false)
    case .tried: self = .open(isMarked: true)
    }
  }
}

/// The way through a SIM's lock. Each step returns the command that comes next.
struct SIMAccess: Sendable, Equatable {
  /// Why the SIM cannot be used.
  private(set) var waitingFor = Reason.modemOff
  private var pin: PINPlan
  /// What the SIM said to the question that is open.
  private var word: SIMStatus?
  private var triesLeft: Int32?

  init(_ state: PINState) { pin = PINPlan(state) }

  /// It said by itself, or to a question, that it can be used.
  var isReady: Bool { word == .ready }

  /// The modem is there, and is asked about its SIM.
  mutating func begin() {
    waitingFor = .modemOff
    word = nil
    if pin == .accepted { pin = .open(isMarked: true) }
  }

  mutating func hear(_ word: SIMStatus) { self.word = word }
  mutating func hear(triesLeft: Int32) { self.triesLeft = triesLeft }

  /// It has been taken out, or cannot be used any more.
  mutating func gone() {
    waitingFor = .noSIM
    word = nil
  }

  /// A person orders a try, whatever is left.
  mutating func tryPIN() {
    switch pin {
    case .absent: return
    case .open, .ordered, .spent, .accepted: pin = .ordered
    }
  }

  // MARK: Answers

  /// Its state was asked for. `code` is that of `+CME ERROR`.
  mutating func statusAnswered(isDone: Bool, code: Int32?, _ engine: ATEngine) -> ModemCommand? {
    // READY is seen to once the line is free, whoever asked.
    if isDone && isReady { return nil }
    let word = isDone ? word : nil
    self.word = nil
    if word == .wantsPIN || code == 11 { return considerPIN(engine) }
    if word == .locked || code == 12 {
      waitingFor = .simBlocked
    } else if code != 14 {
      // Without AT+CMEE a missing SIM is a plain ERROR. 14 is "SIM busy".
      waitingFor = .noSIM
    }
    return nil
  }

  private mutating func considerPIN(_ engine: ATEngine) -> ModemCommand? {
    switch pin {
    case .absent: waitingFor = .simLocked
    case .spent, .accepted: waitingFor = .simRefused
    case .open, .ordered:
      // An echo would bring the digits back, past everybody who keeps a trace.
      if engine.hasEcho { return .attention }
      triesLeft = nil
      return pin == .ordered ? enterPIN(engine) : .pinTries
    }
    return nil
  }

  /// How many tries are left, or that the modem does not tell.
  ///
  /// Where it does not, the PIN is entered once after it was written down, as nothing else can open
  /// the SIM; and never again without an order, for each could be the last.
  mutating func triesAnswered(_ engine: ATEngine) -> ModemCommand? {
    guard case .open(let isMarked) = pin else { return nil }
    if let triesLeft, triesLeft < Bounds.pinTriesNeeded {
      waitingFor = .simLastTry
    } else if triesLeft == nil && isMarked {
      waitingFor = .simUncertain
    } else {
      return enterPIN(engine)
    }
    return nil
  }

  private mutating func enterPIN(_ engine: ATEngine) -> ModemCommand {
    // Out of step another command's answer could be taken for the PIN's: the next time that the SIM
    // asks.
    guard engine.isInStep else { return .signal }
    pin = .spent
    waitingFor = .modemOff
    return .enterPIN
  }

  mutating func pinAnswered(isAccepted: Bool) {
    if !isAccepted {
      waitingFor = .simRefused
    } else if pin == .spent {
      pin = .accepted
    }
  }

  /// The SIM is ready: the PIN, if there was one, was right. Returns whether the host can forget
  /// that it was tried.
  mutating func accepted() -> Bool {
    waitingFor = .modemOff
    word = nil
    switch pin {
    case .absent, .open(isMarked: false): return false
    case .open(isMarked: true), .ordered, .spent, .accepted:
      pin = .open(isMarked: false)
      return true
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
