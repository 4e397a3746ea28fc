/// Whether the SIM's PIN may be entered.
///
/// A SIM accepts three tries; after a third wrong one only the PUK unlocks it. So the SIM is first
/// asked how many are left, and the last one is left to a person.
enum PINPlan: Sendable, Equatable {
  /// No PIN is configured.
  case absent
  /// It may be entered if the SIM has at least two tries left. `isMarked`: the host has saved a try
  /// from before the start that was refused, or whose result is unknown after a power cut. Exits:
  /// `spent`, `ordered`.
  case open(isMarked: Bool)
  /// A person has ordered a try, even if it is the last. Exits: `spent`, `open`.
  case ordered
  /// Entered, and nothing is known of it yet. If the modem starts anew before it has answered, it
  /// is as after a power cut. Exits: `accepted`, `refused`, `open`, `ordered`.
  case spent
  /// Entered and refused: it is wrong. A SIM that is ready nevertheless was unlocked otherwise, or
  /// is another one. Exits: `ordered`.
  case refused
  /// Entered and accepted, and the SIM has not become ready since. The PIN is right: it is entered
  /// again if the modem restarts. Exits: `open`, `ordered`.
  case accepted

  init(_ state: PINState) {
    switch state {
    case .absent: self = .absent
    case .untried: self = .open(isMarked: false)
    case .tried: self = .open(isMarked: true)
    }
  }
}

/// Unlocks a SIM. Each step returns the next command.
struct SIMAccess: Sendable, Equatable {
  /// `+CME ERROR: 14`, "SIM busy" (3GPP TS 27.007 §9.2).
  static let busy: Int32 = 14
  /// `+CME ERROR: 16`, "incorrect password" (the same table).
  private static let incorrectPassword: Int32 = 16

  /// Why the SIM cannot be used.
  private(set) var waitingFor = Reason.modemOff
  private var pin: PINPlan
  /// The SIM's answer to the open question, or what its modem said unasked.
  private var word: SIMStatus?
  /// Whether READY was the answer to a question.
  private var isAnswer = false
  private var triesLeft: Int32?
  /// The modem was told to switch its echo off, and may have refused.
  private var hasTriedEchoOff = false
  /// The PIN is entered as soon as the engine is in step.
  private var isEntryDue = false

  init(_ state: PINState) { pin = PINPlan(state) }

  /// Whether it has reported READY, asked or unasked.
  var isReady: Bool { word == .ready }

  /// The modem has answered and is going to be asked about its SIM.
  mutating func begin() {
    waitingFor = .modemOff
    word = nil
    hasTriedEchoOff = false
    isEntryDue = false
    if pin == .accepted || pin == .spent { pin = .open(isMarked: true) }
  }

  mutating func hear(_ word: SIMStatus) { (self.word, isAnswer) = (word, false) }
  mutating func hear(triesLeft: Int32) { self.triesLeft = triesLeft }

  /// It was removed, or cannot be used any more.
  mutating func gone() {
    waitingFor = .noSIM
    word = nil
    isEntryDue = false
  }

  /// A person orders a try, however many are left.
  mutating func tryPIN() {
    switch pin {
    case .absent: return
    case .open, .ordered, .spent, .refused, .accepted: pin = .ordered
    }
  }

  // MARK: Answers

  /// The query for its state has ended. `code` is that of `+CME ERROR`.
  mutating func statusAnswered(isDone: Bool, code: Int32?, _ engine: ATEngine) -> ModemCommand? {
    // READY is handled when the line is free, also when it comes unasked.
    if isDone && isReady {
      isAnswer = true
      return nil
    }
    let word = isDone ? word : nil
    self.word = nil
    isEntryDue = false
    switch word ?? code.flatMap(SIMStatus.init(code:)) {
    case .wantsPIN: return considerPIN(engine)
    case .blocked: waitingFor = .simBlocked
    case .foreign: waitingFor = .operatorLocked
    // Without AT+CMEE a missing SIM is a plain ERROR.
    case .ready, nil: if code != Self.busy { waitingFor = .noSIM }
    }
    return nil
  }

  private mutating func considerPIN(_ engine: ATEngine) -> ModemCommand? {
    switch pin {
    case .absent: waitingFor = .simLocked
    case .spent, .refused, .accepted: waitingFor = .simRefused
    case .open, .ordered:
      // An echo repeats the digits. A modem may refuse to be told otherwise while its SIM is
      // locked; the host hides them too.
      if engine.hasEcho && !hasTriedEchoOff {
        hasTriedEchoOff = true
        return .attention
      }
      triesLeft = nil
      return pin == .ordered ? enterPIN(engine) : .pinTries
    }
    return nil
  }

  /// The number of tries left, unless the modem does not support the query.
  ///
  /// Without a number the PIN is entered once, after that has been saved, as nothing else can
  /// unlock the SIM; never again without an order, because each try could be the last.
  mutating func triesAnswered(_ engine: ATEngine) -> ModemCommand? {
    // In this answer's place it says nothing of the SIM.
    word = nil
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
    // If out of step another command's answer could be taken for the PIN's.
    isEntryDue = !engine.isInStep
    guard engine.isInStep else { return .signal }
    pin = .spent
    waitingFor = .modemOff
    // What was said before does not show that it is right.
    word = nil
    return .enterPIN
  }

  /// The query that brings the engine back in step has ended.
  mutating func signalAnswered(_ engine: ATEngine) -> ModemCommand? {
    guard isEntryDue, engine.isInStep else { return nil }
    return enterPIN(engine)
  }

  /// Whether an error that came as another question's answer is the PIN's. A modem may be slower
  /// than the tracker waits, so that an earlier question's OK was taken for the PIN's.
  func isRefusal(_ code: Int32?) -> Bool {
    (pin == .spent || pin == .accepted) && code == Self.incorrectPassword
  }

  mutating func pinAnswered(isAccepted: Bool) {
    if !isAccepted {
      waitingFor = .simRefused
      // A refusal says more than a READY before it.
      word = nil
    }
    if pin == .spent || pin == .accepted { pin = isAccepted ? .accepted : .refused }
  }

  /// The SIM is ready: the PIN, if one was entered, was right. Returns whether the host can clear
  /// the saved try.
  mutating func accepted() -> Bool {
    waitingFor = .modemOff
    word = nil
    switch pin {
    case .absent, .open(isMarked: false), .refused: return false
    // Unasked a modem may say so of a SIM that is locked, as often as it starts.
    case .open(isMarked: true) where !isAnswer: return false
    case .open(isMarked: true), .ordered, .spent, .accepted:
      pin = .open(isMarked: false)
      return true
    }
  }
}
