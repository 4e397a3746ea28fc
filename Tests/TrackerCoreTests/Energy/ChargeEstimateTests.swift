import Testing

@testable import TrackerCore

@Suite struct ChargeEstimateTests {
  /// One cell of 1000 mAh and 500 mΩ with 3 to 4 V.
  private static func battery(_ rise: Int32 = 100) -> Battery {
    var curve = InlineArray<11, Int32>(repeating: 0)
    for index in 0..<11 { curve[index] = 3000 + Int32(index) * rise }
    var battery = Battery(
      cellsInSeries: 1, cellsInParallel: 1, cellCapacityMilliampHours: 1000, cellMillivolts: curve,
      cutOffMillivolts: 2800, capacityAtFreezingPercent: 80, regulator: .linear)
    battery.cellMilliohms = 500
    return battery
  }

  /// A gauge that has read one voltage each minute for some hours, while nothing was drawn.
  private func rested(_ millivolts: Int32, _ battery: Battery = battery()) -> BatteryGauge {
    var gauge = BatteryGauge(battery)
    for minute in 0..<240 {
      gauge.measure(reading(millivolts), at: .start + .minutes(Int64(minute)), Self.pause)
    }
    return gauge
  }

  private static func record(charge: Int32, deviation: Int32) -> ChargeRecord {
    ChargeRecord(
      charge: charge, deviation: deviation, drain: 1_000_000, drainDeviation: 100_000,
      at: Moment(at: .start))
  }

  /// A minute in which nothing was drawn.
  private static let pause = BatteryGauge.Drawn(time: .minutes(1))

  private func reading(_ millivolts: Int32) -> BatteryReading {
    BatteryReading(millivolts: millivolts)
  }

  @Test func `One reading under a load moves it by less than a percent`() {
    var gauge = rested(3600)
    #expect(gauge.percent == 60, again(Self.self))
    gauge.measure(reading(3450), at: .start + .minutes(240), Self.pause)
    #expect(gauge.percent.map { $0 >= 59 } == true, again(Self.self))
  }

  @Test func `The sag of a load that is known is added`() {
    var gauge = rested(3600)
    let drawn = BatteryGauge.Drawn(time: .minutes(1), presentMicroamps: 400_000)
    for minute in Int64(240)..<300 {
      gauge.measure(reading(3400), at: .start + .minutes(minute), drawn)
    }
    #expect(gauge.percent == 60, again(Self.self))
  }

  @Test func `An alkaline cell's resistance rises as it empties`() {
    var battery = Self.battery()
    battery.chemistry = .alkaline
    battery.cellMilliohms = 1000
    battery.cutOffMillivolts = 3000
    // At 30 % it has 1.5 ohms, and 3300 mV without a load.
    let end = battery.chargeAtCutOff(200_000)
    #expect((270_000...330_000).contains(end), again(Self.self, "\(end)"))
    let estimate = battery.charge(of: reading(3000), at: 200_000)
    #expect((270_000...330_000).contains(estimate.charge), again(Self.self, "\(estimate)"))
  }

  @Test func `Another battery is believed at its third reading`() {
    var gauge = rested(3200)
    for minute in Int64(240)...241 {
      gauge.measure(reading(3900), at: .start + .minutes(minute), Self.pause)
      #expect(gauge.percent.map { $0 < 30 } == true, again(Self.self))
    }
    gauge.measure(reading(3900), at: .start + .minutes(242), Self.pause)
    #expect(gauge.percent == 90, again(Self.self))
  }

  @Test func `Of readings far apart one is an outlier and two are another battery`() {
    var gauge = rested(3200)
    gauge.measure(reading(3900), at: .start + .minutes(300), Self.pause)
    #expect(gauge.percent.map { $0 < 30 } == true, again(Self.self))
    gauge.measure(reading(3900), at: .start + .minutes(310), Self.pause)
    #expect(gauge.percent == 90, again(Self.self))
  }

