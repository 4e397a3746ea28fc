import Testing
import TrackerCore

@testable import Simulation

private let again: Comment = "repeat with: swift test --filter SimulatedBatteryTests"

@Suite struct SimulatedBatteryTests {
  /// Two cells in series, without resistance and with one capacity for each current.
  static func ideal(_ regulator: Regulator, cutOff: Int32 = 0) -> Battery {
    var curve = InlineArray<11, Int32>(repeating: 0)
    for index in 0..<11 { curve[index] = Int32(3000 + index * 120) }
    return Battery(
      cellsInSeries: 2, cellsInParallel: 2, cellCapacityMilliampHours: 2000, cellMillivolts: curve,
      cutOffMillivolts: cutOff, capacityAtFreezingPercent: 80, regulator: regulator)
  }

  /// One alkaline AA as the mean of brands, discharged to 0.8 V.
  static var alkaline: Battery {
    var battery = Battery(
      cellsInSeries: 1, cellsInParallel: 1, cellCapacityMilliampHours: 2350,
      cellMillivolts: [1000, 1100, 1150, 1190, 1230, 1250, 1280, 1300, 1350, 1400, 1580],
      cutOffMillivolts: 800, capacityAtFreezingPercent: 50, regulator: .linear)
    battery.chemistry = .alkaline
    battery.ratedMicroamps = 100_000
    return battery
  }

  /// Hours until the battery is empty under one load at 5 V.
  static func hours(_ battery: SimulatedBattery, microamps: Int64) -> Double {
    var battery = battery
    let drawn = battery.draw(microamps: microamps, supplyMillivolts: 5000, for: .hours(1000))
    return Double(drawn.time.count) / 3_600_000
  }

  static func hours(_ battery: Battery, microamps: Int64) -> Double {
    hours(SimulatedBattery(battery, startPercent: 100), microamps: microamps)
  }

  // MARK: Cells

