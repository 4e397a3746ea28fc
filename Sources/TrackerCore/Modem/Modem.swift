/// What a modem is doing, for people.
public enum ModemPhase: UInt8, Sendable, Equatable {
  case off
  case starting
  case checkingSIM
  case searching
  case registered
  case attached
  case inUse
  case stopping
  case faulted
}

/// Wakes a modem, brings it into the network and puts it to sleep again.
///
/// It never cuts the supply. PWRKEY toggles, so it asks before it presses. A modem that stays mute
/// is power-cycled `Bounds.powerCycles` times and then left alone for `Bounds.faultPause`.
struct Modem: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Exits: `probing`.
    case off(restAt: Instant)
    /// Asks whether the module is on already. Exits: `checkingSIM`, `pressingOn`.
    case probing(until: Instant)
    /// PWRKEY held to switch on. Exits: `starting`.
    case pressingOn(until: Instant)
    /// Asks until it answers. Exits: `checkingSIM`, `pressingOff`, `faulted`.
    case starting(askAt: Instant, giveUpAt: Instant)
    /// Exits: `searching`, `stopping`.
    case checkingSIM(askAt: Instant, giveUpAt: Instant)
    /// Exits: `registered`, `stopping`.
    case searching(askAt: Instant, giveUpAt: Instant)
    /// In the network, bearer asked for. Exits: `attached`, `stopping`.
    case registered(giveUpAt: Instant)
    /// Bearer up. Exits: `inUse`, `searching`, `stopping`.
    case attached
    /// Exits: `attached`, `searching`, `stopping`.
    case inUse
    /// PWRKEY held to switch a mute module off. Exits: `stopping`.
    case pressingOff(until: Instant)
    /// Exits: `off`.
    case stopping(until: Instant)
    /// Mute after all power cycles. Exits: `off`.
    case faulted(until: Instant)
  }

  private(set) var state = State.off(restAt: .start)
  /// Why the last attempt to connect was given up; taken by whoever asked for it.
  private(set) var failure: Reason?
  private let board: ModemBoard
  var reconnectFloor: Milliseconds
  private var lastConnect: Instant?
  private var cycles: Int32 = 0
  private var isRestarting = false
  private var waitingFor = Reason.modemOff

  init(_ board: ModemBoard, reconnectFloor: Milliseconds) {
    self.board = board
    self.reconnectFloor = reconnectFloor
  }

  // MARK: Questions

  var phase: ModemPhase {
    switch state {
    case .off: .off
    case .probing, .pressingOn, .starting: .starting
    case .checkingSIM: .checkingSIM
    case .searching: .searching
    case .registered: .registered
    case .attached: .attached
    case .inUse: .inUse
    case .pressingOff, .stopping: .stopping
    case .faulted: .faulted
    }
  }

  /// When `connect` would take effect; `nil` while it is not off.
  var connectableAt: Instant? {
    guard case .off(let restAt) = state, !isRestarting else { return nil }
    return max(restAt, floorEnd)
  }

  var isReady: Bool { state == .attached || state == .inUse }
  var isOff: Bool { if case .off = state { !isRestarting } else { false } }

  /// Earliest instant at which the network may be joined anew.
  var floorEnd: Instant { lastConnect.map { $0 + reconnectFloor } ?? .start }

  /// Why nothing can be sent through it; `nil` when it can.
  func reason(at now: Instant) -> Reason? {
    switch state {
    case .off where now < floorEnd && !isRestarting: .reconnectFloor
    case .off, .probing, .pressingOn, .starting, .pressingOff, .stopping, .faulted: .modemOff
    case .checkingSIM, .searching: waitingFor
    case .registered: .noBearer
    case .attached, .inUse: nil
    }
  }

  /// The next instant at which it wants to act.
  var deadline: Instant? {
    switch state {
    case .off(let restAt): isRestarting ? restAt : nil
    case .probing(let until), .pressingOn(let until), .pressingOff(let until),
      .stopping(let until), .faulted(let until), .registered(let until):
      until
    case .starting(let askAt, let giveUpAt), .checkingSIM(let askAt, let giveUpAt),
      .searching(let askAt, let giveUpAt):
      min(askAt, giveUpAt)
    case .attached, .inUse: nil
    }
  }

  // MARK: Orders

  /// Begins to connect if it is off, rested, and the reconnect floor has passed.
  mutating func connect(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    // Wanted again while the key is still held.
    if case .pressingOn = state { isReleased = false }
    guard case .off(let restAt) = state, !isRestarting, now >= restAt, now >= floorEnd else {
      return
    }
    failure = nil
    cycles = 0
    lastConnect = now
    probe(at: now, into: &sink)
  }

  /// Ends politely whatever it is doing.
  mutating func release(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    case .off: isRestarting = false
    case .pressingOff, .stopping, .faulted: isRestarting = false
    case .probing, .starting, .checkingSIM, .searching, .registered, .attached, .inUse:
      stop(at: now, into: &sink)
    // A key that is held is let go first; `deadlineReached` sees that nobody wants it any more.
    case .pressingOn: isReleased = true
    }
  }
  private var isReleased = false

  mutating func setInUse(_ inUse: Bool) {
    if state == .attached && inUse { state = .inUse }
    if state == .inUse && !inUse { state = .attached }
  }

  mutating func takeFailure() -> Reason? {
    defer { failure = nil }
    return failure
  }

  // MARK: Facts

  mutating func hear(
    _ line: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch state {
    case .probing, .starting:
      guard line == .ok else { return }
      cycles = 0
      waitingFor = .modemOff
      state = .checkingSIM(askAt: now, giveUpAt: now + Bounds.simLimit)
      ask(.simStatus, at: now, into: &sink)
    case .checkingSIM:
      hearSIM(line, at: now, into: &sink)
    case .searching:
      hearRegistration(line, at: now, into: &sink)
    case .off, .pressingOn, .registered, .attached, .inUse, .pressingOff, .stopping, .faulted:
      return
    }
  }

  private mutating func hearSIM(
    _ line: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch line {
    case .simReady:
      waitingFor = .searching
      state = .searching(askAt: now, giveUpAt: now + Bounds.searchLimit)
      ask(.registration, at: now, into: &sink)
    case .simLocked, .equipmentError(11), .equipmentError(12): waitingFor = .simLocked
    // Without AT+CMEE a missing SIM is a plain ERROR.
    case .equipmentError, .error: waitingFor = .noSIM
    case .ok, .registration, .other: return
    }
  }

  private mutating func hearRegistration(
    _ line: ModemLine, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard case .registration(let registration) = line else { return }
    switch registration {
    case .home, .roaming:
      state = .registered(giveUpAt: now + Bounds.linkLimit)
      sink.push(.setLink(isUp: true))
    case .denied, .emergencyOnly: waitingFor = .registrationDenied
    case .idle, .searching, .unknown: waitingFor = .searching
    }
  }

  mutating func linkChanged(
    isUp: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch state {
    case .registered where isUp:
      state = .attached
    case .attached where !isUp, .inUse where !isUp:
      waitingFor = .searching
      state = .searching(askAt: now, giveUpAt: now + Bounds.searchLimit)
      ask(.registration, at: now, into: &sink)
    case .off, .probing, .pressingOn, .starting, .checkingSIM, .searching, .registered,
      .attached, .inUse, .pressingOff, .stopping, .faulted:
      return
    }
  }

  mutating func deadlineReached(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard let deadline, now >= deadline else { return }
    switch state {
    case .off:
      isRestarting = false
      probe(at: now, into: &sink)
    case .probing:
      sink.push(.setPin(.modemPowerKey, isHigh: true))
      state = .pressingOn(until: now + board.powerOnPulse)
    case .pressingOn:
      sink.push(.setPin(.modemPowerKey, isHigh: false))
      if isReleased {
        isReleased = false
        stop(at: now, into: &sink)
      } else {
        state = .starting(
          askAt: now + Bounds.attentionInterval, giveUpAt: now + board.bootLimit)
      }
    case .starting(_, let giveUpAt):
      if now >= giveUpAt {
        powerCycle(at: now, into: &sink)
      } else {
        ask(.attention, at: now, into: &sink)
      }
    case .checkingSIM(_, let giveUpAt), .searching(_, let giveUpAt):
      if now >= giveUpAt {
        giveUp(waitingFor, at: now, into: &sink)
      } else {
        ask(phase == .checkingSIM ? .simStatus : .registration, at: now, into: &sink)
      }
    case .registered: giveUp(.noBearer, at: now, into: &sink)
    case .pressingOff:
      sink.push(.setPin(.modemPowerKey, isHigh: false))
      state = .stopping(until: now + board.powerOffTime)
    case .stopping: state = .off(restAt: now + board.offOnGap)
    case .faulted: state = .off(restAt: now)
    case .attached, .inUse: return
    }
  }

  // MARK: Steps

  private mutating func probe(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    sink.push(.sendToModem(.attention))
    state = .probing(until: now + Bounds.attentionInterval)
  }

  /// Sends a question and plans when to repeat it.
  private mutating func ask(
    _ command: ModemCommand, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    sink.push(.sendToModem(command))
    switch state {
    case .starting(_, let giveUpAt):
      state = .starting(askAt: now + Bounds.attentionInterval, giveUpAt: giveUpAt)
    case .checkingSIM(_, let giveUpAt):
      state = .checkingSIM(askAt: now + Bounds.pollInterval, giveUpAt: giveUpAt)
    case .searching(_, let giveUpAt):
      state = .searching(askAt: now + Bounds.pollInterval, giveUpAt: giveUpAt)
    case .off, .probing, .pressingOn, .registered, .attached, .inUse, .pressingOff, .stopping,
      .faulted:
      return
    }
  }

  private mutating func giveUp(
    _ reason: Reason, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    failure = reason
    stop(at: now, into: &sink)
  }

  private mutating func powerCycle(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    cycles += 1
    if cycles > Bounds.powerCycles {
      failure = .modemOff
      isRestarting = false
      state = .faulted(until: now + Bounds.faultPause)
      return
    }
    isRestarting = true
    sink.push(.setPin(.modemPowerKey, isHigh: true))
    state = .pressingOff(until: now + board.powerOffPulse)
  }

  private mutating func stop(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    case .registered, .attached, .inUse: sink.push(.setLink(isUp: false))
    case .off, .probing, .pressingOn, .starting, .checkingSIM, .searching, .pressingOff,
      .stopping, .faulted:
      break
    }
    isRestarting = false
    sink.push(.sendToModem(.powerOff))
    state = .stopping(until: now + board.powerOffTime)
  }
}
