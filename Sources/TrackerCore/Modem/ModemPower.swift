/// The power of a modem: from off to on, and back until it is certainly off.
///
/// `Modem` reports events to it and acts on the outcomes. `ModemStep` lists the transitions.
struct ModemPower: Sendable, Equatable {
  // Not private: `ModemPower+Recovery` sets it, too.
  var state: State {
    didSet {
      #if DEBUG
        taken.insert(
          from: ModemStep(oldValue).rawValue, to: ModemStep(state).rawValue, by: ModemStep.table)
      #endif
    }
  }
  var floor: ReconnectFloor
  let board: ModemBoard
  /// Power cycles and unexpected restarts since it was last in the network.
  var cycles: Int32 = 0
  /// It has answered since the tracker started.
  private var hasEverAnswered = false
  /// It did not answer, and has not answered since.
  var isMute = false
  /// It was tried again before the end of a fault, and neither registered nor left alone since.
  var wasTriedEarly = false
  /// It is not switched on before, as it has left a fault that had not ended.
  var sparedUntil = Instant.start
  var rates = RateSearch()
  var status = StatusLine()
  #if DEBUG
    /// For those who compare them with `ModemStep`.
    var taken = Transitions()
  #endif

  /// - Parameters:
  ///   - mayBeOn: a program before this one may have ended during a contact.
  ///   - startsFor: for so long it may still be starting then, and hear nothing.
  init(
    _ board: ModemBoard, reconnectFloor: Milliseconds, mayBeOn: Bool = false,
    startsFor: Milliseconds = 0, at now: Instant
  ) {
    self.board = board
    floor = ReconnectFloor(interval: reconnectFloor)
    // Without a key it may have been on all the time. The key would switch on one that is silent
    // because it is off.
    let isLeftOn = Lingering(
      askAt: now + startsFor, isKeyTried: board.rest == .radioOff && board.hasPowerKey)
    state =
      mayBeOn || board.rest == .radioOff && !board.hasPowerKey
      ? .lingering(isLeftOn, then: .rest) : .off(restAt: .start, then: .rest)
  }

  /// The state of joining the network; `nil` unless it is on for a contact. Only settable then.
  var network: NetworkJoining? {
    get { if case .on(let network) = state { network } else { nil } }
    set { if case .on(.some) = state, let newValue { state = .on(newValue) } }
  }

  // MARK: From off to on

  /// Begins a contact if the modem may be switched on and the reconnect floor has passed, or takes
  /// over a start for the receiver. Returns `nil` if no contact begins.
  mutating func connect(at now: Instant) -> Outcome? {
    switch state {
    // Needed again while the key is still held.
    case .pressingOn(let until, nil):
      state = .pressingOn(until: until, for: .contact)
      return nil
    case .probing(let until, .receiver) where now >= floor.end:
      state = .probing(until: until, for: .contact)
    case .pressingOn(let until, .receiver) where now >= floor.end:
      state = .pressingOn(until: until, for: .contact)
    case .starting(let askAt, let giveUpAt, .receiver) where now >= floor.end:
      state = .starting(askAt: askAt, giveUpAt: giveUpAt, for: .contact)
    case .off(let restAt, .rest) where now >= restAt && now >= floor.end:
      begin(at: now)
      return probe(for: .contact, at: now)
    case .lingering(_, .rest) where now >= floor.end && now >= sparedUntil:
      begin(at: now)
      return probe(for: .contact, at: now)
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      return nil
    }
    begin(at: now)
    return .nothing
  }

  /// Lets it join the network once before the floor has ended, as a person orders.
  mutating func waiveFloor(at now: Instant) {
    floor.waive()
    hasten(at: now)
  }

  /// Shortens what it waits for, once the floor is waived.
  mutating func hasten(at now: Instant) {
    if case .faulted(let until) = state {
      state = .faulted(until: min(until, now + Bounds.urgentFaultPause))
    }
    spareLess(until: now + Bounds.urgentFaultPause)
    // Switched off in a power cycle, it may be waiting for the floor: the gap that it needs counts
    // from here.
    guard case .off(let restAt, .restart(let purpose)) = state else { return }
    state = .off(restAt: min(restAt, now + board.offOnGap), then: .restart(purpose))
  }

  private mutating func begin(at now: Instant) {
    endSparing(at: now)
    cycles = 0
    rates.begin()
    floor.join(at: now)
  }

