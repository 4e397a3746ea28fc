/// The supply of a modem: from off to on, and back to what is certainly off.
///
/// `Modem` tells it what has happened and does what comes of it. Which state can follow which
/// stands in `ModemStep`.
struct ModemPower: Sendable, Equatable {
  private(set) var state: State {
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
  private var cycles: Int32 = 0
  #if DEBUG
    /// For the test that holds them against `ModemStep`.
    private(set) var taken = Transitions()
  #endif

  init(_ board: ModemBoard, reconnectFloor: Milliseconds, at now: Instant) {
    self.board = board
    floor = ReconnectFloor(interval: reconnectFloor)
    // Without a key it has been on all the time: with its radio on if the last run ended during a
    // contact.
    state =
      board.rest == .radioOff && !board.hasPowerKey
      ? .lingering(Lingering(askAt: now), then: .rest) : .off(restAt: .start, then: .rest)
  }

  // MARK: Questions

  /// The way into the network; `nil` unless it is on for that. Set, it stays on.
  var network: NetworkJoining? {
    get { if case .on(let network) = state { network } else { nil } }
    set { if case .on(.some) = state, let newValue { state = .on(newValue) } }
  }

  var isRestarting: Bool {
    switch state {
    case .off(_, .restart), .lingering(_, .restart), .pressingOff(_, .restart),
      .stopping(_, _, .restart):
      true
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      false
    }
  }

  /// When `connect` would take effect; `nil` while it is not off.
  var connectableAt: Instant? {
    switch state {
    case .off(let restAt, .rest): max(restAt, floor.end)
    case .lingering(_, .rest): floor.end
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      nil
    }
  }

  /// The next instant at which it wants to act. `isIdle`: nothing is being asked.
  func deadline(isIdle: Bool) -> Instant? {
    switch state {
    case .off(let restAt, .restart): restAt
    case .off(_, .rest): nil
    case .lingering(let lingering, let sequel):
      switch (sequel, isIdle) {
      case (.rest, true): lingering.askAt
      case (.rest, false): nil
      case (.restart, true): min(floor.end, lingering.askAt)
      case (.restart, false): floor.end
      }
    case .probing(let until, _), .pressingOn(let until, _), .pressingOff(let until, _),
      .stopping(let until, _, _), .faulted(let until):
      until
    case .starting(let askAt, let giveUpAt, _): isIdle ? min(askAt, giveUpAt) : giveUpAt
    case .on(let network): network?.deadline(isIdle: isIdle)
    }
  }

  /// What it is on, or on its way up, for.
  private var purpose: Purpose {
    switch state {
    case .probing(_, .contact), .pressingOn(_, .contact), .starting(_, _, .contact), .on(.some):
      .contact
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      .receiver
    }
  }

  /// What comes after off, as it stands.
  private var sequel: Sequel {
    switch state {
    case .off(_, let sequel), .lingering(_, let sequel), .pressingOff(_, let sequel),
      .stopping(_, _, let sequel):
      sequel
    case .probing, .pressingOn, .starting, .on, .faulted: .rest
    }
  }

  // MARK: From off to on

  /// Wanted for a contact: if it is off, rested, and the reconnect floor has passed, or on its way
  /// up for its receiver alone. Returns `nil` where no contact begins by that.
  mutating func connect(at now: Instant) -> Outcome? {
    switch state {
    // Wanted again while the key is still held.
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
    case .lingering(_, .rest) where now >= floor.end:
      begin(at: now)
      return probe(for: .contact, at: now)
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      return nil
    }
    begin(at: now)
    return .nothing
  }

  private mutating func begin(at now: Instant) {
    cycles = 0
    floor.join(at: now)
  }

  /// Wakes one that rests with its radio off for the receiver inside it.
  mutating func serve(at now: Instant) -> Outcome {
    guard board.rest == .radioOff, case .off(let restAt, .rest) = state, now >= restAt else {
      return .nothing
    }
    cycles = 0
    return probe(for: .receiver, at: now)
  }

  private mutating func probe(for purpose: Purpose, at now: Instant) -> Outcome {
    state = .probing(until: now + Bounds.attentionInterval, for: purpose)
    return .probe
  }

  /// Up again after a power cycle.
  private mutating func restart(for purpose: Purpose, at now: Instant) -> Outcome {
    floor.restart(at: now)
    if board.hasPowerKey { return probe(for: purpose, at: now) }
    state = .starting(
      askAt: now + Bounds.attentionInterval, giveUpAt: now + board.bootLimit, for: purpose)
    return .reset
  }

  /// The modem is there.
  mutating func answered(_ bearer: Bearer, at now: Instant) {
    if purpose == .contact { floor.answered() }
    state = .on(purpose == .contact ? NetworkJoining(bearer, at: now) : nil)
  }

  /// It is in the network.
  mutating func joined() { cycles = 0 }

  /// Its port is back while it is asked: it is asked anew.
  mutating func probeAnew(at now: Instant) -> Outcome { probe(for: purpose, at: now) }

  /// Whether it is given another chance without a power cycle.
  var mayBeginAnew: Bool { cycles < Bounds.powerCycles }

  /// It is asked from the beginning.
  mutating func beginAnew(at now: Instant) {
    cycles += 1
    state = .starting(askAt: now, giveUpAt: now + board.bootLimit, for: purpose)
  }

  /// Moves the next question to an instant, where it is still being asked.
  mutating func ask(at askAt: Instant) {
    if case .starting(_, let giveUpAt, let purpose) = state {
      state = .starting(askAt: askAt, giveUpAt: giveUpAt, for: purpose)
    }
    network?.ask(at: askAt)
  }

  // MARK: From on to off

  /// Not wanted for a contact any more. Returns whether it has to be stopped for that.
  mutating func release() -> Bool {
    switch state {
    case .off(let restAt, .restart): state = .off(restAt: restAt, then: .rest)
    case .lingering(let lingering, .restart): state = .lingering(lingering, then: .rest)
    case .pressingOff(let until, .restart): state = .pressingOff(until: until, then: .rest)
    case .stopping(let until, let isUnanswered, .restart):
      state = .stopping(until: until, isUnanswered: isUnanswered, then: .rest)
    // A key that is held is let go first; then it is looked whether anybody wants it any more.
    case .pressingOn(let until, .contact): state = .pressingOn(until: until, for: nil)
    case .probing(_, .contact), .starting(_, _, .contact): return true
    case .on(.some): return network?.release() ?? false
    // What is on its way up for the receiver is not the network's to stop.
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      return false
    }
    return false
  }

  /// It is being told to switch off: by itself where it rests switched off, else its radio.
  mutating func stop(at now: Instant) {
    switch board.rest {
    case .off:
      state = .stopping(until: now + board.powerOffTime, isUnanswered: true, then: .rest)
    case .radioOff: linger(from: now, then: .rest)
    }
  }

  /// It is not certain that it is off.
  private mutating func linger(from askAt: Instant, then sequel: Sequel) {
    state = .lingering(Lingering(askAt: askAt), then: sequel)
  }

  /// It heard nothing of what it was told yet.
  mutating func lingerAnew(from askAt: Instant) { linger(from: askAt, then: sequel) }

  /// It was told to switch off.
  mutating func toldOff(at now: Instant) {
    guard case .lingering(var lingering, let sequel) = state else { return }
    lingering.tries = min(lingering.tries + 1, 1000)
    let isLong = lingering.tries > Bounds.offPatience
    lingering.askAt = now + (isLong ? Bounds.offInterval : Bounds.pollInterval)
    state = .lingering(lingering, then: sequel)
  }

  /// An answer to the order to switch itself or its radio off. `isConfirmed`: it is certainly that
  /// order's own OK.
  mutating func offAnswered(isDone: Bool, isConfirmed: Bool, at now: Instant) {
    switch state {
    case .lingering(_, let sequel) where isConfirmed:
      switch board.rest {
      case .off:
        state = .stopping(
          until: now + board.powerOffTime, isUnanswered: false, then: sequel)
      case .radioOff: rest(from: now)
      }
    case .lingering(var lingering, let sequel) where isDone:
      lingering.askAt = now
      state = .lingering(lingering, then: sequel)
    case .stopping(let until, _, let sequel):
      state = .stopping(until: until, isUnanswered: !isDone, then: sequel)
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .faulted: return
    }
  }

  /// The order to switch off was not answered in time. One that was to switch itself off, or whose
  /// key was held for that, is off: nobody answers.
  mutating func offUnanswered(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    guard case .lingering(var lingering, let sequel) = state else { return .nothing }
    if board.rest == .off || lingering.isKeyTried {
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

  private mutating func pressOff(
    then sequel: Sequel, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    sink.setPin(.modemPowerKey, isHigh: true)
    state = .pressingOff(until: now + board.powerOffPulse, then: sequel)
    return .forget
  }

  /// Off, or at rest. What is on its way up again waits for the reconnect floor if it may have been
  /// in the network since it last joined it.
  private mutating func rest(from restAt: Instant) {
    let isHeldBack = sequel != .rest && floor.hasAnswered
    state = .off(restAt: isHeldBack ? max(restAt, floor.end) : restAt, then: sequel)
  }

  /// What was done for the receiver is done. `isConfirmed`: its radio is certainly off.
  mutating func endServing(isConfirmed: Bool, at now: Instant) {
    if isConfirmed { rest(from: now) } else { linger(from: now, then: .rest) }
  }

  /// It has started by itself, or its port is there again: its radio is on as far as anybody knows.
  mutating func appeared(at now: Instant) -> Outcome {
    guard board.rest == .radioOff, !isRestarting else { return .nothing }
    linger(from: now, then: .rest)
    return .forget
  }

  /// Its port went, or is back, while it was told to switch off. A port goes with the power.
  mutating func lineChangedLingering(isPresent: Bool, at now: Instant) -> Outcome {
    guard isPresent || board.rest == .off else { return .nothing }
    if isPresent { lingerAnew(from: now) } else { rest(from: now + board.offOnGap) }
    return .forget
  }

  // MARK: Power cycles

  /// It is mute: its power goes off and on again, `Bounds.powerCycles` times.
  mutating func cycle(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    let purpose = purpose
    cycles += 1
    if cycles > Bounds.powerCycles {
      state = .faulted(until: now + Bounds.faultPause)
      return .fault(purpose)
    }
    sink.note(.modemRecovery(.powerCycle))
    if board.hasPowerKey { return pressOff(then: .restart(purpose), at: now, into: &sink) }
    // One that may have been in the network is started anew when the floor allows it, and is quiet
    // until then.
    guard floor.hasAnswered && now < floor.end else { return restart(for: purpose, at: now) }
    linger(from: now, then: .restart(purpose))
    return .tellOff
  }

  // MARK: Time

  /// What time brings, but for one that starts or is on.
  mutating func deadlineReached(
    isInStep: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    switch state {
    case .off(let restAt, .restart(let purpose)) where now >= restAt:
      return restart(for: purpose, at: now)
    case .lingering(_, .restart(let purpose)) where now >= floor.end:
      return restart(for: purpose, at: now)
    case .probing(let until, let purpose) where now >= until:
      pressOn(for: purpose, at: now, into: &sink)
    case .pressingOn(let until, let purpose) where now >= until:
      sink.setPin(.modemPowerKey, isHigh: false)
      guard let purpose else { return .stop }
      state = .starting(
        askAt: now + Bounds.attentionInterval, giveUpAt: now + board.bootLimit, for: purpose)
    case .pressingOff(let until, let sequel) where now >= until:
      sink.setPin(.modemPowerKey, isHigh: false)
      let end = now + board.powerOffTime
      state =
        sequel == .rest
        ? .lingering(Lingering(askAt: end, isKeyTried: true), then: .rest)
        : .stopping(until: end, isUnanswered: false, then: sequel)
    case .stopping(let until, let isUnanswered, _) where now >= until:
      return stopped(isUnanswered: isUnanswered, isInStep: isInStep, at: now, into: &sink)
    case .faulted(let until) where now >= until:
      if board.hasPowerKey { rest(from: now) } else { linger(from: now, then: .rest) }
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
      // It may be booting already; nothing else can be done.
      state = .starting(askAt: now, giveUpAt: now + board.bootLimit, for: purpose)
      return
    }
    sink.setPin(.modemPowerKey, isHigh: true)
    state = .pressingOn(until: now + board.powerOnPulse, for: purpose)
  }

  /// The time to switch itself off is over. One that was there in this contact and never said that
  /// it would go is mute, and would stay on: the key ends that. One that was never heard may have
  /// been starting, and is told once more.
  private mutating func stopped(
    isUnanswered: Bool, isInStep: Bool, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    if isUnanswered && floor.hasAnswered && board.hasPowerKey {
      return pressOff(then: sequel, at: now, into: &sink)
    }
    // Out of step the OK may have been another command's.
    if isUnanswered || !isInStep { lingerAnew(from: now) } else { rest(from: now + board.offOnGap) }
    return .nothing
  }
}
