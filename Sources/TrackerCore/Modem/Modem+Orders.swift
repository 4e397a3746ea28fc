// What a tracker wants of its modem.
extension Modem {
  /// Begins to connect if it is off, rested, and the reconnect floor has passed.
  mutating func connect(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard let outcome = power.connect(at: now) else { return }
    contact = Contact()
    perform(outcome, at: now, into: &sink)
  }

  /// Ends politely whatever it is doing.
  mutating func release(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if power.release() { stop(at: now, into: &sink) }
  }

  mutating func setInUse(_ isInUse: Bool) {
    if power.network?.setInUse(isInUse) ?? false { engine.doubt() }
  }

  /// A request got no answer: where the modem itself sends, only it can say whether there is still
  /// a network.
  mutating func uploadFailed(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard bearer == .modem, isReady else { return }
    setInUse(false)
    search(at: now)
    work(at: now, into: &sink)
  }

  mutating func tryPIN() { sim.tryPIN() }

  // MARK: Short messages

  /// Uploads fail: sends a short message if one is due.
  mutating func considerText(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard power.network?.state == .attached, contact.canText, engine.isIdle,
      let id = lastResort.begin(at: now)
    else { return }
    text(id, then: .attach, at: now, into: &sink)
  }

  private mutating func text(
    _ id: RequestID, then sequel: NetworkJoining.Sequel, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    engine.restart()
    power.network?.text(id, then: sequel, at: now)
    sink.push(.sendText(id))
  }

  mutating func textFinished(
    _ id: RequestID, wasSent: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let hadLink = power.network?.hasLink ?? false
    guard let sequel = power.network?.textFinished(id, at: now) else { return }
    closeLink(if: hadLink, into: &sink)
    sink.note(.textFinished(wasSent: wasSent))
    lastResort.ended(wasSent: wasSent, at: now)
    engine.doubt()
    if sequel == .stop { stop(at: now, into: &sink) }
    work(at: now, into: &sink)
  }

  /// Ends what did not come about, with a last short message where one is due.
  mutating func giveUp(
    _ reason: Reason, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    contact.failure = reason
    guard contact.canText, let id = lastResort.begin(at: now) else {
      return stop(at: now, into: &sink)
    }
    text(id, then: .stop, at: now, into: &sink)
  }

  // MARK: The receiver inside

  /// Switches the receiver inside the modem, and the modem with it where it rests.
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

  mutating func leaveNetwork(into sink: inout some EffectSink & ~Copyable) {
    if power.network?.hasLink ?? false { sink.setLink(isUp: false) }
  }

  mutating func stop(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    leaveNetwork(into: &sink)
    agenda.clear()
    power.stop(at: now)
    switch board.rest {
    case .off: engine.insist(.powerOff, at: now, into: &sink)
    case .radioOff: tellOff(at: now, into: &sink)
    }
  }

  /// What it is told when nobody wants it any more.
  private var offCommand: ModemCommand { board.rest == .off ? .powerOff : .radioOff }

  /// Tells it to switch off.
  ///
  /// Out of step an OK may be another command's. Then the order goes out all the same, and once
  /// more behind a question whose answer puts the engine into step; and as that answer may be lost
  /// too, both ways take turns.
  mutating func tellOff(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard case .lingering(let lingering, _) = power.state else { return }
    // Three questions have each waited for their answers in vain: what is owed does not come any
    // more.
    if engine.isAtALoss && engine.isIdle { engine.restart() }
    if engine.isInStep && engine.isIdle || lingering.tries % 2 == 1 {
      engine.send(offCommand, at: now, into: &sink)
    } else {
      engine.insist(offCommand, at: now, into: &sink)
    }
    power.toldOff(at: now)
  }

  /// An answer to the order to switch itself or its radio off.
  mutating func offAnswered(
    _ command: ModemCommand, isDone: Bool, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    let isConfirmed = isDone && engine.isInStep
    switch power.state {
    case .lingering where command == offCommand, .stopping:
      power.offAnswered(isDone: isDone, isConfirmed: isConfirmed, at: now)
    case .on(nil): agenda.offAnswered(command, isConfirmed: isConfirmed)
    case .on(let network?) where network.isCyclingRadio && command == .radioOff:
      power.floor.rejoin(at: now)
      engine.send(.radioOn, at: now, into: &sink)
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .faulted: return
    }
  }

  /// It was not answered in time.
  mutating func offUnanswered(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    agenda.finished(command)
    guard command == offCommand else { return }
    perform(power.offUnanswered(at: now, into: &sink), at: now, into: &sink)
  }
}
