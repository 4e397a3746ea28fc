// Handles a modem's answers, and chooses the next question.
extension Modem {
  mutating func finished(
    _ command: ModemCommand, isDone: Bool, code: Int32?, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    agenda.finished(command)
    if command.answer == .named { power.rates.prove() }
    switch command {
    // Even an error shows that the modem is there.
    case .attention, .wordAnswers:
      needsWords = needsWords || command == .wordAnswers
      answered(at: now)
    case .simStatus:
      guard isCheckingSIM else { return }
      if sim.isRefusal(code) { return pinAnswered(isAccepted: false, at: now, into: &sink) }
      ask(sim.statusAnswered(isDone: isDone, code: code, engine), at: now, into: &sink)
    case .pinTries:
      guard isCheckingSIM else { return }
      ask(sim.triesAnswered(engine), at: now, into: &sink)
    case .enterPIN: pinAnswered(isAccepted: isDone, at: now, into: &sink)
    case .registration, .circuitRegistration, .packetRegistration, .epsRegistration:
      if command == .registration && !isDone { asksByDomain = true }
      registrationAnswered(isRefused: !isDone, at: now, into: &sink)
    case .radioOff, .minimumFunction, .powerOff:
      offAnswered(command, isDone: isDone, at: now, into: &sink)
    case .radioOn: if power.network?.isCyclingRadio ?? false { search(at: now) }
    case .receiverOn, .receiverOff: receiver.told(isOn: command == .receiverOn)
    case .signal: if isCheckingSIM { ask(sim.signalAnswered(engine), at: now, into: &sink) }
    case .networkOperator: if !isDone { sink.note(.networkOperator(OperatorName())) }
    // The one that is stored in the modem, or the network's, may do.
    case .definePDP: if !isDone { sink.note(.accessPointRefused) }
    case .reportErrors, .subscriber, .equipment, .supply, .storeTexts, .reset: break
    }
  }

  private var isCheckingSIM: Bool { power.network?.isCheckingSIM ?? false }

  /// The modem has answered AT.
  private mutating func answered(at now: Instant) {
    switch power.state {
    case .probing, .starting: power.answered(bearer, at: now)
    case .off, .lingering, .pressingOn, .on, .pressingOff, .stopping, .faulted: return
    }
    agenda.begin(joins: power.network != nil, rest: board.rest, isSlow: engine.isSlow)
    agenda.planReceiver(receiver.order)
    if power.network != nil { sim.begin() }
  }

  /// Sends the next command for unlocking the SIM.
  private mutating func ask(
    _ command: ModemCommand?, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard let command else { return }
    if command == .enterPIN { sink.push(.rememberPIN(isTried: true)) }
    engine.send(command, at: now, into: &sink)
  }

  private mutating func pinAnswered(
    isAccepted: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard isCheckingSIM else { return }
    sim.pinAnswered(isAccepted: isAccepted)
    if !isAccepted { sink.note(.pinRefused) }
    power.network?.checkSIM(at: now)
  }

  private mutating func simIsReady(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if sim.accepted() { sink.push(.rememberPIN(isTried: false)) }
    agenda.planSearch(hasAccessPoint: hasAccessPoint)
    search(at: now)
  }

  mutating func search(at now: Instant) {
    patience.abandoned(at: now)
    let search = NetworkSearch(patience.terms(at: now), asksByDomain: asksByDomain, at: now)
    patience.searchBegins(at: now)
    power.network?.search(search)
  }

  private mutating func registrationAnswered(
    isRefused: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard let coverage = power.network?.registrationAnswered(isRefused: isRefused, at: now)
    else { return }
    contact.canText = coverage != .nothing
    // The text message of an emergency takes seconds, and needs no bearer, which may take minutes
    // to fail.
    if contact.canText, let errand = lastResort.beginUrgent(at: now) {
      return text(errand, then: .search, at: now, into: &sink)
    }
    guard coverage == .data else { return }
    patience.found(at: now)
    power.joined(into: &sink)
    agenda.planReadings(isSlow: engine.isSlow)
    if bearer == .interface { sink.setLink(isUp: true) }
  }

  // MARK: Questions