  /// Wakes a modem that rests with its radio off, for the receiver inside it.
  mutating func serve(at now: Instant) -> Outcome {
    guard board.rest == .radioOff, case .off(let restAt, .rest) = state, now >= restAt else {
      return .nothing
    }
    cycles = 0
    rates.begin()
    return probe(for: .receiver, at: now)
  }

  private mutating func probe(for purpose: Purpose, at now: Instant) -> Outcome {
    // STATUS says that it is off: no question is needed.
    let isKnownOff = status.isOn == false && board.hasPowerKey
    state = .probing(until: isKnownOff ? now : now + Bounds.attentionInterval, for: purpose)
    return isKnownOff ? .forget : .probe
  }

  /// Switches it on again in a power cycle.
  mutating func restart(for purpose: Purpose, at now: Instant) -> Outcome {
    floor.restart(joins: purpose == .contact, at: now)
    if board.hasPowerKey { return probe(for: purpose, at: now) }
    state = .starting(
      askAt: now + Bounds.attentionInterval, giveUpAt: now + board.bootLimit, for: purpose)
    return .reset
  }

  /// The modem has answered AT.
  mutating func answered(_ bearer: Bearer, at now: Instant) {
    isMute = false
    hasEverAnswered = true
    rates.answered()
    if purpose == .contact { floor.answered() }
    state = .on(purpose == .contact ? NetworkJoining(bearer, at: now) : nil)
  }

  /// It has registered.
  mutating func joined(into sink: inout some EffectSink & ~Copyable) {
    (cycles, wasTriedEarly) = (0, false)
    rates.begin()
    checkStatus(into: &sink)
  }

  /// It has answered for a while: its STATUS line must say that it is on.
  mutating func checkStatus(into sink: inout some EffectSink & ~Copyable) {
    if status.isOn == false && status.contradict() { sink.note(.modemStatusContradicted) }
  }

  /// Its port is back during the probe: repeats the probe.
  mutating func probeAnew(at now: Instant) -> Outcome { probe(for: purpose, at: now) }

  /// A slow modem's answer takes longer.
  mutating func prolongProbe(until end: Instant) {
    guard case .probing(let until, let purpose) = state else { return }
    state = .probing(until: max(until, end), for: purpose)
  }

  /// It does not answer: changes to the next rate at which to ask it, until `end`. Returns whether
  /// there is one. One that has never answered is power-cycled first.
  mutating func tryNextRate(until end: Instant) -> Bool {
    guard hasEverAnswered || cycles >= Bounds.powerCycles, rates.next(isBrief: cycles == 0) else {
      return false
    }
    state = .starting(askAt: end, giveUpAt: end, for: purpose)
    return true
  }

  /// Commands in a row without an answer before it counts as mute. One that has only said that it
  /// is there, at another rate before its power was cycled, may have no rate, its port being on
  /// USB: then it is as mute as before.
  var mutePatience: Int32 { cycles == 0 && rates.isOnTrial ? 1 : Bounds.mutePatience }

  /// The same for one that is to switch off its radio: the rates, again and again.
  mutating func tryNextRateOff() -> Bool {
    guard board.rest == .radioOff, case .lingering(let lingering, _) = state,
      lingering.tries > Bounds.offPatience + Bounds.offPatience
    else { return false }
    rates.turn()
    return true
  }

  /// Whether it has restarted, ordered or not, since it was last in the network.
  var hasRestarted: Bool { cycles > 0 }

  /// Whether it may restart once more without a power cycle.
  var mayBeginAnew: Bool { cycles < Bounds.powerCycles }

  /// It has restarted: goes back to `starting`.
  mutating func beginAnew(at now: Instant) {
    cycles += 1
    state = .starting(askAt: now, giveUpAt: now + board.bootLimit, for: purpose)
  }

  /// Sets the instant of the next question, if questions are still due.
  mutating func ask(at askAt: Instant) {
    if case .starting(_, let giveUpAt, let purpose) = state {
      state = .starting(askAt: askAt, giveUpAt: giveUpAt, for: purpose)
    }
    network?.ask(at: askAt)
  }

  // MARK: From on to off

