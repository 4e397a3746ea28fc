import Testing

@testable import TrackerCore

/// What a voltage does not show: charge that cells hold back, a weak cell, a meter that is off.
@Suite struct ChargeBandTests {
  /// Cells of 1000 mAh without resistance, 1000 mV when empty.
  private static func battery(_ chemistry: Chemistry, cells: Int32, rise: Int32 = 100) -> Battery {
    var curve = InlineArray<11, Int32>(repeating: 0)
    for index in 0..<11 { curve[index] = 1000 + Int32(index) * rise }
    var battery = Battery(
      cellsInSeries: cells, cellsInParallel: 1, cellCapacityMilliampHours: 1000,
      cellMillivolts: curve, cutOffMillivolts: cells * 900, capacityAtFreezingPercent: 80,
      regulator: .linear)
    battery.chemistry = chemistry
    battery.cellMilliohms = 1
    return battery
  }

  /// A gauge that has been read each minute, under a constant load, while the voltage fell.
  private func read(
    _ battery: Battery, minutes: Int64, microamps: Int64, _ millivolts: (Int64) -> Int32
  ) -> BatteryGauge {
    var gauge = BatteryGauge(battery)
    for minute in 0...minutes {
      let drawn = BatteryGauge.Drawn(
        microamps: microamps, time: .minutes(minute == 0 ? 0 : 1), presentMicroamps: microamps)
      gauge.measure(
        BatteryReading(millivolts: millivolts(minute)), at: .start + .minutes(minute), drawn)
    }
    return gauge
  }

  @Test func `What alkaline cells hold back from a load is left, but cannot be had`() throws {
    let battery = Self.battery(.alkaline, cells: 1)
    // 50 mA are 5 % an hour, and a percent is 10 mV.
    let lag = battery.chemistry.lag
    let end = Double(lag.drawn.count) / 3_600_000 * 50
    var held = 0.0
    var volts: [Int32] = []
    for minute in 0...780 {
      volts.append(Int32(2000 - Double(minute) * 50 / 60 - held))
      held += (end - held) * 60_000 / Double(lag.settling.count)
    }
    var gauge = read(battery, minutes: 600, microamps: 50_000) { volts[Int($0)] }
    let half = try #require(gauge.estimate, again(Self.self))
    #expect(abs(half.charge - 500_000) < 40_000, again(Self.self, "\(half)"))
    let endsEarly = gauge.needsFinalContact(peak: 50_000)
    #expect(!endsEarly, again(Self.self))
    gauge = read(battery, minutes: 780, microamps: 50_000) { volts[Int($0)] }
    let late = try #require(gauge.estimate, again(Self.self))
    #expect(abs(late.charge - 350_000) < 40_000, again(Self.self, "\(late)"))
    let ends = gauge.needsFinalContact(peak: 50_000)
    #expect(ends, again(Self.self, "\(late), \(gauge.heldBack)"))
    // A rest gives it back.
    let before = gauge.heldBack
    for minute in Int64(781)...2400 {
      gauge.measure(
        BatteryReading(millivolts: 1350), at: .start + .minutes(minute),
        BatteryGauge.Drawn(time: .minutes(1)))
    }
    #expect(gauge.heldBack < before / 10, again(Self.self, "\(gauge.heldBack)"))
  }

  @Test func `A NiMH pack is believed to have a cell that is weaker, and nobody knows how much`()
    throws
  {
    func estimate(_ battery: Battery, _ millivolts: Int32) throws -> ChargeEstimate {
      let gauge = read(battery, minutes: 600, microamps: 0) { _ in
        millivolts * battery.cellsInSeries
      }
      return try #require(gauge.estimate, again(Self.self))
    }
    let single = Self.battery(.nickelMetalHydride, cells: 1)
    let pack = Self.battery(.nickelMetalHydride, cells: 8)
    // Full, all are.
    #expect(try estimate(pack, 2000).charge == 1_000_000, again(Self.self))
    #expect(try estimate(pack, 2000).deviation <= 40_000, again(Self.self))
    // A cell with 70 % of the others' capacity has 14 % where they have 40 %.
    let low = try estimate(pack, 1400)
    #expect(low.charge < 350_000, again(Self.self, "\(low)"))
    #expect(low.charge - low.deviation * 164 / 100 < 140_000, again(Self.self, "\(low)"))
    let alone = try estimate(single, 1400)
    #expect(abs(alone.charge - 400_000) < 5000, again(Self.self, "\(alone)"))
    #expect(alone.deviation < low.deviation / 3, again(Self.self))
  }

  @Test func `A fuel gauge knows its cells`() {
    var gauge = BatteryGauge(Self.battery(.nickelMetalHydride, cells: 8))
    gauge.measure(BatteryReading(millivolts: 11_000, percent: 40), at: .start)
    #expect(gauge.percent == 40, again(Self.self))
    #expect(gauge.estimate?.deviation == Bounds.gaugeDeviation, again(Self.self))
  }

  @Test func `However often a meter is read, where the curve is flat it may always be off`() throws
  {
    // 100 mV from 0 to 100 %: a meter that is 10 mV off is 10 % off.
    let flat = read(Self.battery(.other, cells: 1, rise: 10), minutes: 3000, microamps: 0) { _ in
      1050
    }
    let steep = read(Self.battery(.other, cells: 1), minutes: 3000, microamps: 0) { _ in 1500 }
    let doubtful = try #require(flat.estimate, again(Self.self))
    #expect(doubtful.deviation > 20_000, again(Self.self, "\(doubtful)"))
    #expect(steep.estimate?.deviation == Bounds.chargeDeviation, again(Self.self))
  }

  @Test func `Cold may hide charge, and never shows more than there is`() {
    let battery = Self.battery(.lithiumIon, cells: 1)
    let full = ChargeEstimate(charge: 1_000_000, deviation: 30_000)
    #expect(battery.deviationAbove(full) == 30_000, again(Self.self))
    let half = ChargeEstimate(charge: 500_000, deviation: 30_000)
    // Freezing takes a fifth of the full battery; of what was drawn, half of that is hidden.
    #expect((100_000...110_000).contains(battery.deviationAbove(half)), again(Self.self))
  }
}
