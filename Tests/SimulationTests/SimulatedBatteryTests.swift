import Testing
import TrackerCore

@testable import Simulation

@Suite struct SimulatedBatteryTests {
  static func battery(_ regulator: Regulator, cutOff: Int32 = 0) -> Battery {
    var curve = InlineArray<11, Int32>(repeating: 0)
    for index in 0..<11 { curve[index] = Int32(3000 + index * 120) }
    return Battery(
      cellsInSeries: 2, cellsInParallel: 2, cellCapacityMilliampHours: 2000, cellMillivolts: curve,
      cutOffMillivolts: cutOff, capacityAtFreezingPercent: 80, regulator: regulator)
  }

  @Test func `A linear regulator draws the load's own current`() {
    var battery = SimulatedBattery(Self.battery(.linear), startPercent: 100)
    _ = battery.draw(microamps: 400_000, supplyMillivolts: 5000, for: .hours(1))
    // 400 mAh of 4000 mAh.
    #expect(abs(battery.percent - 90) < 1e-9)
  }

  @Test func `A switching regulator draws constant power, the whole curve down`() {
    var battery = SimulatedBattery(
      Self.battery(.switching(efficiencyPercent: 80)), startPercent: 100)
    // The area under the curve: 4 Ah at a mean of 2 · 3.6 V are 28.8 Wh; at 80 % and 1 W, 23.04 h.
    var hours = 0.0
    while !battery.isEmpty {
      _ = battery.draw(microamps: 200_000, supplyMillivolts: 5000, for: .minutes(6))
      hours += 0.1
    }
    #expect(abs(hours - 23.04) <= 0.1, "\(hours) h")
  }

  @Test func `The result does not depend on the step`() {
    var fine = SimulatedBattery(Self.battery(.switching(efficiencyPercent: 85)), startPercent: 97)
    var coarse = fine
    for _ in 0..<36_000 {
      _ = fine.draw(microamps: 150_000, supplyMillivolts: 5000, for: .seconds(1))
    }
    _ = coarse.draw(microamps: 150_000, supplyMillivolts: 5000, for: .hours(10))
    #expect(abs(fine.percent - coarse.percent) < 1e-6, "\(fine.percent) \(coarse.percent)")
  }

  @Test func `Current rises as the voltage falls`() {
    var full = SimulatedBattery(Self.battery(.switching(efficiencyPercent: 85)), startPercent: 100)
    var low = SimulatedBattery(Self.battery(.switching(efficiencyPercent: 85)), startPercent: 20)
    let (fullBefore, lowBefore) = (full.percent, low.percent)
    _ = full.draw(microamps: 200_000, supplyMillivolts: 5000, for: .hours(1))
    _ = low.draw(microamps: 200_000, supplyMillivolts: 5000, for: .hours(1))
    #expect(lowBefore - low.percent > fullBefore - full.percent)
  }

  @Test(arguments: [(20, 1.0), (0, 0.8), (-20, 0.6), (40, 1.0)])
  func `The cold makes every milliamp-hour dearer`(_ celsius: Int32, _ factor: Double) {
    var battery = SimulatedBattery(Self.battery(.linear), startPercent: 100)
    battery.setTemperature(celsius: celsius)
    _ = battery.draw(microamps: 400_000, supplyMillivolts: 5000, for: .hours(1))
    #expect(abs(battery.percent - (100 - 10 / factor)) < 1e-9)
  }

  @Test func `Below its cut-off it is empty, whatever charge is left`() {
    let battery = SimulatedBattery(Self.battery(.linear, cutOff: 6500), startPercent: 20)
    // 20 % is 2 · 3.24 V.
    #expect(battery.isEmpty)
  }

  @Test func `It never turns negative or traps when more is asked than there is`() {
    for regulator in [Regulator.linear, .switching(efficiencyPercent: 1)] {
      var battery = SimulatedBattery(Self.battery(regulator), startPercent: 3)
      _ = battery.draw(microamps: 2_000_000_000, supplyMillivolts: 60_000, for: .hours(1000))
      #expect(battery.percent == 0 && battery.isEmpty)
    }
  }
}