  /// No longer needed for a contact. Returns whether it has to be stopped.
  mutating func release() -> Bool {
    switch state {
    case .off(let restAt, .restart(.contact)): state = .off(restAt: restAt, then: .rest)
    case .lingering(let lingering, .restart(.contact)): state = .lingering(lingering, then: .rest)
    case .pressingOff(let until, .restart(.contact)):
      state = .pressingOff(until: until, then: .rest)
    case .stopping(let until, let answer, .restart(.contact)):
      state = .stopping(until: until, after: answer, then: .rest)
    // The key is released first; then the modem is stopped if it is still not needed.
    case .pressingOn(let until, .contact): state = .pressingOn(until: until, for: nil)
    case .probing(_, .contact), .starting(_, _, .contact): return true
    case .on(.some): return network?.release() ?? false
    // A start for the receiver continues, and so does its power cycle: begun anew each time, its
    // cycles would never be counted.
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      return false
    }
    return false
  }

  /// It is being told to switch off, or its radio if that is how it rests.
  mutating func stop(at now: Instant) {
    if case .starting = state { rates.end() }
    switch board.rest {
    case .off:
      state = .stopping(until: now + board.powerOffTime, after: .none, then: .rest)
    case .radioOff: linger(from: now, then: .rest)
    }
  }

  /// It may still be on.
  mutating func linger(from askAt: Instant, then sequel: Sequel) {
    state = .lingering(Lingering(askAt: askAt), then: sequel)
  }

  /// It cannot have received the command yet.
  mutating func lingerAnew(from askAt: Instant) { linger(from: askAt, then: sequel) }

  /// The command to switch off was sent.
  mutating func toldOff(at now: Instant) {
    guard case .lingering(var lingering, let sequel) = state else { return }
    lingering.tries = min(lingering.tries + 1, 1000)
    let isLong = lingering.tries > Bounds.offPatience
    lingering.askAt = now + (isLong ? Bounds.offInterval : Bounds.pollInterval)
    state = .lingering(lingering, then: sequel)
  }

  /// The command to switch itself or its radio off was answered. `isConfirmed`: the OK certainly
  /// belongs to that command.
  mutating func offAnswered(isDone: Bool, isConfirmed: Bool, at now: Instant) {
    switch state {
    case .lingering(_, let sequel) where isConfirmed:
      switch board.rest {
      case .off:
        state = .stopping(
          until: now + board.powerOffTime, after: .confirmed, then: sequel)
      case .radioOff: rest(from: now)
      }
    case .lingering(var lingering, let sequel) where isDone:
      lingering.askAt = now
      state = .lingering(lingering, then: sequel)
    case .stopping(let until, _, let sequel):
      let answer: OffAnswer = isConfirmed ? .confirmed : .assumed
      state = .stopping(until: until, after: isDone ? answer : .none, then: sequel)
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .faulted: return
    }
  }

  /// Whether to tell it by the other command: it has refused the usual one, perhaps because it was
  /// busy, and again.
  var isRefusingRadioOff: Bool {
    guard case .lingering(let lingering, _) = state else { return false }
    return lingering.refusals > 1 && lingering.refusals % 2 == 0
  }

  /// It has refused to switch its radio off: another command is tried, then what the board can do.
  ///
  /// - Parameter isServing: its receiver is needed.
  mutating func offRefused(
    isServing: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    guard board.rest == .radioOff, case .lingering(var lingering, let sequel) = state else {
      return .nothing
    }
    if lingering.refusals < 250 { lingering.refusals += 1 }
    if lingering.refusals >= Bounds.offRefusals {
      // The pin is active whenever the radio is not wanted.
      if board.hasFlightMode {
        rest(from: now)
        return .nothing
      }
      if board.hasPowerKey && !isServing { return pressOff(then: sequel, at: now, into: &sink) }
      if lingering.refusals == Bounds.offRefusals { sink.note(.radioStaysOn) }
    }
    state = .lingering(lingering, then: sequel)
    return .nothing
  }

  /// The command to switch off has timed out. If the modem was to switch itself off, or its key was
  /// held for that, silence means that it is off.
  mutating func offUnanswered(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    guard case .lingering(var lingering, let sequel) = state else { return .nothing }
    // It is on, and cannot answer or cannot yet.
    let isSilent = status.isOn == true && !lingering.isKeyTried
    if !isSilent && (board.rest == .off || lingering.isKeyTried) {
      rest(from: now + board.offOnGap)
      return .forget
    }
    if board.hasPowerKey && lingering.tries > 1 {
      return pressOff(then: sequel, at: now, into: &sink)
    }
    lingering.askAt = min(lingering.askAt, now + Bounds.pollInterval)
    state = .lingering(lingering, then: sequel)
    return .nothing
  }

