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

  /// - Wells: fitted, with a capacity of 2350 mAh at 100 mA, to the means of measurements by
  ///   others, all near 20 °C: ten types of Duracell, Energizer, Panasonic, Maplin and RS on
  ///   5.5 Ω, 7.8 h to 1.0 V, 8.5 to 0.9 V and 8.9 to 0.8 V (dhennessy/BatteryCapacityTester); two
  ///   types at 100 mA, five at 500 mA, 1.37 Ah, and at 1 A (powerstream.com/AA-tests.htm); an
  ///   Energizer E91 to 0.8 V (kurokatta.org, discharge graphs) and its data sheet, of which
  ///   someonesdad1/plib quotes 2800 mAh at 25 mA, 2500 at 100, 1800 at 250 and 1300 at 500. All
  ///   means within 5 %, but for 250 mA, of which only the E91 is known: 12 % less than its.
  /// - Self-discharge: 3 % in a year, from memory, unverified.
  private static let alkaline = CellFigures(
    availableShare: 0.4, recoveryPerHour: 0.2, ratedHours: 23.5, lossPerMonth: 0.0025)

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

/// What does not change about a pack during a run.
///
/// A class, so that `World`, which cannot be copied, holds one reference instead of all this.
final class PackFigures: Sendable {
  let battery: Battery
  let cell: CellFigures
  /// Charge of a full sound group, milliamp-milliseconds at 20 °C.
  let full: Double
  /// Charge of the full weak group as a share of a sound one's; 1: none is weak.
  let weakShare: Double
  /// What the weak group has less than the others, milliamp-milliseconds.
  let lack: Double
  /// Charge of a sound group at the start, milliamp-milliseconds.
  let start: Double
  /// The current of self-discharge, milliamps.
  let leak: Double

  init(_ battery: Battery, startPercent: Int32, weakCellPercent: Int32) {
    self.battery = battery
    cell = CellFigures.of(battery)
    let parallel = Double(max(1, battery.cellsInParallel))
    let stated = Double(max(0, battery.cellCapacityMilliampHours))
    let charge = KineticCharge.total(for: stated, hours: cell.ratedHours, cell)
    full = charge * parallel * 3_600_000
    let weak = Double(min(100, max(1, weakCellPercent))) / 100
    weakShare = (parallel - 1 + weak) / parallel
    start = full * Double(min(100, max(0, startPercent))) / 100
    lack = start * (1 - weakShare)
    leak = full * cell.lossPerMonth / CellFigures.month
  }

  /// Charge of the full weakest group, milliamp-milliseconds.
  var weakFull: Double { full * weakShare }
}

/// The charge of a cell in two wells (Manwell and McGowan, Solar Energy 50, 1993).
///
/// A load draws from the available well. The bound one flows into it, in proportion to the
/// difference of their levels. So a heavy load empties the available well while charge is left, a
/// pause gives some of that back, and a peak of seconds costs no more than its charge. Under a
/// constant current both follow in closed form, whatever the time.
///
/// Not in the model: that the flow is slower in a nearly empty cell, ageing, and the cell's own
/// heat.
struct KineticCharge: Sendable {
  /// Share of the capacity that is in the available well, above 0, at most 1.
  private let share: Double
  /// How fast a difference of the levels disappears, per millisecond.
  private let rate: Double
  /// Charge of both wells, milliamp-milliseconds.
  private(set) var total: Double
  /// By how much the level of the available well is below that of the bound one, each level being
  /// the charge that a whole cell of this level has, milliamp-milliseconds.
  private var gap = 0.0
  /// The share of the gap that closes in each of the two times asked for last: most draws take as
  /// long as one of the two before.
  private var recent = (time: 0.0, share: 0.0)
  private var earlier = (time: 0.0, share: 0.0)

  /// Charge at rest.
  init(_ figures: CellFigures, total: Double) {
    share = figures.availableShare
    rate = figures.recoveryPerHour / 3_600_000
    self.total = total
  }

  /// The level of the available well, as the charge that a rested cell of this level has; negative
  /// when more was drawn than it had.
  var available: Double { total - (1 - share) * gap }

  /// Draws a constant current, milliamps, for a time in milliseconds.
  mutating func draw(_ milliamps: Double, for time: Double) {
    total = max(0, total - milliamps * time)
    // With one well there is no gap.
    guard share < 1, rate > 0 else { return }
    gap += (milliamps / (share * rate) - gap) * closedShare(in: time)
  }

  private mutating func closedShare(in time: Double) -> Double {
    if time == recent.time { return recent.share }
    let before = recent
    recent = time == earlier.time ? earlier : (time, decayedShare(rate * time))
    earlier = before
    return recent.share
  }

  /// Draws a constant current until a certain charge is left, which must not be more than `total`.
  mutating func draw(_ milliamps: Double, untilTotal end: Double) {
    draw(milliamps, for: (total - end) / milliamps)
    total = end
  }

  /// How much charge must be in a cell for it to give `capacity` within a time in hours at a
  /// constant current.
  static func total(for capacity: Double, hours: Double, _ figures: CellFigures) -> Double {
    let (share, perHour) = (figures.availableShare, figures.recoveryPerHour)
    guard share < 1, perHour > 0, hours > 0 else { return capacity }
    let gap = capacity / hours / (share * perHour) * decayedShare(perHour * hours)
    return capacity + (1 - share) * gap
  }
}

/// The share of a decaying quantity that is gone after a time: 1 - exp(-x), for `x` the time in
/// units of its time constant.
///
/// By basic arithmetic only, which is the same to the last bit on every machine; a C library's
/// `exp` is not.
func decayedShare(_ x: Double) -> Double {
  guard x > 0 else { return 0 }
  // exp(-40) is below the last bit of 1.
  guard x < 40 else { return 1 }
  var part = x
  var doublings = 0
  while part > 0.125 {
    part /= 2
    doublings += 1
  }
  // x - x²/2! + x³/3! - …; what is left out is below (1/8)¹¹ / 11!, 3e-18.
  var share = 0.0
  for term in stride(from: 10.0, to: 0, by: -1) { share = part / term * (1 - share) }
  // What is left after twice the time is the square of what is left now.
  for _ in 0..<doublings { share *= 2 - share }
  return share
}

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