  // The means of brands; the sources are at CellFigures. At 250 mA, where only an E91 was measured,
  // it gave 2100 mAh, and its data sheet says 1800.
  @Test(arguments: [(25, 2900, 0.05), (100, 2360, 0.05), (250, 1950, 0.15), (500, 1400, 0.05)])
  func `An alkaline cell gives the hours of brands at constant currents`(
    _ milliamps: Int64, _ milliampHours: Double, _ tolerance: Double
  ) {
    let measured = milliampHours / Double(milliamps)
    let hours = Self.hours(Self.alkaline, microamps: milliamps * 1000)
    #expect(
      abs(hours / measured - 1) < tolerance, "\(hours) h, measured \(measured) h; \(again)")
  }

  /// Hours of ten types on 5.5 Ω, by github.com/dhennessy/BatteryCapacityTester, until they had
  /// 1.0, 0.9 and 0.8 V.
  private static let onResistor: [(name: String, hours: [Double])] = [
    ("Duracell Plus Power", [8.52, 8.99, 9.17]), ("Duracell Simply", [7.63, 8.10, 8.21]),
    ("Duracell Ultra Power", [7.67, 7.92, 8.00]), ("Energizer HighTech", [8.00, 8.50, 8.63]),
    ("Energizer Industrial", [8.54, 9.38, 9.70]), ("Energizer Ultra+", [8.43, 9.09, 9.30]),
    ("Maplin Longlife", [7.93, 9.13, 9.72]), ("Panasonic Evolta", [6.00, 6.20, 6.24]),
    ("RS Alkaline", [7.53, 8.83, 9.52]), ("RS Power Ultra", [7.92, 9.25, 10.05]),
  ]

  @Test(arguments: [(0, 1000), (1, 900), (2, 800)])
  func `An alkaline cell lasts on a resistor as ten types on average, within 6 %`(
    _ end: Int, _ cutOff: Int32
  ) {
    var figures = Self.alkaline
    figures.cutOffMillivolts = cutOff
    var battery = SimulatedBattery(figures, startPercent: 100)
    var time: Milliseconds = 0
    while !battery.isEmpty {
      let microamps = Int64(battery.millivolts / 5.5 * 1000)
      time = time + battery.draw(microamps: microamps, supplyMillivolts: 5000, for: 60_000).time
    }
    let hours = Double(time.count) / 3_600_000
    let all = Self.onResistor.map { $0.hours[end] }
    let mean = all.reduce(0, +) / Double(all.count)
    #expect(abs(hours / mean - 1) < 0.06, "\(hours) h, measured \(mean) h; \(again)")
    // What `Doubt` takes for the spread between brands holds nine of the ten.
    let within = all.filter { abs($0 / mean - 1) < 0.2 }
    #expect(within.count == 9, "\(all); \(again)")
  }

  @Test func `A peak of seconds does not cost the capacity of hours at its current`() {
    var battery = SimulatedBattery(Self.alkaline, startPercent: 100)
    var hours = 0.0
    // 500 mA for 10 s in each 200 s: 25 mA on average, at which it lasts for 120 h.
    while true {
      let peak = battery.draw(microamps: 500_000, supplyMillivolts: 5000, for: .seconds(10))
      hours += Double(peak.time.count) / 3_600_000
      if battery.isEmpty { break }
      let pause = battery.draw(microamps: 0, supplyMillivolts: 5000, for: .seconds(190))
      hours += Double(pause.time.count) / 3_600_000
    }
    // The voltage under the peaks ends it before the charge does.
    #expect(hours > 85 && hours < 120, "\(hours) h; \(again)")
  }

  @Test func `An alkaline cell recovers in a pause`() {
    var battery = SimulatedBattery(Self.alkaline, startPercent: 100)
    _ = battery.draw(microamps: 500_000, supplyMillivolts: 5000, for: .hours(3))
    _ = battery.draw(microamps: 0, supplyMillivolts: 5000, for: .seconds(1))
    let tired = battery.millivolts
    _ = battery.draw(microamps: 0, supplyMillivolts: 5000, for: .hours(3))
    #expect(battery.millivolts > tired + 100, "\(tired) \(battery.millivolts); \(again)")
  }

  @Test(arguments: [Chemistry.lithium, .nickelMetalHydride, .lithiumIon, .lithiumIronPhosphate])
  func `Other chemistries give nearly as much in two hours as in the rated ones`(
    _ chemistry: Chemistry
  ) {
    var battery = Self.ideal(.linear)
    battery.chemistry = chemistry
    let hours = Self.hours(battery, microamps: 2_000_000)
    #expect(hours > 1.8 && hours <= 2.05, "\(hours) h; \(again)")
  }

  @Test func `Self-discharge empties a cell without a load`() {
    var battery = Self.ideal(.linear)
    battery.chemistry = .nickelMetalHydride
    var stored = SimulatedBattery(battery, startPercent: 100)
    _ = stored.draw(microamps: 0, supplyMillivolts: 5000, for: .hours(720))
    #expect(abs(stored.percent - 90) < 1e-6, "\(stored.percent); \(again)")
    var ideal = SimulatedBattery(Self.ideal(.linear), startPercent: 100)
    _ = ideal.draw(microamps: 0, supplyMillivolts: 5000, for: .hours(720))
    #expect(ideal.percent == 100, again)
  }

  // MARK: Conversion

  @Test func `A linear regulator draws the load's own current`() {
    var battery = SimulatedBattery(Self.ideal(.linear), startPercent: 100)
    _ = battery.draw(microamps: 400_000, supplyMillivolts: 5000, for: .hours(1))
    // 400 mAh of 4000 mAh.
    #expect(abs(battery.percent - 90) < 1e-9, again)
  }

  @Test func `A switching regulator draws constant power, the whole curve down`() {
    // The area under the curve: 4 Ah at a mean of 2 · 3.6 V are 28.8 Wh; at 80 % and 1 W, 23.04 h.
    let hours = Self.hours(Self.ideal(.switching(efficiencyPercent: 80)), microamps: 200_000)
    #expect(abs(hours - 23.04) <= 0.05, "\(hours) h; \(again)")
  }

  @Test func `Current rises as the voltage falls`() {
    let converter = Self.ideal(.switching(efficiencyPercent: 85))
    var full = SimulatedBattery(converter, startPercent: 100)
    var low = SimulatedBattery(converter, startPercent: 20)
    let (fullBefore, lowBefore) = (full.percent, low.percent)
    _ = full.draw(microamps: 200_000, supplyMillivolts: 5000, for: .hours(1))
    _ = low.draw(microamps: 200_000, supplyMillivolts: 5000, for: .hours(1))
    #expect(lowBefore - low.percent > fullBefore - full.percent, again)
  }

  // MARK: Integration

  @Test(arguments: [Chemistry.other, .alkaline, .lithiumIon])
  func `The result is the same however a period is divided`(_ chemistry: Chemistry) {
    var figures = Self.ideal(.switching(efficiencyPercent: 85), cutOff: 6200)
    figures.chemistry = chemistry
    var fine = SimulatedBattery(figures, startPercent: 97)
    var coarse = fine
    var pieces = 0.0
    for _ in 0..<36_000 {
      pieces +=
        fine.draw(
          microamps: 150_000, supplyMillivolts: 5000, for: .seconds(1)
        ).millijoules
    }
    let whole = coarse.draw(microamps: 150_000, supplyMillivolts: 5000, for: .hours(10))
    #expect(abs(fine.percent - coarse.percent) < 1e-6, "\(fine.percent); \(again)")
    #expect(abs(fine.millivolts - coarse.millivolts) < 1e-3, again)
    #expect(abs(pieces / whole.millijoules - 1) < 1e-9, again)
  }

  @Test func `The end comes at the same time however a period is divided`() {
    var battery = SimulatedBattery(Self.alkaline, startPercent: 100)
    var time: Milliseconds = 0
    while !battery.isEmpty {
      time =
        time
        + battery.draw(
          microamps: 250_000, supplyMillivolts: 5000, for: .seconds(7)
        ).time
    }
    let whole = Self.hours(Self.alkaline, microamps: 250_000)
    #expect(abs(Double(time.count) / 3_600_000 - whole) < 1e-6, "\(time) \(whole); \(again)")
  }

  @Test(arguments: [Regulator.linear, .switching(efficiencyPercent: 85)])
  func `A greater load never makes a battery last longer`(_ regulator: Regulator) {
    var figures = Self.alkaline
    figures.regulator = regulator
    var last = Double.infinity
    for milliamps in 1...400 {
      let hours = Self.hours(figures, microamps: Int64(milliamps) * 1000)
      #expect(hours <= last, "\(milliamps) mA: \(hours) h; \(again)")
      last = hours
    }
  }

  @Test func `What leaves the cells is what the parts take, the converter and the cells lose`() {
    var figures = Self.ideal(.switching(efficiencyPercent: 80))
    figures.cellMilliohms = 500
    var battery = SimulatedBattery(figures, startPercent: 100)
    let drawn = battery.draw(microamps: 500_000, supplyMillivolts: 5000, for: .hours(1))
    let parts = 0.5 * 5 * 3600 * 1000
    #expect(abs(drawn.millijoules - parts / 0.8) < 1e-3, again)
    // The charge, at the mean voltage of the cells without a load.
    let charge = (1 - battery.percent / 100) * 4 * 3600
    let full = 2 * 4.2
    let mean = full - (full - battery.restingVolts) / 2
    let chemical = charge * mean * 1000
    let lost = drawn.millijoules + battery.internalMillijoules
    #expect(abs(lost / chemical - 1) < 1e-3, "\(lost) \(chemical) mJ; \(again)")
  }

  // MARK: Pack and cold

  @Test(arguments: [(20, 1.0), (0, 0.8), (-20, 0.6), (40, 1.0)])
  func `The cold takes its share of the capacity`(_ celsius: Int32, _ factor: Double) {
    var battery = SimulatedBattery(Self.ideal(.linear), startPercent: 100)
    battery.setTemperature(celsius: celsius)
    let hours = Self.hours(battery, microamps: 400_000)
    #expect(abs(hours - 10 * factor) < 0.01, "\(hours) h; \(again)")
  }

  @Test func `Warmth gives back what the cold held`() {
    var battery = SimulatedBattery(Self.ideal(.linear), startPercent: 100)
    battery.setTemperature(celsius: -20)
    _ = battery.draw(microamps: 400_000, supplyMillivolts: 5000, for: .hours(5))
    battery.setTemperature(celsius: 20)
    let hours = Self.hours(battery, microamps: 400_000)
    #expect(abs(hours - 5) < 0.01, "\(hours) h; \(again)")
  }

  @Test func `The pack ends with its weak cell`() {
    var figures = Self.ideal(.linear)
    figures.cellsInParallel = 1
    let weak = SimulatedBattery(figures, startPercent: 100, weakCellPercent: 60)
    let sound = Self.hours(figures, microamps: 200_000)
    let hours = Self.hours(weak, microamps: 200_000)
    #expect(abs(hours / sound - 0.6) < 1e-3, "\(hours) h of \(sound) h; \(again)")
    // With a sound one in parallel, half as much is missing.
    let pair = SimulatedBattery(Self.ideal(.linear), startPercent: 100, weakCellPercent: 60)
    let wide = Self.hours(pair, microamps: 400_000)
    #expect(abs(wide / sound - 0.8) < 1e-3, "\(wide) h of \(sound) h; \(again)")
  }

  // MARK: Brown-out

  @Test func `Below its cut-off it is empty, whatever charge is left`() {
    // 20 % is 2 · 3.24 V.
    let battery = SimulatedBattery(Self.ideal(.linear, cutOff: 6500), startPercent: 20)
    #expect(battery.isEmpty, again)
  }

  @Test func `A peak takes the voltage below the cut-off, and a pause brings it back`() {
    var figures = Self.ideal(.switching(efficiencyPercent: 85), cutOff: 6800)
    figures.cellMilliohms = 300
    // 50 % is 2 · 3.6 V; 500 mA at 5 V are about 0.43 A from 0.3 Ω.
    var battery = SimulatedBattery(figures, startPercent: 40)
    _ = battery.draw(microamps: 50_000, supplyMillivolts: 5000, for: .minutes(1))
    #expect(!battery.isEmpty, again)
    let rested = battery.millivolts
    let peak = battery.draw(microamps: 900_000, supplyMillivolts: 5000, for: .seconds(10))
    #expect(battery.isEmpty && peak == SimulatedBattery.Drawn(), again)
    _ = battery.draw(microamps: 50_000, supplyMillivolts: 5000, for: .minutes(1))
    #expect(!battery.isEmpty && abs(battery.millivolts - rested) < 2, again)
  }

  @Test func `A measurement shows the sag of the present load`() {
    var figures = Self.ideal(.linear)
    figures.cellMilliohms = 300
    var battery = SimulatedBattery(figures, startPercent: 100)
    _ = battery.draw(microamps: 1000, supplyMillivolts: 5000, for: .seconds(1))
    let light = battery.millivolts
    _ = battery.draw(microamps: 1_001_000, supplyMillivolts: 5000, for: .seconds(1))
    // 1 A through two groups of two cells: 0.3 Ω.
    #expect(abs(light - battery.millivolts - 300) < 2, "\(battery.millivolts); \(again)")
  }

  // MARK: Any input

  @Test func `It never turns negative or traps, whatever it is made of and asked for`() {
    let limits: [Int32] = [0, 1, 50, 100, 1_000_000, .max]
    for regulator in [Regulator.linear, .switching(efficiencyPercent: 1)] {
      for number in limits {
        for chemistry in [Chemistry.other, .alkaline, .lithiumIon] {
          var figures = Self.ideal(regulator, cutOff: number / 1000)
          figures.cellCapacityMilliampHours = number
          figures.ratedMicroamps = number
          figures.cellMilliohms = number
          figures.cellsInSeries = min(100, number)
          figures.cellsInParallel = min(100, number)
          figures.chemistry = chemistry
          var battery = SimulatedBattery(
            figures, startPercent: min(100, number), weakCellPercent: number)
          for (celsius, load) in [(-300, 0), (20, 1), (.max, 2_000_000_000), (.min, .max)]
            as [(Int32, Int64)]
          {
            battery.setTemperature(celsius: celsius)
            let drawn = battery.draw(
              microamps: load, supplyMillivolts: 60_000, for: .hours(1000))
            #expect(drawn.time <= .hours(1000) && drawn.millijoules >= 0, again)
            #expect(battery.percent >= 0 && battery.percent <= 100, again)
            #expect(battery.millivolts >= 0, again)
          }
        }
      }
    }
    var battery = SimulatedBattery(Board.none.battery, startPercent: 100)
    _ = battery.draw(microamps: 1, supplyMillivolts: 0, for: .hours(1))
    #expect(battery.percent == 0 && battery.isEmpty, again)
  }
}

extension SimulatedBattery {
  /// Without a load.
  fileprivate var restingVolts: Double {
    var rested = self
    _ = rested.draw(microamps: 0, supplyMillivolts: 0, for: 1)
    return rested.millivolts / 1000
  }
}
