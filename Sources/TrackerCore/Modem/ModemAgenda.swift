/// Queries and commands to send to a modem, in addition to those of its state.
struct ModemAgenda: Sendable, Equatable {
  private var open = CommandSet()
  /// Those that have timed out once. After the second time they are skipped: a modem that is slow
  /// to report its number must not delay the connection.
  private var missed = CommandSet()
  /// Whether the SIM's number and the modem's are known.
  private var known = CommandSet()
  /// It has told its supply in this contact, before its radio was on.
  private var isSupplyKnown = false
  /// It has been asked for its signal and its operator, in this contact or before.
  private var hasRead = false
  /// It has once left the question for the operator unanswered, and is not asked again.
  private var hidesOperator = false

  var isEmpty: Bool { open.isEmpty }

  /// Whether a modem that is on for its receiver has confirmed that its radio is off.
  var isRadioOff: Bool { !missed.contains(.radioOff) }

  /// The next command.
  var next: ModemCommand? {
    if open.isEmpty { return nil }
    // A slow modem, before its radio is on.
    if open.contains(.radioOn) && open.contains(.supply) {
      return open.contains(.reportErrors) ? .reportErrors : .supply
    }
    let order: InlineArray<12, ModemCommand> = [
      .radioOff, .radioOn, .reportErrors, .storeTexts, .receiverOn, .receiverOff, .subscriber,
      .equipment, .definePDP, .signal, .supply, .networkOperator,
    ]
    for index in order.indices where open.contains(order[index]) { return order[index] }
    return nil
  }

  // MARK: What is planned

  /// The modem has answered: switches its radio, and numeric errors on if it is to join the
  /// network.
  ///
  /// - Parameter isSlow: what can be asked without the radio is asked before that is on.
  mutating func begin(joins: Bool, rest: ModemRest, isSlow: Bool) {
    open = CommandSet()
    missed = CommandSet()
    isSupplyKnown = false
    guard joins else { return open.insert(.radioOff) }
    open.insert(.reportErrors)
    guard rest == .radioOff else { return }
    open.insert(.radioOn)
    if isSlow { open.insert(.supply) }
  }

  /// The SIM is ready: asks for identities and defines the access point.
  mutating func planSearch(hasAccessPoint: Bool) {
    if !known.contains(.subscriber) { open.insert(.subscriber) }
    if !known.contains(.equipment) { open.insert(.equipment) }
    if hasAccessPoint { open.insert(.definePDP) }
  }

  /// The modem is registered. The operator comes last: nothing depends on it.
  mutating func planReadings(isSlow: Bool) {
    if !isSupplyKnown { open.insert(.supply) }
    // The radio would be on for the answers.
    if isSlow && hasRead { return }
    hasRead = true
    open.insert(.signal)
    if !hidesOperator { open.insert(.networkOperator) }
  }

  /// It delivers short messages: tells it, once in a contact, to store them instead.
  mutating func planStoring() { if !missed.contains(.storeTexts) { open.insert(.storeTexts) } }

  /// Replaces the command for the receiver inside the modem.
  mutating func planReceiver(_ order: ModemCommand?) {
    open.remove(.receiverOn)
    open.remove(.receiverOff)
    if let order { open.insert(order) }
  }

  mutating func clear() { open = CommandSet() }

  // MARK: What became of it

  mutating func finished(_ command: ModemCommand) {
    open.remove(command)
    if command == .storeTexts { missed.insert(command) }
    if command == .supply && open.contains(.radioOn) { isSupplyKnown = true }
  }

  /// A command has timed out.
  mutating func silent(_ command: ModemCommand) {
    if command == .networkOperator {
      hidesOperator = true
      open.remove(command)
    }
    if missed.contains(command) && command != .radioOn && command != .radioOff {
      open.remove(command)
    }
    missed.insert(command)
  }

  /// The command to switch off the radio was answered.
  mutating func offAnswered(_ command: ModemCommand, isConfirmed: Bool) {
    if isConfirmed { missed.remove(command) } else { missed.insert(command) }
  }

