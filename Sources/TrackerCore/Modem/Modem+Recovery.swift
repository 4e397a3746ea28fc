// Time passing, and what is done when nothing comes of it.
extension Modem {
  mutating func deadlineReached(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if case .silent(let command) = engine.deadlineReached(at: now) {
      silent(command, at: now, into: &sink)
    }
    switch state {
    case .off(let restAt): if isRestarting && now >= restAt { restart(at: now, into: &sink) }
    case .lingering: if isRestarting && now >= floorEnd { restart(at: now, into: &sink) }
    case .probing(let until): if now >= until { pressOn(at: now, into: &sink) }
    case .pressingOn(let until): if now >= until { letGo(at: now, into: &sink) }
    case .starting(_, let giveUpAt): if now >= giveUpAt { powerCycle(at: now, into: &sink) }
    case .checkingSIM(_, let giveUpAt), .searching(_, let giveUpAt):
      if now >= giveUpAt { timeIsUp(at: now, into: &sink) }
    case .registered(let giveUpAt): if now >= giveUpAt { lackBearer(at: now, into: &sink) }
    case .texting(let id, let giveUpAt, _):
      if now >= giveUpAt { textFinished(id, wasSent: false, at: now, into: &sink) }
    case .cyclingRadio(let giveUpAt): if now >= giveUpAt { powerCycle(at: now, into: &sink) }
    case .pressingOff(let until):
      guard now >= until else { break }
      sink.push(.setPin(.modemPowerKey, isHigh: false))
      state =
        isRestarting
        ? .stopping(until: now + board.powerOffTime)
        : .lingering(Lingering(askAt: now + board.powerOffTime, isKeyTried: true))
    case .stopping(let until): if now >= until { stopped(at: now, into: &sink) }
    case .faulted(let until): if now >= until { endFault(at: now) }
    case .serving, .attached, .inUse, .wired: break
    }
    work(at: now, into: &sink)
  }

  // MARK: Power

  private mutating func pressOn(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard board.hasPowerKey else {
      // It may be booting already; nothing else can be done.
      state = .starting(askAt: now, giveUpAt: now + board.bootLimit)
      return
    }
    sink.push(.setPin(.modemPowerKey, isHigh: true))
    state = .pressingOn(until: now + board.powerOnPulse)
  }

  private mutating func letGo(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    sink.push(.setPin(.modemPowerKey, isHigh: false))
    if isReleased { return stop(at: now, into: &sink) }
    state = .starting(askAt: now + Bounds.attentionInterval, giveUpAt: now + board.bootLimit)
  }

  /// The time to switch itself off is over. One that was there in this contact and never said that
  /// it would go is mute, and would stay on: the key ends that. One that was never heard may have
  /// been starting, and is told once more.
  private mutating func stopped(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard isOffUnanswered else {
      // Out of step the OK may have been another command's.
      return engine.isInStep ? rest(from: now + board.offOnGap) : linger(from: now)
    }
    isOffUnanswered = false
    guard hasAnswered && board.hasPowerKey else { return linger(from: now) }
    engine.restart()
    pressOff(at: now, into: &sink)
  }

  /// Off, or at rest. What is on its way up again waits for the reconnect floor if it may have been
  /// in the network since it last joined it.
  mutating func rest(from restAt: Instant) {
    state = .off(restAt: isRestarting && hasAnswered ? max(restAt, floorEnd) : restAt)
  }

  /// Up again after a power cycle.
  private mutating func restart(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    isRestarting = false
    if hasAnswered { lastConnect = now }
    hasAnswered = false
    if board.hasPowerKey { return probe(at: now, into: &sink) }
    engine.order(.reset, into: &sink)
    state = .starting(
      askAt: now + Bounds.attentionInterval, giveUpAt: now + board.bootLimit)
  }

  // MARK: The ladder

  /// A command had no answer: it is asked again, and then the modem is mute.
  private mutating func silent(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard isListening else { return }
    if case .lingering(let lingering) = state {
      return offUnanswered(command, lingering, at: now, into: &sink)
    }
    if missed.contains(command) && command != .radioOn && command != .radioOff {
      agenda.remove(command)
    }
    missed.insert(command)
    guard engine.silences >= Bounds.mutePatience else {
      sink.push(.note(.modemRecovery(.askAgain)))
      return askSoon(at: now)
    }
    // A bearer that is up or coming is worth more than an answer.
    guard !isInNetwork else {
      agenda = CommandSet()
      return
    }
    powerCycle(at: now, into: &sink)
  }

  /// The next question is put as soon as the line is free.
  mutating func askSoon(at now: Instant) {
    switch state {
    case .checkingSIM(_, let giveUpAt): state = .checkingSIM(askAt: now, giveUpAt: giveUpAt)
    case .searching(_, let giveUpAt): state = .searching(askAt: now, giveUpAt: giveUpAt)
    case .starting(_, let giveUpAt): state = .starting(askAt: now, giveUpAt: giveUpAt)
    case .off, .lingering, .probing, .pressingOn, .serving, .registered, .attached, .inUse,
      .texting, .cyclingRadio, .pressingOff, .stopping, .faulted, .wired:
      return
    }
  }

  /// No SIM or no network within the limit; a modem that owes its last answer is mute instead.
  private mutating func timeIsUp(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if engine.silences > 0 { return powerCycle(at: now, into: &sink) }
    giveUp(waitingFor, at: now, into: &sink)
  }

  /// In the network, and no bearer: the radio starts anew if that does not join too often.
  private mutating func lackBearer(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard radioCycles < Bounds.radioCycles, now >= floorEnd else {
      return giveUp(.noBearer, at: now, into: &sink)
    }
    radioCycles += 1
    sink.push(.note(.modemRecovery(.radioCycle)))
    leaveNetwork(into: &sink)
    state = .cyclingRadio(giveUpAt: now + Bounds.radioLimit + Bounds.radioLimit)
    engine.send(.radioOff, at: now, into: &sink)
  }

  private mutating func giveUp(
    _ reason: Reason, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    failure = reason
    guard canText, let id = lastResort.begin(at: now) else { return stop(at: now, into: &sink) }
    text(id, then: .stop, at: now, into: &sink)
  }

  mutating func powerCycle(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    leaveNetwork(into: &sink)
    engine.restart()
    receiverState = nil
    agenda = CommandSet()
    cycles += 1
    if cycles > Bounds.powerCycles {
      if isWanted { failure = .modemOff }
      isRestarting = false
      isWanted = false
      // It may hear what it does not answer.
      if board.rest == .radioOff { engine.order(.radioOff, into: &sink) }
      state = .faulted(until: now + Bounds.faultPause)
      return
    }
    sink.push(.note(.modemRecovery(.powerCycle)))
    isRestarting = true
    if board.hasPowerKey { return pressOff(at: now, into: &sink) }
    // One that may have been in the network is started anew when the floor allows it, and is quiet
    // until then.
    guard hasAnswered && now < floorEnd else { return restart(at: now, into: &sink) }
    linger(from: now)
    tellOff(at: now, into: &sink)
  }
}
