/// How often there may be contacts, by the settings and the battery.
struct ContactTerms {
  /// Time between two transmissions; the adaptive policy stretches the configured one.
  let interval: Milliseconds
  /// The battery may only be used for rare contacts. After the session it serves nothing else.
  let isInReserve: Bool

  init(
    _ configuration: Configuration, pace: Pace, gauge: BatteryGauge, isSessionRunning: Bool
  ) {
    if case .adaptive = configuration.capture {
      interval = pace.stretch(configuration.transmitInterval)
    } else {
      interval = configuration.transmitInterval
    }
    isInReserve = isSessionRunning && gauge.isInReserve(ofPercent: configuration.reservePercent)
  }
}
