// What a modem answers, and what it is asked next.
extension Modem {
  mutating func finished(
    _ command: ModemCommand, isDone: Bool, code: Int32?, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    agenda.remove(command)
    switch command {
    // Even an error tells that somebody is there.
    case .attention: if isAsking { answered(at: now) }
    case .simStatus: judgeSIM(isDone: isDone, code: code, at: now, into: &sink)
    case .enterPIN: judgePIN(isAccepted: isDone, at: now, into: &sink)
    case .pinTries: judgeTries(at: now, into: &sink)
    case .registration: judgeRegistration(at: now, into: &sink)
    case .radioOff, .powerOff: offAnswered(command, isDone: isDone, at: now, into: &sink)
    case .radioOn: if case .cyclingRadio = state { search(at: now) }
    case .receiverOn, .receiverOff: receiverState = command == .receiverOn
    case .reportErrors, .subscriber, .equipment, .definePDP, .signal, .supply, .reset: break
    }
  }

  private var isAsking: Bool {
    if case .probing = state { return true }
    if case .starting = state { return true }
    return false
  }

  /// The modem is there.
  private mutating func answered(at now: Instant) {
    agenda = CommandSet()
    missed = CommandSet()
    planReceiver()
    guard isWanted else {
      agenda.insert(.radioOff)
      state = .serving
      return
    }
    hasAnswered = true
    if board.rest == .radioOff { agenda.insert(.radioOn) }
    agenda.insert(.reportErrors)
    waitingFor = .modemOff
    simWord = nil
    state = .checkingSIM(askAt: now, giveUpAt: now + Bounds.simLimit)
  }

  private mutating func judgeSIM(
    isDone: Bool, code: Int32?, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard case .checkingSIM = state else { return }
    let word = simWord
    // READY is seen to once the line is free, whoever asked.
    if isDone && word == .ready { return }
    simWord = nil
    if (isDone && word == .wantsPIN) || code == 11 { return considerPIN(at: now, into: &sink) }
    if (isDone && word == .locked) || code == 12 {
      waitingFor = .simBlocked
    } else if code != 14 {
      // Without AT+CMEE a missing SIM is a plain ERROR. 14 is "SIM busy".
      waitingFor = .noSIM
    }
  }

  private mutating func simIsReady(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    simWord = nil
    acceptPIN(into: &sink)
    if !knowsSubscriber { agenda.insert(.subscriber) }
    if !knowsEquipment { agenda.insert(.equipment) }
    if hasAccessPoint { agenda.insert(.definePDP) }
    search(at: now)
  }

  private mutating func judgeRegistration(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let circuit = circuit
    let packet = packet
    self.circuit = nil
    self.packet = nil
    guard case .searching = state else { return }
    canText = circuit?.isIn ?? false || packet?.isIn ?? false
    // Some modems join the packet domain only when the bearer is asked for.
    let isUndecided = packet == nil || packet == .idle || packet == .unknown
    switch isUndecided ? circuit : packet {
    case .home, .roaming: joined(at: now, into: &sink)
    case .denied, .emergencyOnly: waitingFor = .registrationDenied
    case .idle, .searching, .unknown, nil: waitingFor = .searching
    }
  }

  private mutating func joined(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    cycles = 0
    agenda.insert(.signal)
    agenda.insert(.supply)
    state = .registered(giveUpAt: now + Bounds.linkLimit)
    if bearer == .interface { sink.push(.setLink(isUp: true)) }
  }

  // MARK: Questions

  /// Does what can be done now: goes on where the last answer allows it, and asks what is next.
  mutating func work(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    serveReceiver(at: now, into: &sink)
    guard engine.isIdle else { return }
    switch state {
    case .checkingSIM: if simWord == .ready { simIsReady(at: now, into: &sink) }
    case .serving: if agenda.isEmpty { endServing(at: now) }
    case .lingering(let lingering):
      if agenda.isEmpty && now >= lingering.askAt { tellOff(at: now, into: &sink) }
    case .registered: if bearer == .modem && agenda.isEmpty { state = .attached }
    case .off, .probing, .pressingOn, .starting, .searching, .attached, .inUse, .texting,
      .cyclingRadio, .pressingOff, .stopping, .faulted, .wired:
      break
    }
    guard let question = nextQuestion(at: now) else { return }
    engine.send(question, at: now, into: &sink)
  }

  private mutating func nextQuestion(at now: Instant) -> ModemCommand? {
    if isListening, let next = nextOfAgenda { return next }
    switch state {
    case .starting(let askAt, let giveUpAt):
      guard now >= askAt else { return nil }
      state = .starting(askAt: now + Bounds.attentionInterval, giveUpAt: giveUpAt)
      return .attention
    case .checkingSIM(let askAt, let giveUpAt):
      guard now >= askAt else { return nil }
      state = .checkingSIM(askAt: now + Bounds.pollInterval, giveUpAt: giveUpAt)
      return .simStatus
    case .searching(let askAt, let giveUpAt):
      guard now >= askAt else { return nil }
      state = .searching(askAt: now + Bounds.pollInterval, giveUpAt: giveUpAt)
      circuit = nil
      packet = nil
      return .registration
    case .off, .lingering, .probing, .pressingOn, .serving, .registered, .attached, .inUse,
      .texting, .cyclingRadio, .pressingOff, .stopping, .faulted, .wired:
      return nil
    }
  }

  private var nextOfAgenda: ModemCommand? {
    if agenda.isEmpty { return nil }
    if case .cyclingRadio = state { return nil }
    let order: InlineArray<10, ModemCommand> = [
      .radioOff, .radioOn, .reportErrors, .receiverOn, .receiverOff, .subscriber, .equipment,
      .definePDP, .signal, .supply,
    ]
    for index in 0..<10 where agenda.contains(order[index]) { return order[index] }
    return nil
  }
}
