// Time passing, and what is done when nothing comes of it.
extension Modem {
  mutating func deadlineReached(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if case .silent(let command) = engine.deadlineReached(at: now) {
      silent(command, at: now, into: &sink)
    }
    switch power.state {
    case .on(let network?): if network.isOver(at: now) { giveUp(network, at: now, into: &sink) }
    case .on(nil): break
    case .starting(_, let giveUpAt, _): if now >= giveUpAt { powerCycle(at: now, into: &sink) }
    case .off, .lingering, .probing, .pressingOn, .pressingOff, .stopping, .faulted:
      let outcome = power.deadlineReached(isInStep: engine.isInStep, at: now, into: &sink)
      perform(outcome, at: now, into: &sink)
    }
    work(at: now, into: &sink)
  }

  // MARK: The ladder

  /// A command had no answer: it is asked again, and then the modem is mute.
  private mutating func silent(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard isListening else { return }
    if case .lingering = power.state { return offUnanswered(command, at: now, into: &sink) }
    agenda.silent(command)
    guard engine.silences >= Bounds.mutePatience else {
      sink.note(.modemRecovery(.askAgain))
      return power.ask(at: now)
    }
    // A bearer that is up or coming is worth more than an answer.
    if power.network?.isInNetwork ?? false { return agenda.clear() }
    powerCycle(at: now, into: &sink)
  }

  /// The time for what it was doing is over.
  private mutating func giveUp(
    _ network: NetworkJoining, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch network.state {
    // A modem that owes its last answer is mute: it says nothing about SIM or network.
    case .checkingSIM where engine.silences > 0, .searching where engine.silences > 0,
      .cyclingRadio:
      powerCycle(at: now, into: &sink)
    case .checkingSIM: giveUp(sim.waitingFor, at: now, into: &sink)
    case .searching(let search): giveUp(search.waitingFor, at: now, into: &sink)
    case .registered: lackBearer(at: now, into: &sink)
    case .texting(let id, _, _): textFinished(id, wasSent: false, at: now, into: &sink)
    case .attached, .inUse: return
    }
  }

  /// In the network, and no bearer: the radio starts anew if that does not join too often.
  private mutating func lackBearer(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard contact.radioCycles < Bounds.radioCycles, now >= floorEnd else {
      return giveUp(.noBearer, at: now, into: &sink)
    }
    contact.radioCycles += 1
    sink.note(.modemRecovery(.radioCycle))
    leaveNetwork(into: &sink)
    power.network?.cycleRadio(at: now)
    engine.send(.radioOff, at: now, into: &sink)
  }

  mutating func powerCycle(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    leaveNetwork(into: &sink)
    engine.restart()
    receiver.forget()
    agenda.clear()
    perform(power.cycle(at: now, into: &sink), at: now, into: &sink)
  }
}
