// Handles deadlines, and recovers a modem that does not respond.
extension Modem {
  mutating func deadlineReached(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch engine.deadlineReached(at: now) {
    case .silent(let command): silent(command, at: now, into: &sink)
    case .done(let command): finished(command, isDone: true, code: nil, at: now, into: &sink)
    case .nothing, .failed, .told: break
    }
    switch power.state {
    case .on(let network?):
      if network.isOver(at: now, slack: slack) { giveUp(network, at: now, into: &sink) }
    case .on(nil): break
    case .starting(_, let giveUpAt, _): if now >= giveUpAt { powerCycle(at: now, into: &sink) }
    case .off, .lingering, .probing, .pressingOn, .pressingOff, .stopping, .faulted:
      let outcome = power.deadlineReached(isInStep: engine.isInStep, at: now, into: &sink)
      perform(outcome, at: now, into: &sink)
    }
    work(at: now, into: &sink)
  }

  // MARK: The ladder

  /// A command has timed out: it is sent again, until the modem counts as mute.
  private mutating func silent(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard isListening else { return }
    if case .lingering = power.state { return offUnanswered(command, at: now, into: &sink) }
    agenda.silent(command)
    // Nothing depends on it.
    if command == .networkOperator { return sink.note(.networkOperator(OperatorName())) }
    guard engine.silences >= power.mutePatience else {
      sink.note(.modemRecovery(.askAgain))
      return power.ask(at: now)
    }
    // A bearer that is up or coming up matters more than an answer.
    if power.network?.isInNetwork ?? false { return agenda.clear() }
    powerCycle(at: now, into: &sink)
  }

  /// The time limit for what it was doing has passed.
  private mutating func giveUp(
    _ network: NetworkJoining, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch network.state {
    // If the last command timed out the modem is mute, and neither SIM nor network is to blame; once
    // registered only after several: some do not tell their operator.
    case .checkingSIM where engine.silences > 0, .searching where engine.silences > 0,
      .registered where engine.silences >= Bounds.mutePatience, .cyclingRadio:
      powerCycle(at: now, into: &sink)
    case .checkingSIM: giveUp(sim.waitingFor, at: now, into: &sink)
    case .searching(let search):
      patience.failed(isDenied: search.waitingFor == .registrationDenied, at: now)
      giveUp(search.waitingFor, at: now, into: &sink)
    case .registered: lackBearer(at: now, into: &sink)
    case .texting(let id, _, _): textFinished(id, wasSent: false, at: now, into: &sink)
    case .attached, .inUse: return
    }
  }

  /// Registered, but without a bearer: restarts the radio unless that would reconnect too soon.
  private mutating func lackBearer(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard contact.radioCycles < Bounds.radioCycles, now >= floorEnd else {
      return giveUp(.noBearer, at: now, into: &sink)
    }
    contact.radioCycles += 1
    sink.note(.modemRecovery(.radioCycle))
    leaveNetwork(at: now, into: &sink)
    power.network?.cycleRadio(at: now)
    engine.send(.radioOff, at: now, into: &sink)
  }

  mutating func powerCycle(
    isMute: Bool = true, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    leaveNetwork(at: now, into: &sink)
    engine.restart()
    receiver.forget()
    agenda.clear()
    if isMute && hasLine && askOtherwise(at: now, into: &sink) { return }
    perform(power.cycle(isMute: isMute, at: now, into: &sink), at: now, into: &sink)
  }

  /// It does not answer: tells it to answer in words, at its rate and others.
  ///
  /// - Returns: whether there was anything left to try.
  private mutating func askOtherwise(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    let before = power.rates.rate
    let isAsked = power.tryNextRate(until: now + engine.limit(of: .wordAnswers))
    tune(from: before, into: &sink)
    if isAsked { engine.send(.wordAnswers, at: now, into: &sink) }
    return isAsked
  }

  /// Sets the rate of its line if that has changed.
  mutating func tune(from before: Int8, into sink: inout some EffectSink & ~Copyable) {
    let rate = power.rates.rate
    if rate != before { sink.setModemBaud(LineRate.likely(rate)) }
  }
}