  /// Does what can be done now: advances where the last answer allows it, and sends the next
  /// question.
  mutating func work(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    serveReceiver(at: now, into: &sink)
    guard engine.isIdle else { return }
    switch power.state {
    case .on(nil):
      if agenda.isEmpty { power.endServing(isConfirmed: agenda.isRadioOff, at: now) }
    case .on(let network?):
      if network.isCheckingSIM && sim.isReady { simIsReady(at: now, into: &sink) }
      if agenda.isEmpty { power.network?.lineIsFree() }
    case .lingering(let lingering, _):
      if agenda.isEmpty && now >= lingering.askAt { tellOff(at: now, into: &sink) }
    case .off, .probing, .pressingOn, .starting, .pressingOff, .stopping, .faulted: break
    }
    guard let question = nextQuestion(at: now) else { return }
    engine.send(question, at: now, into: &sink)
  }

  private mutating func nextQuestion(at now: Instant) -> ModemCommand? {
    switch power.state {
    case .lingering, .on(nil): return agenda.next
    case .on(let network?):
      // During a radio cycle nothing else is asked.
      if network.isHostSpeaking || network.isCyclingRadio { return nil }
      return agenda.next ?? power.network?.nextQuestion(at: now)
    case .starting(let askAt, _, _) where now >= askAt:
      power.ask(at: now + engine.limit(of: attention))
      return attention
    case .off, .probing, .pressingOn, .starting, .pressingOff, .stopping, .faulted: return nil
    }
  }
}

// Handles a modem's unsolicited lines, and changes of its link and its line.
extension Modem {
  mutating func hear(
    _ line: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if power.network?.isHostSpeaking ?? false {
      return hearDuringDialogue(line, at: now, into: &sink)
    }
    switch engine.hear(line, at: now, into: &sink) {
    case .nothing, .silent: break
    case .told(let fact): learn(fact, at: now, into: &sink)
    case .done(let command): finished(command, isDone: true, code: nil, at: now, into: &sink)
    case .failed(let command, let code):
      finished(command, isDone: false, code: code, at: now, into: &sink)
    }
    work(at: now, into: &sink)
  }

  /// While the host is talking to the modem its lines are the host's, except for those that end the
  /// dialogue.
  private mutating func hearDuringDialogue(
    _ line: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard line == .begins || line == .simGone else { return }
    textIsLost(at: now)
    engine.doubt()
    learn(line, at: now, into: &sink)
    work(at: now, into: &sink)
  }

  /// A message that is being sent is no longer awaited: its report would come too late.
  private mutating func textIsLost(at now: Instant) {
    if case .texting = power.network?.state { lastResort.ended(wasSent: false, at: now) }
  }

  mutating func linkChanged(
    isUp: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    // The host could not open it: waiting longer is useless.
    if !isUp, bearer == .interface, case .registered = power.network?.state {
      giveUp(.noBearer, at: now, into: &sink)
      return work(at: now, into: &sink)
    }
    let hadLink = power.network?.hasLink ?? false
    switch power.network?.linkChanged(isUp: isUp) {
    case .nothing, nil: return
    case .changed: break
    case .lost:
      contact.linkLosses += 1
      guard contact.linkLosses <= Bounds.linkLosses else {
        setInUse(false)
        giveUp(.noBearer, at: now, into: &sink)
        return work(at: now, into: &sink)
      }
      search(at: now)
    }
    closeLink(if: hadLink, into: &sink)
    work(at: now, into: &sink)
  }

  /// Closes a bearer that went down, so that it is opened again when the modem has registered.
  mutating func closeLink(if hadLink: Bool, into sink: inout some EffectSink & ~Copyable) {
    guard hadLink, let network = power.network, !network.hasLink else { return }
    sink.setLink(isUp: false)
  }

  /// Its port was unplugged, or is back. The port of a modem on USB disappears when the modem is
  /// switched off; otherwise it has restarted.
  mutating func lineChanged(
    isPresent: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    hasLine = isPresent
    switch power.state {
    case .off where isPresent: appeared(at: now, into: &sink)
    case .lingering:
      let outcome = power.lineChangedLingering(isPresent: isPresent, at: now)
      perform(outcome, at: now, into: &sink)
    case .probing where isPresent: perform(power.probeAnew(at: now), at: now, into: &sink)
    case .starting where isPresent: askAnew(at: now)
    case .faulted where isPresent: power.endFault(at: now)
    case .on:
      textIsLost(at: now)
      beginAnew(at: now, into: &sink)
    // The port disappeared: the modem has switched itself off.
    case .stopping where !isPresent:
      power.offAnswered(isDone: true, isConfirmed: false, at: now)
      engine.restart()
    case .off, .probing, .pressingOn, .starting, .pressingOff, .stopping, .faulted: return
    }
    work(at: now, into: &sink)
  }

