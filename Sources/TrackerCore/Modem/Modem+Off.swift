// From letting go of a modem to being sure that it, or its radio, is off.
extension Modem {
  /// What it is told when nobody wants it any more.
  private var offCommand: ModemCommand { board.rest == .off ? .powerOff : .radioOff }

  /// It is not certain that it is off.
  mutating func linger(from askAt: Instant) { state = .lingering(Lingering(askAt: askAt)) }

  /// Tells it to switch off.
  ///
  /// Out of step an OK may be another command's. Then the order goes out all the same, and once
  /// more behind a question whose answer puts the engine into step; and as that answer may be lost
  /// too, both ways take turns.
  mutating func tellOff(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard case .lingering(var lingering) = state else { return }
    // Three questions have each waited for their answers in vain: what is owed does not come any
    // more.
    if engine.isAtALoss && engine.isIdle { engine.restart() }
    if engine.isInStep && engine.isIdle || lingering.tries % 2 == 1 {
      engine.send(offCommand, at: now, into: &sink)
    } else {
      engine.insist(offCommand, at: now, into: &sink)
    }
    lingering.tries = min(lingering.tries + 1, 1000)
    let isLong = lingering.tries > Bounds.offPatience
    lingering.askAt = now + (isLong ? Bounds.offInterval : Bounds.pollInterval)
    state = .lingering(lingering)
  }

  /// An answer to the order to switch itself or its radio off.
  mutating func offAnswered(
    _ command: ModemCommand, isDone: Bool, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    let isConfirmed = isDone && engine.isInStep
    switch state {
    case .lingering(var lingering) where command == offCommand:
      if isConfirmed { return off(at: now) }
      guard isDone else { return }
      lingering.askAt = now
      state = .lingering(lingering)
    case .stopping: isOffUnanswered = !isDone
    case .cyclingRadio where command == .radioOff:
      lastConnect = now
      engine.send(.radioOn, at: now, into: &sink)
    case .serving:
      if isConfirmed { missed.remove(command) } else { missed.insert(command) }
    case .off, .lingering, .probing, .pressingOn, .starting, .checkingSIM, .searching, .registered,
      .attached, .inUse, .texting, .cyclingRadio, .pressingOff, .faulted, .wired:
      return
    }
  }

  private mutating func off(at now: Instant) {
    switch board.rest {
    case .off: state = .stopping(until: now + board.powerOffTime)
    case .radioOff: rest(from: now)
    }
  }

  /// It did not answer in time. One that was to switch itself off, or whose key was held for that,
  /// is off: nobody answers.
  mutating func offUnanswered(
    _ command: ModemCommand, _ lingering: Lingering, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    agenda.remove(command)
    guard command == offCommand else { return }
    if board.rest == .off || lingering.isKeyTried {
      engine.restart()
      receiverState = nil
      return rest(from: now + board.offOnGap)
    }
    guard board.hasPowerKey && lingering.tries > 1 else {
      var lingering = lingering
      lingering.askAt = min(lingering.askAt, now + Bounds.pollInterval)
      state = .lingering(lingering)
      return
    }
    engine.restart()
    pressOff(at: now, into: &sink)
  }

  mutating func pressOff(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    receiverState = nil
    sink.push(.setPin(.modemPowerKey, isHigh: true))
    state = .pressingOff(until: now + board.powerOffPulse)
  }

  /// What was done for the receiver is done.
  mutating func endServing(at now: Instant) {
    if missed.contains(.radioOff) { linger(from: now) } else { state = .off(restAt: now) }
  }

  mutating func endFault(at now: Instant) {
    if board.hasPowerKey { rest(from: now) } else { linger(from: now) }
  }

  /// It has started by itself, or its port is there again: its radio is on as far as anybody knows.
  mutating func appeared(at now: Instant) {
    receiverState = nil
    guard board.rest == .radioOff, !isRestarting else { return }
    engine.restart()
    linger(from: now)
  }

  /// A port goes with the power.
  mutating func lineChangedLingering(isPresent: Bool, at now: Instant) {
    guard isPresent || board.rest == .off else { return }
    engine.restart()
    receiverState = nil
    if isPresent { linger(from: now) } else { rest(from: now + board.offOnGap) }
  }
}
