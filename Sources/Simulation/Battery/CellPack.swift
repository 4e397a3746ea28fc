import TrackerCore

/// Cells in parallel groups, the groups in series; one cell may be weak.
///
/// All groups carry the same current, so that the sound ones are alike, and a weak one differs from
/// them by a constant amount of charge.
struct CellPack: Sendable {
  private let figures: PackFigures
  private var charge: KineticCharge
  /// Share of the charge that can be had at the present temperature, 0.05...1.
  private var usableShare = 1.0

  init(_ battery: Battery, startPercent: Int32, weakCellPercent: Int32) {
    figures = PackFigures(
      battery, startPercent: startPercent, weakCellPercent: weakCellPercent)
    charge = KineticCharge(figures.cell, total: figures.start)
  }

  // MARK: State

  /// Charge of the weakest group, milliamp-milliseconds, and when full.
  var weakest: (charge: Double, full: Double) {
    (max(0, charge.total - figures.lack), figures.weakFull)
  }

  /// Whether the weakest group can give nothing more for now: a rest or warmth may change that.
  var isExhausted: Bool {
    // Rounding may leave a last bit of the charge.
    !(level(lack: figures.lack, full: figures.weakFull) > 1e-9)
  }

  /// The whole pack without a load, millivolts, and its resistance, ohms.
  var source: (millivolts: Double, ohms: Double) {
    let battery = figures.battery
    let sound = level(lack: 0, full: figures.full)
    var millivolts = Self.value(of: battery.cellMillivolts, at: sound)
    var ohms = resistance(at: sound)
    let groups = Double(max(1, battery.cellsInSeries))
    if figures.weakShare < 1 {
      let weak = level(lack: figures.lack, full: figures.weakFull)
      millivolts = millivolts * (groups - 1) + Self.value(of: battery.cellMillivolts, at: weak)
      ohms = ohms * (groups - 1) + resistance(at: weak) / figures.weakShare
    } else {
      millivolts *= groups
      ohms *= groups
    }
    let coldness = min(CellFigures.mostColdResistance, 1 / usableShare)
    return (millivolts, ohms / Double(max(1, battery.cellsInParallel)) * coldness)
  }

  /// Resistance of one cell at 20 °C, ohms.
  private func resistance(at level: Double) -> Double {
    figures.cell.ohms * Self.value(of: figures.cell.resistanceShape, at: level) / 100
  }

  /// The state of charge that the voltage shows, 0...1: that of the available charge, above what
  /// the cold holds back.
  private func level(lack: Double, full: Double) -> Double {
    guard full > 0 else { return 0 }
    let level = (charge.available - lack) / full
    return (level - (1 - usableShare)) / usableShare
  }

  /// Linear between the eleven points of a curve over 0 %, 10 %, … 100 % of charge.
  private static func value(of curve: InlineArray<11, Int32>, at level: Double) -> Double {
    let tenth = min(10, max(0, level * 10))
    let index = min(9, Int(tenth))
    let low = Double(curve[index])
    return low + (Double(curve[index + 1]) - low) * (tenth - Double(index))
  }

  // MARK: Changes

  /// - Returns: whether the pack is different now.
  mutating func setTemperature(celsius: Int32) -> Bool {
    let lossPerDegree = Double(100 - figures.battery.capacityAtFreezingPercent) / 100 / 20
    let share = min(1, max(0.05, 1 - lossPerDegree * Double(20 - Int64(celsius))))
    defer { usableShare = share }
    return share != usableShare
  }

  /// The current of self-discharge, milliamps.
  var leak: Double { figures.leak }

  mutating func draw(_ milliamps: Double, for time: Double) {
    charge.draw(milliamps, for: time)
  }

  /// Draws until the weakest group has a certain charge.
  mutating func draw(_ milliamps: Double, untilWeakest end: Double) {
    charge.draw(milliamps, untilTotal: end + figures.lack)
  }
}
