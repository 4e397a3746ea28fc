/// How often there may be contacts, according to the settings and the battery.
struct ContactTerms {
  /// Time between two transmissions; the adaptive policy scales the configured one.
  let interval: Milliseconds
  /// Whether the battery only allows rare contacts. Always `false` after the session, when the
  /// battery is not needed for anything else.
  let isInReserve: Bool
  /// What becomes of the modem between contacts: as configured, or as the budget has chosen.
  let betweenUploads: BetweenUploads

  /// Inlined, so that only what it looks at is read, and not everything that it is given.
  @inline(__always)
  init(
    _ configuration: Configuration, budget: EnergyBudget, gauge: BatteryGauge,
    isSessionRunning: Bool
  ) {
    isInReserve = isSessionRunning && gauge.isInReserve(ofPercent: configuration.reservePercent)
    let chosen = budget.plan.betweenUploads
    // In the reserve contacts are too rare for a modem that stays attached.
    let isTooRare = isInReserve && chosen == .attached
    betweenUploads =
      isTooRare ? configuration.betweenUploads : chosen ?? configuration.betweenUploads
    if case .adaptive = configuration.capture {
      interval = budget.stretchContact(configuration.contactInterval(betweenUploads))
    } else {
      interval = configuration.transmitInterval
    }
  }
}

extension Tracker {
  @inline(never)
  mutating func contactTerms() -> ContactTerms {
    ContactTerms(configuration, budget: budget, gauge: gauge, isSessionRunning: session.isRunning)
  }
}
