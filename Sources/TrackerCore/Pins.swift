/// A push button. A short press counts when it is released, a long one as soon as it is long
/// enough; that of a button that also calls for help counts when it is released.
struct Button: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case plain
    /// Held for longer still it calls for help.
    case calling
    /// It only calls for help.
    case guarded
  }

  enum Press: Sendable, Equatable {
    case short
    case long
    case emergency
  }

  private var kind = Kind.plain
  private var pressedAt: Instant?
  /// The press has counted already.
  private var isCounted = false
  /// Held for longer it calls for help, and the light says so.
  private(set) var isWarning = false

  /// When a press that goes on counts, or the light is to warn.
  var deadline: Instant? {
    guard let pressedAt, !isCounted else { return nil }
    switch kind {
    case .plain: return pressedAt + Bounds.longPress
    case .calling: return pressedAt + (isWarning ? Bounds.longestPress : Bounds.longPress)
    case .guarded: return pressedAt + Bounds.emergencyPress
    }
  }

  /// Its contacts bounce when it is pressed and when it is released; anything shorter than
  /// `Bounds.contactBounce` is not a press.
  mutating func changed(isPressed: Bool, _ kind: Kind, at now: Instant) -> Press? {
    guard !isPressed else {
      if pressedAt == nil {
        self.kind = kind
        pressedAt = now
        isCounted = false
      }
      return nil
    }
    let press = deadlineReached(at: now)
    defer {
      pressedAt = nil
      isWarning = false
    }
    guard press == nil, !isCounted, let pressedAt, self.kind != .guarded else { return press }
    if isWarning { return .long }
    return now - pressedAt >= Bounds.contactBounce ? .short : nil
  }

  mutating func deadlineReached(at now: Instant) -> Press? {
    guard let pressedAt, let deadline, now >= deadline else { return nil }
    switch kind {
    case .plain:
      isCounted = true
      return .long
    case .calling where now < pressedAt + Bounds.longestPress:
      isWarning = true
      return nil
    case .calling, .guarded:
      isCounted = true
      isWarning = false
      return .emergency
    }
  }
}

/// What a status light shows: one code, repeated. If it is dark, the tracker does not run.
public enum Light: UInt8, Sendable, Equatable {
  /// Captures are taken, and none waits.
  case working
  /// Captures are taken and wait to be sent.
  case waiting
  /// No position: no fix, a poor one, or no trusted time.
  case noPosition
  /// The modem or its SIM needs a person.
  case modemTrouble
  /// The server refuses the tracker or its captures.
  case serverTrouble
  /// Captures cannot be stored.
  case storeTrouble
  /// No session is running.
  case stopped
  /// The button is being held, and will call for help if it is held on.
  case emergencyAhead
  /// The team has called for help, and no server has that.
  case emergencyRaised
  /// A server has it, and nobody has read it.
  case emergencyDelivered
  /// A person has read it.
  case emergencyRead
  /// The control room wants the team to call it.
  case callAsked

  /// The code of an emergency; `nil`: none stands.
  init?(_ stage: EmergencyRecord.Stage?) {
    switch stage {
    case .raised, .stored: self = .emergencyRaised
    case .delivered: self = .emergencyDelivered
    case .read: self = .emergencyRead
    case .withdrawn, .ended, nil: return nil
    }
  }

  /// The code for the present reasons; what loses captures comes first.
  init(capturing: Reason?, sending: Reason?, pending: UInt32) {
    switch capturing?.properties.subject {
    case .store: self = .storeTrouble
    case .session: self = .stopped
    case .position: self = .noPosition
    case .plan, .battery, .modem, .sim, .network, .server, nil:
      self.init(sending: sending?.properties, pending: pending)
    }
  }

  private init(sending: Reason.Properties?, pending: UInt32) {
    guard let sending, sending.needsPerson else {
      self = pending > 0 ? .waiting : .working
      return
    }
    switch sending.subject {
    case .server: self = .serverTrouble
    case .store: self = .storeTrouble
    case .modem, .sim, .network, .plan, .session, .position, .battery: self = .modemTrouble
    }
  }
}

