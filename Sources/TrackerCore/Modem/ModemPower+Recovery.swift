// A modem that does not answer, or loses its power: it is restarted, and at last left alone.
extension ModemPower {
  // MARK: Left alone

  /// The port of a modem that is left alone because it was mute is back: it may have been mute only
  /// because it could not be reached.
  mutating func endFault(at now: Instant) {
    guard isMute, case .faulted(let until) = state else { return }
    leaveFault(early: until)
    if sparedUntil <= now { restAfterFault(at: now) }
  }

  mutating func restAfterFault(at now: Instant) {
    if board.hasPowerKey { rest(from: now) } else { linger(from: now, then: .rest) }
  }

  /// It shows up although it is to be left alone. It is tried at once, but only the first time: the
  /// key that was to switch it off may have switched it on.
  mutating func leaveFault(early end: Instant) {
    if wasTriedEarly { sparedUntil = end }
    wasTriedEarly = true
  }

  /// A contact begins.
  mutating func endSparing(at now: Instant) {
    if sparedUntil > .start { (sparedUntil, wasTriedEarly) = (.start, false) }
  }

  mutating func spareLess(until end: Instant) {
    guard sparedUntil > end else { return }
    sparedUntil = end
    if case .off(let restAt, let sequel) = state {
      state = .off(restAt: min(restAt, end), then: sequel)
    }
  }

  // MARK: STATUS

  /// It has lost its power, or has switched itself off.
  mutating func wentOff(at now: Instant) -> Outcome {
    switch state {
    case .lingering, .stopping:
      rest(from: now + board.offOnGap)
      return .forget
    case .probing(_, let purpose) where board.hasPowerKey:
      state = .probing(until: now + board.offOnGap, for: purpose)
    case .starting where board.hasPowerKey, .on: return lostPower(at: now)
    case .off, .probing, .pressingOn, .starting, .pressingOff, .faulted: break
    }
    return .nothing
  }

  /// It is switched on again as in a power cycle: after the gap that it needs and, if it may have
  /// been in the network, after the reconnect floor.
  private mutating func lostPower(at now: Instant) -> Outcome {
    let purpose = purpose
    cycles += 1
    guard cycles <= Bounds.powerCycles else {
      state = .faulted(until: now + Bounds.faultPause)
      return .fault(purpose)
    }
    state = .stopping(until: now, after: .assumed, then: .restart(purpose))
    return .forget
  }

  /// It is on although it should be off.
  mutating func wentOn(at now: Instant) -> Outcome {
    guard board.rest == .off, case .off(_, .rest) = state else { return .nothing }
    linger(from: now + Bounds.pollInterval, then: .rest)
    return .forget
  }

  // MARK: Power cycles

  /// It is mute, or restarts again and again: power-cycles it, up to `Bounds.powerCycles` times.
  mutating func cycle(
    isMute: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Outcome {
    let purpose = purpose
    self.isMute = isMute
    cycles += 1
    if cycles > Bounds.powerCycles {
      // It does not stay on in vain: each start was preceded by such a pulse.
      if isMute && board.hasPowerKey && status.isOn != false {
        sink.pulse(.modemPowerKey, board.powerOffPulse)
      }
      state = .faulted(until: now + Bounds.faultPause)
      return .fault(purpose)
    }
    sink.note(.modemRecovery(.powerCycle))
    if board.hasPowerKey { return pressOff(then: .restart(purpose), at: now, into: &sink) }
    // If it may have been in the network it is restarted when the floor allows it, with its radio
    // off until then.
    guard floor.hasAnswered && now < floor.end else { return restart(for: purpose, at: now) }
    linger(from: now, then: .restart(purpose))
    return .tellOff
  }
}