  @Test func `Where the voltage says little the loads are counted`() {
    // 5 mV from 10 % to 20 %, as of LiFePO4.
    let battery = Self.battery(5)
    var gauge = BatteryGauge(battery)
    gauge.measure(reading(3050), at: .start)
    // 100 mA for five hours is half of it; the voltage is that of 80 % all the time.
    let drawn = BatteryGauge.Drawn(microamps: 100_000, time: .minutes(1))
    for minute in 1...300 {
      gauge.measure(reading(3040), at: .start + .minutes(Int64(minute)), drawn)
    }
    #expect(gauge.percent.map { (45...65).contains($0) } == true, again(Self.self))
    #expect(gauge.estimate.map { $0.deviation > 100_000 } == true, again(Self.self))
  }

  @Test func `A measured current is counted instead of the board's figures`() {
    var battery = Self.battery(5)
    battery.cellMilliohms = 1
    let kept = Self.record(charge: 900_000, deviation: 20_000)
    var gauge = BatteryGauge(battery, remembered: kept)
    for minute in Int64(0)...300 {
      gauge.measure(
        BatteryReading(millivolts: 3045, currentMilliamps: 100), at: .start + .minutes(minute),
        BatteryGauge.Drawn(microamps: 500_000, time: .minutes(1), presentMicroamps: 500_000))
    }
    #expect(gauge.percent.map { (35...60).contains($0) } == true, again(Self.self))
  }

  @Test func `After a restart the reading is weighed against what was remembered`() {
    let kept = Self.record(charge: 500_000, deviation: 30_000)
    var same = BatteryGauge(Self.battery(), remembered: kept)
    same.measure(reading(3560), at: .start, meanwhile: 10_000)
    #expect(same.percent == 50 || same.percent == 51, again(Self.self))
    // An hour's pause makes it less certain.
    var later = BatteryGauge(Self.battery(), remembered: kept)
    later.measure(reading(3400), at: .start, meanwhile: 150_000)
    #expect(later.percent.map { (40...42).contains($0) } == true, again(Self.self))
    var other = BatteryGauge(Self.battery(), remembered: kept)
    other.measure(reading(4000), at: .start, meanwhile: 10_000)
    #expect(other.percent == 100, again(Self.self))
    // Nobody knows how long ago it was.
    var old = BatteryGauge(Self.battery(), remembered: kept)
    old.measure(reading(3400), at: .start, meanwhile: nil)
    #expect(old.percent.map { (40...46).contains($0) } == true, again(Self.self))
  }

  @Test func `One sample of a charging current changes nothing, two do`() {
    var gauge = rested(3200)
    for (minute, percent) in [(240, 20), (241, 90)] as [(Int64, UInt8)] {
      gauge.measure(
        BatteryReading(millivolts: 3900, currentMilliamps: -1), at: .start + .minutes(minute),
        Self.pause)
      #expect(gauge.percent == percent, again(Self.self))
    }
  }

  @Test func `A battery that is charged follows its voltage`() {
    var gauge = rested(3200)
    gauge.isExternallyPowered = true
    gauge.measure(reading(3900), at: .start + .minutes(240), Self.pause)
    #expect(gauge.percent == 90, again(Self.self))
  }

  @Test func `It is never more certain than two percent, and less so without measurements`() {
    var estimate = rested(3600).estimate ?? ChargeEstimate(charge: 0, deviation: 0)
    #expect(estimate.deviation == Bounds.chargeDeviation, again(Self.self))
    estimate.spend(100_000)
    #expect(estimate.deviation > 40_000, again(Self.self))
  }

  /// An estimate after some hours in which the loads took 5 % an hour by their figures.
  ///
  /// - Parameter drain: what they really took.
  private func counted(_ hours: Int, drain: Double) -> ChargeEstimate {
    var left = 1_000_000.0
    var estimate = ChargeEstimate(charge: 1_000_000, deviation: 50_000)
    for _ in 0..<hours * 60 {
      left -= 50_000.0 / 60 * drain
      estimate.spend(50_000 / 60)
      estimate.measure(ChargeEstimate(charge: Int64(left), deviation: 50_000), after: .minutes(1))
    }
    return estimate
  }

