// What a modem says by itself, and what happens to its link and its line.
extension Modem {
  mutating func hear(
    _ line: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    // While the host speaks to the modem its lines are the host's.
    if power.network?.isHostSpeaking ?? false { return }
    switch engine.hear(line, at: now, into: &sink) {
    case .nothing, .silent: break
    case .told(let fact): learn(fact, at: now, into: &sink)
    case .done(let command): finished(command, isDone: true, code: nil, at: now, into: &sink)
    case .failed(let command, let code):
      finished(command, isDone: false, code: code, at: now, into: &sink)
    }
    work(at: now, into: &sink)
  }

  mutating func linkChanged(
    isUp: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let hadLink = power.network?.hasLink ?? false
    guard power.network?.linkChanged(isUp: isUp, at: now) ?? false else { return }
    closeLink(if: hadLink, into: &sink)
    work(at: now, into: &sink)
  }

  /// Closes a bearer that went down: registered again, the modem has it opened anew.
  mutating func closeLink(if hadLink: Bool, into sink: inout some EffectSink & ~Copyable) {
    guard hadLink, let network = power.network, !network.hasLink else { return }
    sink.setLink(isUp: false)
  }

  /// Its port was unplugged, or is back. A modem on USB takes its port along when it is switched
  /// off; when it was not, it begins anew.
  mutating func lineChanged(
    isPresent: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch power.state {
    case .off where isPresent: appeared(at: now, into: &sink)
    case .lingering:
      let outcome = power.lineChangedLingering(isPresent: isPresent, at: now)
      perform(outcome, at: now, into: &sink)
    case .probing where isPresent: perform(power.probeAnew(at: now), at: now, into: &sink)
    case .starting where isPresent: askAnew(at: now)
    case .on: beginAnew(at: now, into: &sink)
    // The port went with the power: it has switched itself off.
    case .stopping where !isPresent:
      power.offAnswered(isDone: true, isConfirmed: false, at: now)
      engine.restart()
    case .off, .probing, .pressingOn, .starting, .pressingOff, .stopping, .faulted: return
    }
    work(at: now, into: &sink)
  }

  /// It has started by itself, or its port is there again.
  private mutating func appeared(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    receiver.forget()
    perform(power.appeared(at: now), at: now, into: &sink)
  }

  /// It has started anew by itself, or nobody knows what it has been doing. One that does so again
  /// and again is at fault.
  private mutating func beginAnew(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard power.mayBeginAnew else { return powerCycle(at: now, into: &sink) }
    leaveNetwork(into: &sink)
    power.beginAnew(at: now)
    engine.restart()
    receiver.forget()
  }

  private mutating func askAnew(at now: Instant) {
    engine.restart()
    power.ask(at: now)
  }

  // MARK: Facts

  private mutating func learn(
    _ fact: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch fact {
    case .begins: begins(at: now, into: &sink)
    case .ready: askAgain(at: now, into: &sink)
    case .sim(let word):
      sim.hear(word)
      askAgain(at: now, into: &sink)
    case .simGone: simGone(at: now, into: &sink)
    case .pinTries(let left): sim.hear(triesLeft: left)
    case .registration(let domain, let registration):
      if engine.awaited != .registration { return power.ask(at: now) }
      power.network?.hear(registration, domain)
    case .signal(let dBm): if let dBm { sink.note(.signal(dBm: dBm)) }
    case .supply(let millivolts): sink.note(.modemSupply(millivolts: millivolts))
    case .digits(let digits):
      let isSubscriber = engine.awaited == .subscriber
      agenda.learned(isSubscriber ? .subscriber : .equipment)
      sink.note(isSubscriber ? .subscriber(digits) : .equipment(digits))
    case .ok, .error, .equipmentError, .echo, .other: return
    }
  }

  /// A modem that starts understands from here on: the question that it may have missed once more.
  private mutating func askAgain(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard case .starting = power.state else { return }
    power.ask(at: now + Bounds.attentionInterval)
    engine.send(.attention, at: now, into: &sink)
  }

  /// The first words of a modem that starts.
  private mutating func begins(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch power.state {
    case .starting:
      engine.modemBegins()
      power.ask(at: now)
    // It is on its way: its key must not be pressed.
    case .probing, .on: beginAnew(at: now, into: &sink)
    case .off, .faulted: appeared(at: now, into: &sink)
    // It hears nothing yet.
    case .lingering:
      engine.restart()
      power.lingerAnew(from: now + Bounds.attentionInterval)
    case .pressingOn, .pressingOff, .stopping: return
    }
  }

  private mutating func simGone(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch power.network?.state {
    case .checkingSIM: sim.gone()
    case .searching, .registered, .attached, .inUse, .cyclingRadio:
      leaveNetwork(into: &sink)
      agenda.simGone()
      sim.begin()
      sim.gone()
      power.network?.checkSIM(at: now)
    case .texting, nil: return
    }
  }
}