  /// Its STATUS line has changed.
  mutating func statusChanged(
    isOn: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    power.status.changed(isOn: isOn)
    guard power.status.isOn == isOn else { return }
    if !isOn, case .on(let network) = power.state {
      textIsLost(at: now)
      if network != nil { sink.note(.modemRestarted) }
      leaveNetwork(at: now, into: &sink)
    }
    let outcome = isOn ? power.wentOn(at: now) : power.wentOff(at: now)
    perform(outcome, at: now, into: &sink)
    work(at: now, into: &sink)
  }

  /// It has started by itself, or its port is back.
  private mutating func appeared(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    receiver.forget()
    perform(power.appeared(at: now), at: now, into: &sink)
  }

  /// It has restarted by itself, or its state is unknown. If this repeats, it is power-cycled.
  private mutating func beginAnew(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard power.mayBeginAnew else { return powerCycle(isMute: false, at: now, into: &sink) }
    leaveNetwork(at: now, into: &sink)
    power.beginAnew(at: now)
    engine.restart()
    receiver.forget()
  }

  private mutating func askAnew(at now: Instant) {
    engine.restart()
    power.ask(at: now)
  }

  // MARK: Facts

  /// The supply voltage that the modem has reported since this was last called.
  mutating func takeSupply() -> Int32? {
    defer { supplyMillivolts = nil }
    return supplyMillivolts
  }

  private mutating func learn(
    _ fact: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch fact {
    case .begins: begins(at: now, into: &sink)
    case .ready: askAgain(at: now, into: &sink)
    case .delivery: if power.network != nil { agenda.planStoring() }
    case .numeric: engine.insist(.wordAnswers, at: now, into: &sink)
    case .sim(let word):
      sim.hear(word)
      askAgain(at: now, into: &sink)
    case .simGone: simGone(at: now, into: &sink)
    case .pinTries(let left): sim.hear(triesLeft: left)
    case .registration(let domain, let registration):
      guard engine.awaited?.asksForRegistration ?? false else { return power.ask(at: now) }
      power.network?.hear(registration, domain)
    case .signal(let dBm): if let dBm { sink.note(.signal(dBm: dBm)) }
    case .supply(let millivolts):
      supplyMillivolts = millivolts
      sink.note(.modemSupply(millivolts: millivolts))
    case .networkOperator(let name): sink.note(.networkOperator(name))
    case .digits(let digits):
      let isSubscriber = engine.awaited == .subscriber
      agenda.learned(isSubscriber ? .subscriber : .equipment)
      sink.note(isSubscriber ? .subscriber(digits) : .equipment(digits))
    case .ok, .error, .equipmentError, .echo, .other: return
    }
  }

  /// A starting modem understands commands from here on: repeat the one that it may have missed.
  private mutating func askAgain(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    // A slow one is still busy with it.
    guard case .starting = power.state, !engine.isSlow else { return }
    power.ask(at: now + Bounds.attentionInterval)
    engine.send(attention, at: now, into: &sink)
  }

  /// The modem has sent its first line after power-on.
  private mutating func begins(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch power.state {
    case .starting:
      engine.modemBegins()
      power.ask(at: now)
    case .on(let network):
      // Earlier it may be the end of its start: some firmware says two such words. Or it is the
      // restart that was ordered.
      if let network, !network.isCheckingSIM, !power.hasRestarted { sink.note(.modemRestarted) }
      beginAnew(at: now, into: &sink)
    // It is starting: its key must not be pressed.
    case .probing: beginAnew(at: now, into: &sink)
    case .off, .faulted: appeared(at: now, into: &sink)
    // It does not accept commands yet.
    case .lingering:
      engine.restart()
      power.lingerAnew(from: now + Bounds.attentionInterval)
    case .pressingOn, .pressingOff, .stopping: return
    }
  }

  private mutating func simGone(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch power.network?.state {
    case .checkingSIM: sim.gone()
    case .searching, .registered, .attached, .inUse, .texting, .cyclingRadio:
      leaveNetwork(at: now, into: &sink)
      agenda.simGone()
      sim.begin()
      sim.gone()
      power.network?.checkSIM(at: now)
    case nil: return
    }
  }
}
