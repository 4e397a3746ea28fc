// What a modem says by itself, and what happens to its link and its line.
extension Modem {
  mutating func hear(
    _ line: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    // While the host speaks to the modem its lines are the host's: they may hold anything.
    if case .texting = state { return }
    if state == .inUse && bearer == .modem { return }
    // Nobody asks anything of a modem where the bearer is a wire.
    if case .wired = state { return }
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
    switch state {
    case .registered where isUp && bearer == .interface: state = .attached
    case .attached where !isUp, .inUse where !isUp: search(at: now)
    case .texting(let id, let giveUpAt, .attach) where !isUp:
      state = .texting(id, giveUpAt: giveUpAt, then: .search)
    case .wired(_, let isInUse): state = .wired(isUp: isUp, isInUse: isInUse && isUp)
    case .off, .lingering, .probing, .pressingOn, .starting, .serving, .checkingSIM, .searching,
      .registered, .attached, .inUse, .texting, .cyclingRadio, .pressingOff, .stopping, .faulted:
      return
    }
    work(at: now, into: &sink)
  }

  /// Its port was unplugged, or is back. A modem on USB takes its port along when it is switched
  /// off; when it was not, it begins anew.
  mutating func lineChanged(
    isPresent: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch state {
    case .off where isPresent: appeared(at: now)
    case .lingering: lineChangedLingering(isPresent: isPresent, at: now)
    case .probing where isPresent: probe(at: now, into: &sink)
    case .starting where isPresent: askAnew(at: now)
    case .serving, .checkingSIM, .searching, .registered, .attached, .inUse, .texting,
      .cyclingRadio:
      beginAnew(at: now, into: &sink)
    // The port went with the power: it has switched itself off.
    case .stopping where !isPresent:
      isOffUnanswered = false
      engine.restart()
    case .off, .probing, .pressingOn, .starting, .pressingOff, .stopping, .faulted, .wired: return
    }
    work(at: now, into: &sink)
  }

  /// It has started anew by itself, or nobody knows what it has been doing. One that does so again
  /// and again is at fault.
  private mutating func beginAnew(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard cycles < Bounds.powerCycles else { return powerCycle(at: now, into: &sink) }
    cycles += 1
    isReleased = false
    leaveNetwork(into: &sink)
    engine.restart()
    receiverState = nil
    state = .starting(askAt: now, giveUpAt: now + board.bootLimit)
  }

  private mutating func askAnew(at now: Instant) {
    engine.restart()
    askSoon(at: now)
  }

  // MARK: Facts

  private mutating func learn(
    _ fact: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch fact {
    case .begins: begins(at: now, into: &sink)
    case .ready: askAgain(at: now, into: &sink)
    case .sim(let word):
      simWord = word
      askAgain(at: now, into: &sink)
    case .simGone: simGone(at: now, into: &sink)
    case .pinTries(let left): pinTriesLeft = left
    case .registration(let domain, let registration):
      if engine.awaited != .registration { return askSoon(at: now) }
      switch domain {
      case .circuit: circuit = registration
      case .packet: packet = packet?.better(than: registration) ?? registration
      }
    case .signal(let dBm): if let dBm { sink.push(.note(.signal(dBm: dBm))) }
    case .supply(let millivolts): sink.push(.note(.modemSupply(millivolts: millivolts)))
    case .digits(let digits):
      if engine.awaited == .subscriber {
        knowsSubscriber = true
        sink.push(.note(.subscriber(digits)))
      } else {
        knowsEquipment = true
        sink.push(.note(.equipment(digits)))
      }
    case .ok, .error, .equipmentError, .echo, .other: return
    }
  }

  /// A modem that starts understands from here on: the question that it may have missed once more.
  private mutating func askAgain(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard case .starting(_, let giveUpAt) = state else { return }
    state = .starting(askAt: now + Bounds.attentionInterval, giveUpAt: giveUpAt)
    engine.send(.attention, at: now, into: &sink)
  }

  /// The first words of a modem that starts.
  private mutating func begins(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    case .starting: askAnew(at: now)
    // It is on its way: its key must not be pressed.
    case .probing, .serving, .checkingSIM, .searching, .registered, .attached, .inUse,
      .texting, .cyclingRadio:
      beginAnew(at: now, into: &sink)
    case .off, .faulted: appeared(at: now)
    // It hears nothing yet.
    case .lingering:
      engine.restart()
      linger(from: now + Bounds.attentionInterval)
    case .pressingOn, .pressingOff, .stopping, .wired: return
    }
  }

  private mutating func simGone(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    case .checkingSIM: waitingFor = .noSIM
    case .searching, .registered, .attached, .inUse, .cyclingRadio:
      leaveNetwork(into: &sink)
      knowsSubscriber = false
      waitingFor = .noSIM
      simWord = nil
      state = .checkingSIM(askAt: now, giveUpAt: now + Bounds.simLimit)
    case .off, .lingering, .probing, .pressingOn, .starting, .serving, .texting, .pressingOff,
      .stopping, .faulted, .wired:
      return
    }
  }
}

extension Registration {
  /// The one that counts, of two networks' answers.
  func better(than other: Registration) -> Registration {
    if isIn || other.isIn { return isIn ? self : other }
    return self == .denied || self == .emergencyOnly ? self : other
  }
}
