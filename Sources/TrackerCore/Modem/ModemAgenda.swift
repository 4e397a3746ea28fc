/// Questions and orders that are to be put to a modem, beside its state's own question.
struct ModemAgenda: Sendable, Equatable {
  private var open = CommandSet()
  /// Those that were not answered in time once. Twice, and they are done without: a modem that
  /// takes long over its number must not keep everybody from the network.
  private var missed = CommandSet()
  /// The SIM's number and the modem's, once they were told.
  private var known = CommandSet()

  var isEmpty: Bool { open.isEmpty }

  /// Whether the radio of a modem that is on for its receiver is off, as far as its answer goes.
  var isRadioOff: Bool { !missed.contains(.radioOff) }

  /// What is put next.
  var next: ModemCommand? {
    if open.isEmpty { return nil }
    let order: InlineArray<10, ModemCommand> = [
      .radioOff, .radioOn, .reportErrors, .receiverOn, .receiverOff, .subscriber, .equipment,
      .definePDP, .signal, .supply,
    ]
    for index in 0..<10 where open.contains(order[index]) { return order[index] }
    return nil
  }

  // MARK: What is planned

  /// The modem is there: its radio, and errors as numbers if it is to join the network.
  mutating func begin(joins: Bool, rest: ModemRest) {
    open = CommandSet()
    missed = CommandSet()
    guard joins else { return open.insert(.radioOff) }
    if rest == .radioOff { open.insert(.radioOn) }
    open.insert(.reportErrors)
  }

  /// The SIM is ready: who it is, and how it gets a bearer.
  mutating func planSearch(hasAccessPoint: Bool) {
    if !known.contains(.subscriber) { open.insert(.subscriber) }
    if !known.contains(.equipment) { open.insert(.equipment) }
    if hasAccessPoint { open.insert(.definePDP) }
  }

  /// It is in the network.
  mutating func planReadings() {
    open.insert(.signal)
    open.insert(.supply)
  }

  /// The order for the receiver inside it, if it needs one.
  mutating func planReceiver(_ order: ModemCommand?) {
    open.remove(.receiverOn)
    open.remove(.receiverOff)
    if let order { open.insert(order) }
  }

  mutating func clear() { open = CommandSet() }

  // MARK: What became of it

  mutating func finished(_ command: ModemCommand) { open.remove(command) }

  /// No answer has come in time.
  mutating func silent(_ command: ModemCommand) {
    if missed.contains(command) && command != .radioOn && command != .radioOff {
      open.remove(command)
    }
    missed.insert(command)
  }

  /// The order to switch off the radio was answered.
  mutating func offAnswered(_ command: ModemCommand, isConfirmed: Bool) {
    if isConfirmed { missed.remove(command) } else { missed.insert(command) }
  }

  mutating func learned(_ question: ModemCommand) { known.insert(question) }
  mutating func simGone() { known.remove(.subscriber) }
}

/// The receiver inside a modem.
struct ModemReceiver: Sendable, Equatable {
  /// Whether it is to run; `nil`: nobody cares.
  private var isWanted: Bool?
  /// What it was last told; `nil`: it may have been started anew since.
  private var isOn: Bool?

  /// What it has to be told.
  var order: ModemCommand? {
    guard let isWanted, isWanted != isOn else { return nil }
    return isWanted ? .receiverOn : .receiverOff
  }

  mutating func want(_ isOn: Bool) { isWanted = isOn }
  mutating func told(isOn: Bool) { self.isOn = isOn }
  mutating func forget() { isOn = nil }
}
