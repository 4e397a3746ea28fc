// What a tracker asks of its modem.
extension Modem {
  /// Begins to connect if it is off, may be switched on again, and the reconnect floor has passed.
  ///
  /// - Parameter isSparing: the battery is down to its reserve.
  mutating func connect(
    isSparing: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    patience.isSparing = isSparing
    guard bearer != .none, let outcome = power.connect(at: now) else { return }
    contact = Contact()
    patience.contactBegins()
    perform(outcome, at: now, into: &sink)
  }

  /// Ends the contact in an orderly way, whatever it is doing.
  mutating func release(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if power.release() { stop(at: now, into: &sink) }
  }

  mutating func setInUse(_ isInUse: Bool) {
    if power.network?.setInUse(isInUse) ?? false { engine.doubt() }
  }

  /// A request got no answer: where the modem itself sends it, only the modem can tell whether
  /// there is still a network.
  mutating func uploadFailed(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard bearer == .modem, isReady else { return }
    setInUse(false)
    search(at: now)
    work(at: now, into: &sink)
  }

  /// A server has acknowledged something.
  mutating func delivered(at now: Instant) {
    contact.linkLosses = 0
    lastResort.delivered(at: now)
  }

  mutating func tryPIN() { sim.tryPIN() }

  // MARK: Short messages

  /// Uploads fail: sends a short message, or reads those that came in, if that is due.
  mutating func considerText(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard power.network?.state == .attached, contact.canText, engine.isIdle,
      let errand = lastResort.begin(at: now)
    else { return }
    text(errand, then: .attach, at: now, into: &sink)
  }

  /// Whether a message is due, and the modem is in the network or searching for it.
  func isAboutToText(at now: Instant) -> Bool {
    power.network != nil && (lastResort.isDue(at: now) || lastResort.isReadingDue(at: now))
  }

  @inline(never)
  mutating func text(
    _ errand: LastResort.Errand, then sequel: NetworkJoining.Sequel, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    engine.restart()
    switch errand {
    case .send(let id):
      power.network?.text(id, within: Bounds.textLimit, then: sequel, at: now)
      sink.push(.sendText(id))
    case .read(let id):
      power.network?.text(id, within: Bounds.readingLimit, then: sequel, at: now)
      sink.push(.readTexts(id))
    }
  }

  mutating func textFinished(
    _ id: RequestID, wasSent: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let hadLink = power.network?.hasLink ?? false
    guard let sequel = power.network?.textFinished(id) else { return }
    let isReading = lastResort.isReading
    lastResort.ended(wasSent: wasSent, at: now)
    // What was read first is not to delay the message.
    if isReading, let errand = lastResort.beginUrgent(at: now) {
      return text(errand, then: sequel, at: now, into: &sink)
    }
    if sequel == .search { search(at: now) }
    closeLink(if: hadLink, into: &sink)
    if !isReading { sink.note(.textFinished(wasSent: wasSent)) }
    engine.doubt()
    if sequel == .stop { stop(at: now, into: &sink) }
    work(at: now, into: &sink)
  }

  /// Returns whether what they say of the emergency that stands counts.
  mutating func textsRead(
    _ id: RequestID, _ outcome: TextsOutcome, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    guard power.network?.isTexting(id) ?? false, lastResort.isReading else { return false }
    let isAnswer = lastResort.texted(outcome)
    textFinished(id, wasSent: false, at: now, into: &sink)
    return isAnswer
  }

  /// Ends a contact that failed, after a short message if one is due.
  mutating func giveUp(
    _ reason: Reason, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    contact.failure = reason
    guard contact.canText, let errand = lastResort.begin(at: now) else {
      return stop(at: now, into: &sink)
    }
    text(errand, then: .stop, at: now, into: &sink)
  }

  // MARK: The receiver inside

  /// Switches the receiver inside the modem, waking the modem if necessary.
  mutating func setReceiver(
    isOn: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard board.family.words.receiverOn.utf8CodeUnitCount > 0 else { return }
    receiver.want(isOn)
    agenda.planReceiver(receiver.order)
    work(at: now, into: &sink)
  }