  mutating func learned(_ question: ModemCommand) { known.insert(question) }
  mutating func simGone() { known.remove(.subscriber) }
}

/// The receiver inside a modem.
struct ModemReceiver: Sendable, Equatable {
  /// Whether it is to run; `nil`: not decided.
  private var isWanted: Bool?
  /// What it was last told; `nil`: unknown, it may have restarted since.
  private var isOn: Bool?

  /// The command to send, if any.
  var order: ModemCommand? {
    guard let isWanted, isWanted != isOn else { return nil }
    return isWanted ? .receiverOn : .receiverOff
  }

  /// It must not be switched off with the modem.
  var isNeeded: Bool { isWanted ?? false }

  mutating func want(_ isOn: Bool) { isWanted = isOn }
  mutating func told(isOn: Bool) { self.isOn = isOn }
  mutating func forget() { isOn = nil }
}

/// The states of a modem without their values: those of `ModemPower`, with `on` replaced by those
/// of `NetworkJoining`, or `serving` (the receiver inside it).
enum ModemStep: UInt8, Sendable {
  case off
  case lingering
  case probing
  case pressingOn
  case starting
  case serving
  case checkingSIM
  case searching
  case registered
  case attached
  case inUse
  case texting
  case cyclingRadio
  case pressingOff
  case stopping
  case faulted

  init(_ power: ModemPower.State) {
    switch power {
    case .off: self = .off
    case .lingering: self = .lingering
    case .probing: self = .probing
    case .pressingOn: self = .pressingOn
    case .starting: self = .starting
    case .on(nil): self = .serving
    case .on(let network?): self.init(network.state)
    case .pressingOff: self = .pressingOff
    case .stopping: self = .stopping
    case .faulted: self = .faulted
    }
  }

  private init(_ network: NetworkJoining.State) {
    switch network {
    case .checkingSIM: self = .checkingSIM
    case .searching: self = .searching
    case .registered: self = .registered
    case .attached: self = .attached
    case .inUse: self = .inUse
    case .texting: self = .texting
    case .cyclingRadio: self = .cyclingRadio
    }
  }
}

// The table of transitions. A test compares it with the transitions taken, both ways.
extension ModemStep {
  /// Which state (across) can follow which (down).
  ///
  /// `lingering` and `stopping` lead to `off`: `lingering` where a modem rests with its radio off
  /// or may still be on. A modem that restarts by itself, or whose port was gone, goes back to
  /// `starting`; if that repeats, to `faulted`.
  static let table = TransitionTable(
    """
                 off lin prb kOn sta srv SIM sea reg att use txt cyc kOf stp flt
    off            .   x   x   .   x   .   .   .   .   .   .   .   .   .   .   .
    lingering      x   .   x   .   x   .   .   .   .   .   .   .   .   x   x   .
    probing        .   x   .   x   x   x   x   .   .   .   .   .   .   .   x   x
    pressingOn     .   x   .   .   x   .   .   .   .   .   .   .   .   .   x   .
    starting       .   x   .   .   .   x   x   .   .   .   .   .   .   x   x   x
    serving        x   x   .   .   x   .   .   .   .   .   .   .   .   x   x   x
    checkingSIM    .   x   .   .   x   .   .   x   .   .   .   x   .   x   x   x
    searching      .   x   .   .   x   .   x   .   x   .   .   x   .   x   x   x
    registered     .   x   .   .   x   .   x   .   .   x   .   x   x   x   x   .
    attached       .   x   .   .   x   .   x   x   .   .   x   x   .   .   x   .
    inUse          .   x   .   .   x   .   x   x   .   x   .   .   .   .   x   .
    texting        .   x   .   .   x   .   x   x   .   x   .   .   .   .   x   x
    cyclingRadio   .   x   .   .   x   .   x   x   .   .   .   .   .   x   x   .
    pressingOff    .   x   .   .   .   .   .   .   .   .   .   .   .   .   x   .
    stopping       x   x   .   .   .   .   .   .   .   .   .   .   .   x   .   .
    faulted        x   x   .   .   .   .   .   .   .   .   .   .   .   .   .   .
    """, states: 16)
}
