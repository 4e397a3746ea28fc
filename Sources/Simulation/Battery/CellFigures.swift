import TrackerCore

/// How the cells of a chemistry behave, beside what a board file states about its own.
struct CellFigures: Sendable {
  /// See `KineticCharge`.
  var availableShare: Double
  /// See `KineticCharge`; per hour.
  var recoveryPerHour: Double
  /// Length of the discharge for which makers state a capacity, hours.
  var ratedHours: Double
  /// Resistance of one full cell at 20 °C, ohms: `Chemistry.usualMilliohms`, or as stated.
  var ohms = 0.0
  /// `Chemistry.resistanceShape`.
  var resistanceShape = Chemistry.other.resistanceShape
  /// Self-discharge at 20 °C, as a share of the capacity.
  var lossPerMonth: Double

  /// A month in milliseconds, of 30 days.
  static let month = 30.0 * 24 * 3_600_000

  /// A cold cell's resistance rises as its usable charge falls, to this at most: an E91 has about
  /// 0.15 Ω at room temperature and 0.9 Ω at -40 °C (Energizer, quoted by Wikipedia, Internal
  /// resistance).
  static let mostColdResistance = 6.0

  /// What is known about a board's cells.
  static func of(_ battery: Battery) -> CellFigures {
    var figures = of(battery.chemistry)
    figures.ohms = Double(battery.fullCellMilliohms) / 1000
    figures.resistanceShape = battery.chemistry.resistanceShape
    if battery.ratedMicroamps > 0 {
      figures.ratedHours =
        Double(battery.cellCapacityMilliampHours) * 1000 / Double(battery.ratedMicroamps)
    }
    return figures
  }

  static func of(_ chemistry: Chemistry) -> CellFigures {
    switch chemistry {
    case .other: ideal
    case .alkaline: alkaline
    case .lithium: lithium
    case .nickelMetalHydride: nickelMetalHydride
    case .lithiumIon, .lithiumIronPhosphate: lithiumIon
    }
  }

  /// An unknown chemistry: the same capacity at each rate, no resistance, no self-discharge.
  private static let ideal = CellFigures(
    availableShare: 1, recoveryPerHour: 0, ratedHours: 5, lossPerMonth: 0)

  /// - Wells: fitted to five points of one type of cell, an E91 to 0.8 V at 21 °C: 3000 mAh at
  ///   25 mA, 2600 at 100 mA, 2100 at 250 mA, 1600 at 500 mA and 1000 at 1 A (kurokatta.org,
  ///   discharge graphs); all within 6 %.
  /// - Self-discharge: 3 % in a year, from memory, unverified.
  private static let alkaline = CellFigures(
    availableShare: 0.34, recoveryPerHour: 0.55, ratedHours: 120, lossPerMonth: 0.0025)

  /// - Wells: nearly the same capacity at each load (Energizer, L91 data sheet, quoted); the
  ///   numbers are assumptions, unverified.
  /// - Self-discharge (90 % after 15 years): from memory, unverified.
  private static let lithium = CellFigures(
    availableShare: 0.9, recoveryPerHour: 2, ratedHours: 30, lossPerMonth: 0.0006)

  /// - Wells: unverified. Capacities are stated for a discharge of 5 h (IEC 61951-2).
  /// - Self-discharge: 10 % in the first month, as a
  ///   low-self-discharge type (guyelectronicprice.blogspot.com, eneloop, own test); others lose
  ///   more.
  private static let nickelMetalHydride = CellFigures(
    availableShare: 0.85, recoveryPerHour: 2, ratedHours: 5, lossPerMonth: 0.1)

  /// Capacities are stated for a discharge of 5 h (IEC 61960). All others, and that LiFePO4 has the
  /// same: from memory, unverified.
  private static let lithiumIon = CellFigures(
    availableShare: 0.9, recoveryPerHour: 2, ratedHours: 5, lossPerMonth: 0.025)
}
