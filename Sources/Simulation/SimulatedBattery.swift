import TrackerCore

/// A battery that is discharged by loads.
///
/// Charge is computed exactly between changes of load, whatever the time between them: a linear
/// regulator draws the load's current; a switching one draws constant power, for which the charge
/// follows from the area under the open-circuit curve in closed form. Internal resistance and rate
/// dependence are not modelled.
public struct SimulatedBattery {
  private let battery: Battery
  /// Remaining charge, in milliamp-milliseconds at 20 °C.
  private var charge: Double
  private let fullCharge: Double
  /// Share of the capacity available at the current temperature, 0.05...1.
  private var temperatureFactor = 1.0

  public init(_ battery: Battery, startPercent: Int32) {
    self.battery = battery
    let capacity = Double(battery.cellCapacityMilliampHours) * Double(battery.cellsInParallel)
    fullCharge = capacity * 3_600_000
    charge = fullCharge * Double(startPercent) / 100
  }

  public mutating func setTemperature(celsius: Int32) {
    let lossPerDegree = Double(100 - battery.capacityAtFreezingPercent) / 100 / 20
    temperatureFactor = min(1, max(0.05, 1 - lossPerDegree * Double(20 - celsius)))
  }

  /// Remaining charge, 0...100.
  public var percent: Double { max(0, charge / fullCharge * 100) }

  /// Open-circuit voltage of the whole battery.
  public var millivolts: Double { cellMillivolts * Double(battery.cellsInSeries) }

  public var isEmpty: Bool {
    charge <= 0 || millivolts < Double(battery.cutOffMillivolts)
  }

  private var cellMillivolts: Double {
    let tenth = min(10, max(0, charge / fullCharge * 10))
    let index = min(9, Int(tenth))
    let low = Double(battery.cellMillivolts[index])
    let high = Double(battery.cellMillivolts[index + 1])
    return low + (high - low) * (tenth - Double(index))
  }

  /// Draws a load for a time. Returns the energy that left the battery, millijoules.
  public mutating func draw(
    microamps: Int64, supplyMillivolts: Int32, for time: Milliseconds
  ) -> Double {
    guard time.count > 0 else { return 0 }
    switch battery.regulator {
    case .linear:
      let used = Double(microamps) / 1000 * Double(time.count)
      let before = energyLeft
      charge -= used / temperatureFactor
      // The charge lost to the cold delivers no energy.
      return max(0, before - energyLeft) * temperatureFactor
    case .switching(let efficiency):
      let load = Double(microamps) * Double(supplyMillivolts) * Double(time.count) / 1e9
      let drawn = load * 100 / Double(efficiency)
      takeEnergy(drawn / temperatureFactor)
      return drawn
    }
  }

  /// Area under the open-circuit curve from empty to here, millijoules.
  private var energyLeft: Double {
    let step = fullCharge / 10
    var left = max(0, charge)
    var sum = 0.0
    for index in 0..<10 where left > 0 {
      let low = Double(battery.cellMillivolts[index])
      let high = Double(battery.cellMillivolts[index + 1])
      let part = min(left, step)
      sum += part * (low + (high - low) * part / step / 2)
      left -= part
    }
    return sum * Double(battery.cellsInSeries) / 1e6
  }

  /// Moves down the curve by `millijoules`: in each segment the voltage is linear, so the charge is
  /// the root of a quadratic.
  private mutating func takeEnergy(_ millijoules: Double) {
    var remaining = millijoules * 1e6 / Double(battery.cellsInSeries)
    let step = fullCharge / 10
    var index = min(9, max(0, Int(charge / step)))
    while remaining > 0 && index >= 0 {
      let floor = step * Double(index)
      let low = Double(battery.cellMillivolts[index])
      let slope = (Double(battery.cellMillivolts[index + 1]) - low) / step
      let above = max(0, charge - floor)
      let voltage = low + slope * above
      let available = above * (low + voltage) / 2
      if available > remaining {
        // voltage · q - slope · q² / 2 = remaining
        let root = (voltage * voltage - 2 * slope * remaining).squareRoot()
        charge -= slope > 0 ? (voltage - root) / slope : remaining / voltage
        return
      }
      remaining -= available
      charge = floor
      index -= 1
    }
  }
}
