/// A push button. A short press counts when it is released, a long one as soon as it is long
/// enough.
struct Button: Sendable, Equatable {
  enum Press: Sendable, Equatable {
    case short
    case long
  }

  private var pressedAt: Instant?
  /// The press has counted as a long one already.
  private var isCounted = false

  /// When a press that goes on becomes a long one.
  var deadline: Instant? { isCounted ? nil : pressedAt.map { $0 + Bounds.longPress } }

  /// Its contacts bounce when it is pressed and when it is released; anything shorter than
  /// `Bounds.contactBounce` is not a press.
  mutating func changed(isPressed: Bool, at now: Instant) -> Press? {
    guard !isPressed else {
      if pressedAt == nil {
        pressedAt = now
        isCounted = false
      }
      return nil
    }
    let press = deadlineReached(at: now)
    defer { pressedAt = nil }
    guard press == nil, !isCounted, let pressedAt else { return press }
    return now - pressedAt >= Bounds.contactBounce ? .short : nil
  }

  mutating func deadlineReached(at now: Instant) -> Press? {
    guard let deadline, now >= deadline else { return nil }
    isCounted = true
    return .long
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

  /// How often it blinks before a pause; `stopped` is one long blink.
  public var blinks: Int32 {
    switch self {
    case .working, .stopped: 1
    case .waiting: 2
    case .noPosition: 3
    case .modemTrouble: 4
    case .serverTrouble: 5
    case .storeTrouble: 6
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
      let press = button.changed(isPressed: isActive, at: now - max(0, age))
      obey(press, at: now, into: &sink)
    }
  }

  mutating func considerButton(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    let press = button.deadlineReached(at: now)
    obey(press, at: now, into: &sink)
  }

  private mutating func obey(
    _ press: Button.Press?, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    switch press {
    case .short: obey(.captureNow, from: .button, at: now, into: &sink)
    case .long: obey(session.isRunning ? .stop : .start, from: .button, at: now, into: &sink)
    case nil: return
    }
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
    let light = Light(capturing: captureReason, sending: sendReason, pending: uploader.pending)
    guard light != outputs.light else { return }
    outputs.light = light
    sink.push(.setLight(light))
  }
}

/// What the outputs were last set to.
struct Outputs: Sendable, Equatable {
  var light: Light?
  var flightMode: Bool?
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