  mutating func pressOff(
    then sequel: Sequel, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    // The key would switch it on.
    let pulse = status.isOn == false ? 0 : board.powerOffPulse
    if pulse > 0 { sink.pulse(.modemPowerKey, pulse) }
    state = .pressingOff(until: now + pulse, then: sequel)
    return .forget
  }

  /// It is off, or at rest. If it is to restart and may have been in the network, it waits for the
  /// reconnect floor.
  mutating func rest(from restAt: Instant) {
    let isHeldBack = sequel != .rest && floor.hasAnswered
    state = .off(
      restAt: max(isHeldBack ? max(restAt, floor.end) : restAt, sparedUntil), then: sequel)
  }

  /// Serving the receiver is finished. `isConfirmed`: its radio is certainly off.
  mutating func endServing(isConfirmed: Bool, at now: Instant) {
    if isConfirmed { rest(from: now) } else { linger(from: now, then: .rest) }
  }

  /// It has started by itself, or its port is back: its radio may be on.
  mutating func appeared(at now: Instant) -> Outcome {
    guard board.rest == .radioOff, !isRestarting else { return .nothing }
    if case .faulted(let until) = state { leaveFault(early: until) }
    linger(from: now, then: .rest)
    return .forget
  }

  /// Its port disappeared or is back while it was told to switch off. The port disappears with the
  /// power.
  mutating func lineChangedLingering(isPresent: Bool, at now: Instant) -> Outcome {
    guard isPresent || board.rest == .off else { return .nothing }
    if isPresent { lingerAnew(from: now) } else { rest(from: now + board.offOnGap) }
    return .forget
  }

  // MARK: Time

  /// Handles a deadline in any state but `starting` and `on`.
  mutating func deadlineReached(
    isInStep: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    switch state {
    case .off(let restAt, .restart(let purpose)) where now >= restAt:
      return restart(for: purpose, at: now)
    case .lingering(_, .restart(let purpose)) where now >= floor.end:
      return restart(for: purpose, at: now)
    // It is on, and its key would switch it off.
    case .probing(let until, let purpose) where now >= until && status.isOn == true:
      state = .starting(askAt: now, giveUpAt: now + board.bootLimit, for: purpose)
    case .probing(let until, let purpose) where now >= until:
      pressOn(for: purpose, at: now, into: &sink)
    case .pressingOn(let until, let purpose) where now >= until:
      guard let purpose else { return .stop }
      state = .starting(
        askAt: now + Bounds.attentionInterval, giveUpAt: now + board.bootLimit, for: purpose)
    case .pressingOff(let until, let sequel) where now >= until:
      let isOff = status.isOn == false
      let end = isOff ? now : now + board.powerOffTime
      state =
        sequel == .rest && !isOff
        ? .lingering(Lingering(askAt: end, isKeyTried: true), then: .rest)
        : .stopping(until: end, after: .assumed, then: sequel)
    case .stopping(let until, let answer, _) where now >= until:
      return stopped(after: answer, isInStep: isInStep, at: now, into: &sink)
    case .faulted(let until) where now >= until:
      wasTriedEarly = false
      restAfterFault(at: now)
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      break
    }
    return .nothing
  }

  private mutating func pressOn(
    for purpose: Purpose, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard board.hasPowerKey else {
      // It may already be booting; there is nothing else to do.
      state = .starting(askAt: now, giveUpAt: now + board.bootLimit, for: purpose)
      return
    }
    sink.pulse(.modemPowerKey, board.powerOnPulse)
    state = .pressingOn(until: now + board.powerOnPulse, for: purpose)
  }

  /// The time for switching itself off has passed. If it has answered in this contact but not to
  /// that command it is mute and would stay on: its key is pressed. If it has never answered it may
  /// have been starting, and is told once more.
  private mutating func stopped(
    after answer: OffAnswer, isInStep: Bool, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    if status.isOn == false {
      rest(from: now + board.offOnGap)
      return .nothing
    }
    if answer == .none && floor.hasAnswered && board.hasPowerKey {
      return pressOff(then: sequel, at: now, into: &sink)
    }
    // It has had the time to switch off.
    if answer == .confirmed && status.isOn == true && status.contradict() {
      sink.note(.modemStatusContradicted)
    }
    // If out of step the OK may belong to another command.
    if answer == .none || !isInStep {
      lingerAnew(from: now)
    } else {
      rest(from: now + board.offOnGap)
    }
    return .nothing
  }
}