  @Test(arguments: [0.7, 1, 1.5, 2])
  func `How much faster than its figures a battery empties is learned`(_ drain: Double) {
    let estimate = counted(8, drain: drain)
    let error = abs(Double(estimate.drain) / 1e6 - drain)
    #expect(error < 0.15, again(Self.self, "\(estimate)"))
    #expect(error <= 2 * Double(estimate.drainDeviation) / 1e6, again(Self.self, "\(estimate)"))
    #expect(estimate.drainDeviation < Bounds.unknownDrainDeviation / 2, again(Self.self))
    #expect(counted(40, drain: 0.4).drainDeviation >= Bounds.drainDeviation, again(Self.self))
  }

  @Test func `A fuller battery is another one, whose drain nobody knows`() {
    var estimate = counted(8, drain: 1.5)
    let known = estimate.drain
    // Colder, or with a weak cell.
    estimate.resume(with: ChargeEstimate(charge: 100_000, deviation: 50_000))
    #expect(estimate.charge == 100_000 && estimate.drain == known, again(Self.self))
    estimate.resume(with: ChargeEstimate(charge: 900_000, deviation: 50_000))
    #expect(estimate == ChargeEstimate(charge: 900_000, deviation: 50_000), again(Self.self))
  }

  @Test func `A battery that is charged keeps its drain`() {
    let kept = ChargeRecord(
      charge: 500_000, deviation: 30_000, drain: 1_600_000, drainDeviation: 60_000,
      at: Moment(at: .start))
    var gauge = BatteryGauge(Self.battery(), remembered: kept)
    gauge.isExternallyPowered = true
    for minute in Int64(0)..<60 {
      gauge.measure(
        reading(3800 + Int32(minute)), at: .start + .minutes(minute), Self.pause, meanwhile: 0)
    }
    #expect(gauge.percent == 85, again(Self.self, "\(gauge)"))
    #expect(gauge.estimate?.drain == 1_600_000, again(Self.self, "\(gauge)"))
  }

  @Test func `After a restart one sample of a charging current forgets nothing`() {
    var gauge = BatteryGauge(
      Self.battery(), remembered: Self.record(charge: 500_000, deviation: 20_000))
    gauge.measure(
      BatteryReading(millivolts: 3550, currentMilliamps: -1), at: .start, meanwhile: 0)
    #expect(gauge.percent == 50 && gauge.estimate?.drainDeviation == 100_000, again(Self.self))
  }

  @Test func `A drain that changes is learned anew`() {
    var left = 1_000_000.0
    var estimate = ChargeEstimate(charge: 1_000_000, deviation: 50_000)
    for minute in 0..<960 {
      left -= 30_000.0 / 60 * (minute < 480 ? 1 : 1.5)
      estimate.spend(30_000 / 60)
      estimate.measure(ChargeEstimate(charge: Int64(left), deviation: 50_000), after: .minutes(1))
    }
    let errors = (
      charge: abs(Double(estimate.charge) - left) / Double(estimate.deviation),
      drain: abs(1_500_000 - Double(estimate.drain)) / Double(estimate.drainDeviation)
    )
    #expect(errors.charge <= 2 && errors.drain <= 2, again(Self.self, "\(estimate) \(left)"))
  }

  @Test func `Readings that contradict each other are not believed`() {
    var gauge = rested(3500)
    for (minute, millivolts) in [(240, 3950), (241, 3000), (242, 3950), (243, 3000)]
      as [(Int64, Int32)]
    {
      gauge.measure(reading(millivolts), at: .start + .minutes(minute), Self.pause)
      #expect(gauge.percent.map { (49...51).contains($0) } == true, again(Self.self))
    }
  }

