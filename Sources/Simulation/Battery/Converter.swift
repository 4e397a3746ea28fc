import TrackerCore

/// What supplies the rail from the battery.
struct Converter: Sendable {
  let regulator: Regulator

  /// The current, milliamps, that a load on the rail draws from a source; `nil`: more than the
  /// source can give.
  ///
  /// - Parameters:
  ///   - microwatts: the load's power on the rail.
  ///   - milliamps: the load's current on the rail.
  ///   - source: open-circuit voltage in millivolts, and resistance in ohms.
  func draw(
    microwatts: Double, milliamps: Double, from source: (millivolts: Double, ohms: Double)
  ) -> Double? {
    switch regulator {
    case .linear: return milliamps
    case .switching(let efficiencyPercent):
      let power = microwatts * 100 / Double(max(1, efficiencyPercent))
      if power <= 0 { return 0 }
      // power = (millivolts - ohms · i) · i: the smaller of the two solutions, in the form that
      // is exact without resistance, too.
      let square = source.millivolts * source.millivolts - 4 * source.ohms * power
      guard source.millivolts > 0, square >= 0 else { return nil }
      return 2 * power / (source.millivolts + square.squareRoot())
    }
  }
}
