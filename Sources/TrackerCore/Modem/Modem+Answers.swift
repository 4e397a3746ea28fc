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
