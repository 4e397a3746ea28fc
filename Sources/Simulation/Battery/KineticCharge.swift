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
    gap += (milliamps / (share * rate) - gap) * decayedShare(rate * time)
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
