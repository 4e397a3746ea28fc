import TrackerCore

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