// Lines between the computer, its modem and people.
extension Tracker {
  mutating func pinChanged(
    _ pin: InputPin, isActive: Bool, for age: Milliseconds, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    switch pin {
    case .modemStatus: link.modem?.statusChanged(isOn: isActive, at: now, into: &sink)
    case .powerGood:
      guard gauge.isExternallyPowered != isActive else { return }
      gauge.isExternallyPowered = isActive
      // What was drawn so far did not come from the battery.
      if !isActive { _ = loadMeter.take(at: now) }
      sink.note(.externalPower(isActive))
    case .button:
      let calls = configuration.emergency && !board.hasEmergencyButton
      let press = button.changed(
        isPressed: isActive, calls ? .calling : .plain, at: now - max(0, age))
      obey(press, at: now, into: &sink)
    case .emergency:
      let press = emergencyButton.changed(isPressed: isActive, .guarded, at: now - max(0, age))
      obey(press, at: now, into: &sink)
    }
  }

  mutating func considerButton(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    let press = button.deadlineReached(at: now)
    obey(press, at: now, into: &sink)
    let call = emergencyButton.deadlineReached(at: now)
    obey(call, at: now, into: &sink)
  }

  private mutating func obey(
    _ press: Button.Press?, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch press {
    case .short:
      endCallRequest(into: &sink)
      obey(.captureNow, from: .button, at: now, into: &sink)
    case .long: obey(session.isRunning ? .stop : .start, from: .button, at: now, into: &sink)
    case .emergency: toggleEmergency(from: .button, at: now, into: &sink)
    case nil: return
    }
  }

  // A request for a call is not in `Memory`: whoever keeps the control room's orders gives it again
  // after a restart.

  mutating func askForCall(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard outputs.callAskedAt == nil else { return }
    outputs.callAskedAt = now
    sink.note(.callRequest(isOpen: true))
  }

  /// The team has pressed the button, or said so at a console; or the control room takes it back.
  mutating func endCallRequest(into sink: inout some EffectSink & ~Copyable) {
    guard outputs.callAskedAt != nil else { return }
    outputs.callAskedAt = nil
    sink.note(.callRequest(isOpen: false))
  }

  /// Reports changes of what the light shows, and of whether the radio is wanted.
  @inline(never)
  mutating func setOutputs(into sink: inout some EffectSink & ~Copyable) {
    if board.modem.hasFlightMode, let modem = link.modem {
      let isActive = !modem.power.isRadioWanted
      if isActive != outputs.flightMode {
        outputs.flightMode = isActive
        sink.setPin(.flightMode, isActive: isActive)
      }
    }
    guard board.hasLight else { return }
    let light =
      button.isWarning
      ? .emergencyAhead
      : Light(identity.memory.emergency?.stage)
        ?? (callAskedAt == nil
          ? Light(capturing: captureReason, sending: sendReason, pending: uploader.pending)
          : .callAsked)
    guard light != outputs.light else { return }
    outputs.light = light
    sink.push(.setLight(light))
  }
}

/// What the outputs were last set to, and what the light is to ask for.
struct Outputs: Sendable, Equatable {
  var light: Light?
  /// Since when the control room wants a call of the team; `nil`: it does not.
  var callAskedAt: Instant?
  var flightMode: Bool?

  /// Whether the light has begun to ask for a call so recently that it may not go out. A request
  /// that is given right after the start was asked before it, and has had its time.
  func isCallNew(since start: Instant, at now: Instant) -> Bool {
    guard let callAskedAt, callAskedAt >= start + Bounds.haltGrace else { return false }
    return now < callAskedAt + Bounds.callRequest
  }
}

/// What a modem's STATUS line says, as long as it can be believed: a line that is not connected, or
/// has the wrong polarity in the board's file, contradicts the modem. Hosts report a level only
/// when it has held for a while.
struct StatusLine: Sendable, Equatable {
  /// `nil`: unknown.
  private(set) var isOn: Bool?
  private var isContradicted = false

  mutating func changed(isOn: Bool) { if !isContradicted { self.isOn = isOn } }

  /// The modem is certainly in another state than the line says.
  ///
  /// - Returns: whether that is news.
  mutating func contradict() -> Bool {
    isOn = nil
    defer { isContradicted = true }
    return !isContradicted
  }
}