  /// A resting modem is woken for its receiver, without joining the network.
  mutating func serveReceiver(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard receiver.order != nil else { return }
    perform(power.serve(at: now), at: now, into: &sink)
  }

  // MARK: Off

  mutating func leaveNetwork(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    patience.abandoned(at: now)
    if power.network?.hasLink ?? false { sink.setLink(isUp: false) }
  }

  mutating func stop(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if isListening { power.checkStatus(into: &sink) }
    leaveNetwork(at: now, into: &sink)
    agenda.clear()
    let before = power.rates.rate
    power.stop(at: now)
    tune(from: before, into: &sink)
    switch board.rest {
    case .off: engine.insist(.powerOff, at: now, into: &sink)
    case .radioOff: tellOff(at: now, into: &sink)
    }
  }

  /// The command to switch it off, or its radio.
  private var offCommand: ModemCommand {
    if board.rest == .off { return .powerOff }
    return power.isRefusingRadioOff ? .minimumFunction : .radioOff
  }

  /// Tells it to switch off.
  ///
  /// When the engine is out of step, an OK may belong to another command. Then the command is sent
  /// directly and, at the next try, after a query that resynchronises the engine; as the answer to
  /// that may be lost too, the two ways alternate.
  mutating func tellOff(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard case .lingering(let lingering, _) = power.state else { return }
    // Three queries have timed out: no late answers are to be expected any more.
    if engine.isAtALoss && engine.isIdle { engine.restart() }
    if engine.isInStep && engine.isIdle || lingering.tries % 2 == 1 {
      engine.send(offCommand, at: now, into: &sink)
    } else {
      engine.insist(offCommand, at: now, into: &sink)
    }
    power.toldOff(at: now)
  }

  /// The command to switch itself or its radio off was answered.
  mutating func offAnswered(
    _ command: ModemCommand, isDone: Bool, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    let isConfirmed = isDone && engine.isInStep
    if isConfirmed { power.rates.prove() }
    switch power.state {
    case .lingering where command == offCommand, .stopping:
      power.offAnswered(isDone: isDone, isConfirmed: isConfirmed, at: now)
      guard !isDone, engine.isInStep else { return }
      let isServing = receiver.isNeeded
      perform(
        power.offRefused(isServing: isServing, at: now, into: &sink), at: now, into: &sink)
    case .on(nil): agenda.offAnswered(command, isConfirmed: isConfirmed)
    // The radio is being restarted; the SIM may have been reported missing meanwhile.
    case .on(.some):
      power.floor.rejoin(at: now)
      engine.send(.radioOn, at: now, into: &sink)
    case .off, .lingering, .probing, .pressingOn, .starting, .pressingOff, .faulted: return
    }
  }

  /// That command has timed out.
  mutating func offUnanswered(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    agenda.finished(command)
    guard command == offCommand else { return }
    perform(power.offUnanswered(at: now, into: &sink), at: now, into: &sink)
    let before = power.rates.rate
    guard power.tryNextRateOff() else { return }
    engine.restart()
    tune(from: before, into: &sink)
  }
}

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
    // If the last command timed out the modem is mute, and neither SIM nor network is to blame;
    // once registered only after several: some do not tell their operator.
    case .checkingSIM where engine.silences > 0, .searching where engine.silences > 0,
      .registered where engine.silences >= Bounds.mutePatience, .cyclingRadio:
      powerCycle(at: now, into: &sink)
    case .checkingSIM: giveUp(sim.waitingFor, at: now, into: &sink)
    case .searching(let search):
      patience.failed(isDenied: search.waitingFor == .registrationDenied, at: now)
      giveUp(search.waitingFor, at: now, into: &sink)
    // A network that carries no data may carry an emergency's message.
    case .registered:
      guard lastResort.isUrgent, contact.canText, let id = lastResort.begin(at: now) else {
        return lackBearer(at: now, into: &sink)
      }
      text(id, then: .search, at: now, into: &sink)
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
