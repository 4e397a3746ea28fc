extension Tracker {
  /// The battery was measured, by the host or by the modem.
  mutating func measured(_ reading: BatteryReading, at now: Instant) {
    gauge.measure(reading, at: now)
    guard let percent = gauge.percent else { return }
    let finish = configuration.finishRule.finish(of: identity.memory.session, by: clock, at: now)
    pace.measure(percent: percent, at: now, finish: finish.instant)
  }

  /// The battery can no longer be measured. `BatteryGauge` and `Pace` say what that means.
  mutating func loseBattery() {
    gauge.lose()
    pace.lose()
  }
}
