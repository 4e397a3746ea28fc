// What a tracker wants of its modem.
extension Modem {
  /// Begins to connect if it is off, rested, and the reconnect floor has passed.
  mutating func connect(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    // Wanted again while the key is still held.
    case .pressingOn where isWanted: isReleased = false
    // It was on its way up for its receiver alone.
    case .probing, .pressingOn, .starting: if !isWanted && now >= floorEnd { beginContact(at: now) }
    case .off(let restAt) where !isRestarting && now >= restAt && now >= floorEnd:
      beginContact(at: now)
      probe(at: now, into: &sink)
    case .lingering where !isRestarting && now >= floorEnd:
      beginContact(at: now)
      probe(at: now, into: &sink)
    case .off, .lingering, .serving, .checkingSIM, .searching, .registered, .attached, .inUse,
      .texting,
      .cyclingRadio, .pressingOff, .stopping, .faulted, .wired:
      return
    }
  }

  private mutating func beginContact(at now: Instant) {
    failure = nil
    cycles = 0
    radioCycles = 0
    canText = false
    hasAnswered = false
    isWanted = true
    lastConnect = now
  }

  /// Ends politely whatever it is doing.
  mutating func release(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    case .off, .lingering, .pressingOff, .stopping, .faulted: isRestarting = false
    // What is on its way up for the receiver is not the network's to stop.
    case .probing where isWanted, .starting where isWanted: stop(at: now, into: &sink)
    case .checkingSIM, .searching, .registered, .attached, .inUse, .cyclingRadio:
      stop(at: now, into: &sink)
    // A key that is held is let go first, a message is seen off; then it is looked whether anybody
    // wants the modem any more.
    case .pressingOn where isWanted, .texting: isReleased = true
    case .probing, .pressingOn, .starting, .serving, .wired: return
    }
  }

  mutating func setInUse(_ isInUse: Bool) {
    switch state {
    case .attached where isInUse: state = .inUse
    case .inUse where !isInUse:
      state = .attached
      if bearer == .modem { engine.doubt() }
    case .wired(let isUp, _): state = .wired(isUp: isUp, isInUse: isInUse && isUp)
    case .off, .lingering, .probing, .pressingOn, .starting, .serving, .checkingSIM, .searching,
      .registered, .attached, .inUse, .texting, .cyclingRadio, .pressingOff, .stopping, .faulted:
      return
    }
  }

  /// A request got no answer: where the modem itself sends, only it can say whether there is still
  /// a network.
  mutating func uploadFailed(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard bearer == .modem, state == .attached || state == .inUse else { return }
    setInUse(false)
    search(at: now)
    work(at: now, into: &sink)
  }

  // MARK: Short messages

  /// Uploads fail: sends a short message if one is due.
  mutating func considerText(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard state == .attached, canText, engine.isIdle, let id = lastResort.begin(at: now) else {
      return
    }
    text(id, then: .attach, at: now, into: &sink)
  }

  mutating func text(
    _ id: RequestID, then sequel: Sequel, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    engine.restart()
    state = .texting(id, giveUpAt: now + Bounds.textLimit, then: sequel)
    sink.push(.sendText(id))
  }

  mutating func textFinished(
    _ id: RequestID, wasSent: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard case .texting(let open, _, let sequel) = state, open == id else { return }
    sink.push(.note(.textFinished(wasSent: wasSent)))
    lastResort.ended(wasSent: wasSent, at: now)
    engine.doubt()
    if isReleased { return stop(at: now, into: &sink) }
    switch sequel {
    case .stop: stop(at: now, into: &sink)
    case .attach: state = .attached
    case .search: search(at: now)
    }
    work(at: now, into: &sink)
  }

  // MARK: The receiver inside

  /// Switches the receiver inside the modem, and the modem with it where it rests.
  mutating func setReceiver(
    isOn: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard board.family.words.receiverOn.utf8CodeUnitCount > 0 else { return }
    wantsReceiver = isOn
    planReceiver()
    work(at: now, into: &sink)
  }

  func isServable(at now: Instant) -> Bool {
    guard case .off(let restAt) = state, board.rest == .radioOff else { return false }
    return wantsReceiver != receiverState && !isRestarting && now >= restAt
  }

  /// A resting modem is woken for its receiver, without joining the network.
  mutating func serveReceiver(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard isServable(at: now) else { return }
    isWanted = false
    cycles = 0
    probe(at: now, into: &sink)
  }

  mutating func planReceiver() {
    agenda.remove(.receiverOn)
    agenda.remove(.receiverOff)
    guard let wantsReceiver, wantsReceiver != receiverState else { return }
    agenda.insert(wantsReceiver ? .receiverOn : .receiverOff)
  }

  // MARK: Steps

  mutating func probe(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    // What was switched off owes no answers.
    if board.rest == .off { engine.restart() }
    engine.send(.attention, at: now, into: &sink)
    state = .probing(until: now + Bounds.attentionInterval)
  }

  mutating func search(at now: Instant) {
    waitingFor = .searching
    state = .searching(askAt: now, giveUpAt: now + Bounds.searchLimit)
  }

  mutating func leaveNetwork(into sink: inout some EffectSink & ~Copyable) {
    if isInNetwork && bearer == .interface { sink.push(.setLink(isUp: false)) }
  }

  mutating func stop(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    leaveNetwork(into: &sink)
    isRestarting = false
    isReleased = false
    isWanted = false
    agenda = CommandSet()
    switch board.rest {
    case .off:
      isOffUnanswered = true
      engine.insist(.powerOff, at: now, into: &sink)
      state = .stopping(until: now + board.powerOffTime)
    case .radioOff:
      linger(from: now)
      tellOff(at: now, into: &sink)
    }
  }
}