  @Test func `What is left is foreseen with the learned drain, the less the more certain`() {
    let estimate = counted(8, drain: 1.5)
    let even = estimate.left(after: 100_000, confidence: 50)
    #expect(even == estimate.charge - 100_000 * estimate.drain / 1_000_000, again(Self.self))
    var last = Int64.max
    for confidence in Int32(-1)...120 {
      let left = estimate.left(after: 100_000, confidence: confidence)
      #expect(left <= last && left > even - 120_000, again(Self.self, "\(confidence) %"))
      last = left
    }
    #expect(estimate.left(after: 900_000, confidence: 50) < 0, again(Self.self))
    let doubted = estimate.left(after: 100_000, doubt: 200_000, confidence: 90)
    #expect(
      doubted < estimate.left(after: 100_000, confidence: 90) - 150_000, again(Self.self))
    let new = ChargeEstimate(charge: estimate.charge, deviation: estimate.deviation)
    #expect(
      new.left(after: 300_000, confidence: 90) < new.left(after: 300_000, confidence: 50) - 150_000,
      again(Self.self))
  }

  @Test func `A tracker has the charge saved as it changes, and not with each reading`() throws {
    var bench = Bench()
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    let kept = try #require(bench.kept.charge, again(Self.self))
    #expect(kept.charge == 500_000 && kept.deviation > 50_000, again(Self.self))
    bench.run(seconds: 1)
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    #expect(bench.kept.charge == kept, again(Self.self))
    var saves: Set<Int32> = []
    for _ in 0..<30 {
      bench.run(seconds: 60)
      bench.handle(.batteryMeasured(BatteryReading(millivolts: 7400)))
      let charge = try #require(bench.tracker.charge, again(Self.self))
      let saved = try #require(bench.kept.charge, again(Self.self))
      #expect(abs(charge.charge - Int64(saved.charge)) <= 50_000, again(Self.self))
      saves.insert(saved.charge)
    }
    #expect((2...7).contains(saves.count), again(Self.self))
  }

  @Test func `While it is charged the charge is saved each five minutes at most`() {
    var bench = Bench()
    var saves: Set<Int32> = []
    for minute in 0..<30 {
      // Noise of a tenth of the charge.
      let millivolts: Int32 = minute % 2 == 0 ? 7500 : 7620
      bench.handle(
        .batteryMeasured(BatteryReading(millivolts: millivolts, currentMilliamps: -300)))
      bench.run(seconds: 61)
      if let charge = bench.kept.charge {
        saves.insert(Int32(clamping: charge.at.at?.milliseconds ?? 0))
      }
    }
    #expect((2...6).contains(saves.count), again(Self.self, "\(saves.count) saves"))
  }

  @Test func `No reading, load or memory traps`() {
    let extremes: [Int64] = [.min, -1, 0, 1, 1_000_000, .max]
    for number in extremes {
      for other in extremes {
        var battery = Self.battery(Int32(clamping: number % 1000))
        battery.cellCapacityMilliampHours = Int32(clamping: other)
        battery.cellMilliohms = Int32(clamping: number)
        battery.cellsInParallel = Int32(clamping: other)
        battery.cellsInSeries = Int32(clamping: number)
        let kept = ChargeRecord(
          charge: Int32(clamping: number), deviation: Int32(clamping: other),
          drain: Int32(clamping: other), drainDeviation: Int32(clamping: number), at: Moment(),
          covarianceBillionths: Int32(clamping: number), bias: Int32(clamping: other),
          contradictions: Int8(clamping: number),
          held: Int32(clamping: other), finalContact: Int32(clamping: number),
          unmeasuredMilliseconds: Int32(clamping: other))
        var gauge = BatteryGauge(battery, remembered: kept)
        for moment in extremes {
          let drawn = BatteryGauge.Drawn(
            microamps: number, time: Milliseconds(other), presentMicroamps: moment)
          let reading = BatteryReading(
            millivolts: Int32(clamping: moment), currentMilliamps: Int32(clamping: other))
          gauge.measure(reading, at: .start + .minutes(moment % 1000), drawn, meanwhile: number)
          gauge.measure(
            BatteryReading(millivolts: Int32(clamping: number)), at: .start, drawn,
            meanwhile: other)
          var woken = BatteryGauge(battery, remembered: kept)
          woken.measure(
            reading, at: .start, drawn, meanwhile: number, slept: Milliseconds(moment), hour: 0)
          let next = BatteryGauge(battery, remembered: kept).record(
            at: .start, Moment(), drawn, meanwhile: other, slept: Milliseconds(number))
          #expect(woken.percent != nil && next != nil, again(Self.self))
          #expect(gauge.percent.map { $0 <= 100 } == true, again(Self.self))
        }
      }
    }
  }
}
