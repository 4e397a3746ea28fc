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
