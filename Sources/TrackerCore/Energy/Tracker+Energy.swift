extension Tracker {
  /// The battery was measured, by the host or by the modem.
  mutating func measured(_ reading: BatteryReading, at now: Instant) {
    gauge.measure(reading, at: now)
    planEnergy(at: now)
  }

  /// What the policy adaptive does until the next measurement.
  private mutating func planEnergy(at now: Instant) {
    guard case .adaptive(let interval) = configuration.capture, let percent = gauge.percent else {
      return
    }
    if gauge.isExternallyPowered { return budget.spendFreely() }
    let finish = configuration.finishRule.finish(of: identity.memory.session, by: clock, at: now)
    budget.measure(
      percent: percent, at: now, finish: finish.instant,
      Consumption(board, configuration, captureInterval: interval),
      reservePercent: configuration.reservePercent)
  }

  /// The battery can no longer be measured. `BatteryGauge` and `EnergyBudget` say what that means.
  mutating func loseBattery() {
    gauge.lose()
    budget.lose()
  }
}
