/// The charge left in the battery, by its fuel gauge or estimated from its voltage and its loads.
///
/// When the battery can no longer be measured, its figures are forgotten at once: captures carry
/// none. Only the reserve is still decided by the last charge. A battery in its reserve does not
/// leave it by itself, and where it can be changed without a restart, `send now` overrides the
/// reserve. One above the reserve counts as one that was never measured.
struct BatteryGauge: Sendable, Equatable {
  /// What the battery gave since the measurement before, on average, and at that moment.
  struct Drawn: Sendable, Equatable {
    var microamps: Int64 = 0
    var time = Milliseconds(0)
    var presentMicroamps: Int64 = 0
  }

  private let battery: Battery
  private(set) var millivolts: Int32?
  /// The battery's temperature; `nil`: not measured.
  private(set) var celsius: Int32?
  /// Of the last measurement.
  private(set) var estimate: ChargeEstimate?
  /// What readings and loads say together. A fuel gauge's figure is one reading among others here,
  /// so that the drain is learned from it.
  private var filter: ChargeEstimate?
  /// What was remembered from before the start, until the first measurement.
  private(set) var remembered: ChargeRecord?
  /// What the loads took between the last two measurements, in millionths of the full battery.
  private(set) var spent: Int64 = 0
  /// What the cells hold back after the loads so far, millionths of a full battery of the stated
  /// capacity.
  private var held: Int64 = 0
  private var measuredAt = Instant.start
  private var measuredMilliamps: Int32?
  /// The charge at the last contact that may have been the final one, millionths.
  private var finalContactCharge: Int32?
  /// What was measured beyond the board's figures, microamps.
  private var excessMicroamps: Int64?
  var isExternallyPowered = false
  private(set) var isCharging = false

  init(_ battery: Battery, remembered: ChargeRecord? = nil) {
    self.battery = battery
    self.remembered = remembered
  }

  /// The charge left; `nil` while the battery is not being measured.
  var percent: UInt8? { millivolts == nil ? nil : estimate?.wholePercent }

  /// - Parameter meanwhile: what the tracker may have drawn at most between `remembered` and now,
  ///   as a share of the full battery in millionths; `nil`: nobody knows how long ago it was.
  /// - Parameter slept: how long the machine was halted before this start, so that `meanwhile` is
  ///   what it took; `nil`: it was not.
  /// - Parameter hour: the time of day by the sun; `nil`: unknown.
  @inline(never)
  mutating func measure(
    _ reading: BatteryReading, at now: Instant, _ drawn: Drawn = Drawn(), meanwhile: Int64? = nil,
    slept: Milliseconds? = nil, hour: Milliseconds? = nil
  ) {
    if let remembered, slept != nil { goOn(from: remembered) }
    let present = reading.currentMilliamps.map { Int64($0) * 1000 } ?? drawn.presentMicroamps
    let measured = measured(reading, at: present)
    // One sample of a noisy current is not enough, except where nothing else is known.
    let wasUnknown: Int32 = filter == nil && remembered == nil ? -1 : 0
    let isSupplied = (reading.currentMilliamps ?? 0) < 0 && (measuredMilliamps ?? wasUnknown) < 0
    isCharging = isExternallyPowered || isSupplied
    spent = 0
    var time = drawn.time
    if let slept, let remembered {
      spent = share(drawn, halted: meanwhile)
      filter?.spend(spent)
      time = drawn.time + Self.bounded(slept)
      let pause = time + remembered.unmeasured
      if let hour { warmOrCool(hour, since: pause) }
      if !isCharging { filter?.measure(measured, after: pause) }
    } else if let remembered {
      filter = remembered.estimate(afterDrawing: meanwhile)
      if !isCharging { filter?.resume(with: measured) }
    } else if filter == nil {
      filter = measured
    } else if !isCharging {
      count(drawn, reading.currentMilliamps)
      if let hour { warmOrCool(hour, since: now - measuredAt) }
      // After a loss it may be another battery.
      if millivolts == nil {
        filter?.resume(with: measured)
      } else {
        filter?.measure(measured, after: now - measuredAt)
      }
    }
    if isCharging { filter = filter?.with(measured) }
    remembered = nil
    // A fuel gauge has done the same as `ChargeEstimate`, with better data.
    estimate = reading.percent == nil ? honestEstimate : filter?.with(measured)
    hold(spent, for: time)
    excessMicroamps = reading.currentMilliamps.map { Self.excess($0, over: drawn) }
    millivolts = reading.millivolts
    celsius = reading.celsius
    measuredMilliamps = reading.currentMilliamps
    measuredAt = now
  }

  /// What a reading says of the charge of the weakest cell, with what the cells hold back.
  private func measured(_ reading: BatteryReading, at microamps: Int64) -> ChargeEstimate {
    let shown = battery.charge(of: reading, at: microamps)
    guard reading.percent == nil else { return shown }
    let charge = min(ChargeEstimate.full, shown.charge + heldBack)
    let drawn = ChargeEstimate.full - charge
    return shown.moved(to: charge - drawn * battery.weakness.expected / ChargeEstimate.full)
  }

  /// What the cells hold back from the present loads, millionths of the full battery: a rest brings
  /// it back, and a board loses its power with so much left.
  var heldBack: Int64 { battery.heldBack(held, filter?.drain ?? ChargeEstimate.full) }

  /// Goes on after a halt, with what was known before it.
  private mutating func goOn(from record: ChargeRecord) {
    filter = record.estimate
    held = min(max(0, Int64(record.held)), ChargeEstimate.full)
    finalContactCharge = record.finalContact
  }

  /// What the next tracker goes on from; `nil`: nothing is known of the battery.
  ///
  /// - Parameters:
  ///   - moment: of `now`.
  ///   - drawn: since the last measurement, or, before the first one, since the start.
  ///   - meanwhile: as of `measure`, with `slept`; before the first measurement.
  @inline(never)
  func record(
    at now: Instant, _ moment: Moment, _ drawn: Drawn = Drawn(), meanwhile: Int64? = nil,
    slept: Milliseconds? = nil
  ) -> ChargeRecord? {
    var next = self
    var share = share(drawn, halted: slept == nil ? nil : meanwhile)
    var time = drawn.time
    var unmeasured = now - measuredAt
    if let remembered, let slept {
      next.goOn(from: remembered)
      time = time + Self.bounded(slept)
      unmeasured = time + remembered.unmeasured
    } else if let remembered {
      // What was drawn since the start is in it.
      next.filter = remembered.estimate(afterDrawing: meanwhile)
      share = 0
      unmeasured = Bounds.chargeMemory
    }
    next.filter?.spend(share)
    next.hold(share, for: time)
    guard let estimate = next.filter else { return nil }
    var record = ChargeRecord(estimate, at: moment)
    record.held = Int32(clamping: next.held)
    record.finalContact = next.finalContactCharge
    record.unmeasuredMilliseconds = Int32(clamping: unmeasured.count)
    return record
  }

  /// - Parameter halted: as of `meanwhile`.
  private func share(_ drawn: Drawn, halted: Int64?) -> Int64 {
    min(max(0, halted ?? 0), ChargeEstimate.full)
      + battery.share(ofMicroamps: drawn.microamps, for: drawn.time)
  }

  private static func bounded(_ time: Milliseconds) -> Milliseconds {
    min(max(0, time), .hours(2400))
  }

  private var honestEstimate: ChargeEstimate? {
    filter.map { $0.honest(battery.weaknessDeviation(at: $0.charge)) }
  }

  private mutating func hold(_ share: Int64, for time: Milliseconds) {
    let lag = battery.chemistry.lag
    let time = min(max(0, time), .hours(100)).count
    guard lag.settling > 0, time > 0 else { return }
    let end = min(ChargeEstimate.full, share * lag.drawn.count / time)
    held += (end - held) * time / (lag.settling.count + time)
  }

  private mutating func count(_ drawn: Drawn, _ milliamps: Int32?) {
    var microamps = drawn.microamps
    // Between two samples far apart anything may have happened. The board's figures say what was
    // on between two samples, and these how far the figures are off.
    if let milliamps, let before = excessMicroamps, drawn.time <= Bounds.chargePause {
      microamps = min(max(0, microamps), 1_000_000_000)
      microamps += (Self.excess(milliamps, over: drawn) + before) / 2
    }
    spent = battery.share(ofMicroamps: microamps, for: drawn.time)
    filter?.spend(spent)
  }

  /// What the evening may have taken, and the morning given back, between two measurements. It is
  /// no sign of a higher drain.
  private mutating func warmOrCool(_ hour: Milliseconds, since time: Milliseconds) {
    let change = abs(Night.cold(at: hour) - Night.cold(at: hour - time))
    let most = battery.coldShare * battery.coldShare / 1000
    filter?.blur(by: most * change / 100 * Bounds.coolingVariance)
  }

  private static func excess(_ milliamps: Int32, over drawn: Drawn) -> Int64 {
    Int64(milliamps) * 1000 - min(max(0, drawn.presentMicroamps), 1_000_000_000)
  }

  mutating func lose() {
    millivolts = nil
    celsius = nil
  }

  /// Whether the board may lose its power soon, so that this is the time for a last capture and
  /// contact; again when `Bounds.finalContactStep` more is gone and it has not.
  ///
  /// - Parameter peak: what the board takes from the battery while it sends, microamps.
  @inline(never)
  mutating func needsFinalContact(peak: Int64) -> Bool {
    guard let estimate, !isCharging else { return false }
    let end = battery.chargeAtCutOff(peak) + heldBack
    let left = estimate.charge - estimate.deviation - end
    // Warmth or a rest may bring back some of it.
    if left > Bounds.finalContactAgain { finalContactCharge = nil }
    guard left <= Bounds.finalContact else { return false }
    if let last = finalContactCharge, Int64(last) - estimate.charge < Bounds.finalContactStep {
      return false
    }
    finalContactCharge = Int32(clamping: estimate.charge)
    return true
  }

  /// The figures are not older than `Bounds.batteryReadingLife` until then; `nil`: there are none.
  var outdatedAt: Instant? {
    if case nil = millivolts { nil } else { measuredAt + Bounds.batteryReadingLife }
  }

  func isOutdated(at now: Instant) -> Bool { outdatedAt.map { now > $0 } ?? false }

  /// Whether no more than the reserve was left at the last measurement; `false` before the first,
  /// and with an external supply.
  @inline(__always)
  func isInReserve(ofPercent reserve: Int32) -> Bool {
    !isExternallyPowered && (estimate.map { Int32($0.wholePercent) <= reserve } ?? false)
  }
}

extension Battery {
  /// Charge of the full battery, microamp-milliseconds. A recording's settings may have any
  /// numbers; with these bounds nothing overflows.
  var capacity: Int64 {
    Int64(min(max(0, cellCapacityMilliampHours), 1_000_000))
      * Int64(min(max(0, cellsInParallel), 1000)) * 3_600_000_000
  }

  /// A current for a time as a share of the full battery, millionths, 0...1 000 000.
  func share(ofMicroamps current: Int64, for time: Milliseconds) -> Int64 {
    guard capacity > 0 else { return 0 }
    let current = min(max(0, current), 1_000_000_000)
    let charge = current * min(max(0, time.count), Milliseconds.hours(2400).count)
    return min(ChargeEstimate.full, charge / max(1, capacity / ChargeEstimate.full))
  }

  /// The voltages that this battery can have, millivolts: from half of that of an empty one, which
  /// a heavy load may cause, to 120 % of that of a full one, which a charger may. Anything else is
  /// a fault of the sensor or its wiring, or another battery.
  public var plausibleMillivolts: (lowest: Int32, highest: Int32) {
    let cells = Int64(cellsInSeries)
    let empty = cells * Int64(cellMillivolts[0])
    let full = cells * Int64(cellMillivolts[Battery.curvePoints - 1])
    return (Int32(clamping: empty / 2), Int32(clamping: full / 5 * 6))
  }

  public func isPlausible(millivolts: Int32) -> Bool {
    let (lowest, highest) = plausibleMillivolts
    return millivolts >= lowest && millivolts <= highest
  }

  /// What a reading alone says of the charge.
  ///
  /// - Parameter microamps: what the battery gives meanwhile.
  func charge(of reading: BatteryReading, at microamps: Int64) -> ChargeEstimate {
    if let percent = reading.percent {
      return ChargeEstimate(
        charge: Int64(min(percent, 100)) * ChargeEstimate.percent,
        deviation: Bounds.gaugeDeviation)
    }
    // The resistance depends on the charge, which depends on the sag: the second time is near it.
    let first = Int64(reading.millivolts) + sag(at: microamps, ofCharge: ChargeEstimate.full)
    let guess = place(ofMillivolts: Int32(clamping: first)).charge
    let sag = sag(at: microamps, ofCharge: guess)
    let rested = Int32(clamping: Int64(reading.millivolts) + sag)
    let (charge, rise) = place(ofMillivolts: rested)
    // Half of the sag may be wrong: the resistance is another cell's, and grows with the cold.
    let volts = Bounds.cellMillivoltsDeviation + abs(sag) / 2 / Int64(max(1, cellsInSeries))
    let byVoltage = min(ChargeEstimate.full / 2, volts * ChargeEstimate.full / 10 / rise)
    let square = byVoltage * byVoltage + Bounds.curveDeviation * Bounds.curveDeviation
    // A meter that is off is always off.
    let gain = Int64(reading.millivolts) / Int64(max(1, cellsInSeries)) / Bounds.meterGainShare
    let byGain = min(ChargeEstimate.full / 2, max(0, gain) * ChargeEstimate.full / 10 / rise)
    return ChargeEstimate(
      charge: charge, deviation: Coordinate.squareRoot(UInt64(square)),
      bias: max(0, byGain - Bounds.curveDeviation))
  }

  /// `Chemistry.weakness`, where cells are in series.
  var weakness: (expected: Int64, deviation: Int64) {
    cellsInSeries > 1 ? chemistry.weakness : (0, 0)
  }

  /// Standard deviation of what is left in the weakest cell: the more is drawn from all of them,
  /// the more their difference matters.
  func weaknessDeviation(at charge: Int64) -> Int64 {
    let drawn = ChargeEstimate.full - min(max(0, charge), ChargeEstimate.full)
    return drawn * weakness.deviation / (ChargeEstimate.full + weakness.expected)
  }

  /// Standard deviation of an estimated charge to the upper side; the lower side is `deviation`.
  /// Cold may hold back some of it, which the voltage does not show then, and nobody tells the
  /// tracker how cold its battery is.
  public func deviationAbove(_ estimate: ChargeEstimate) -> Int64 {
    let cold = coldShare * (ChargeEstimate.full - estimate.charge) / ChargeEstimate.full
    return Coordinate.squareRoot(UInt64(estimate.deviation * estimate.deviation + cold * cold))
  }

  /// - Parameters:
  ///   - held: of a battery of the stated capacity.
  ///   - drain: as of `ChargeEstimate`. Below one the battery has more than that.
  func heldBack(_ held: Int64, _ drain: Int64) -> Int64 {
    held * min(drain, ChargeEstimate.full) / ChargeEstimate.full
  }

  /// State of charge from the open-circuit curve, 0...100, rounded down.
  public func percent(atMillivolts millivolts: Int32) -> UInt8 {
    UInt8(clamping: place(ofMillivolts: millivolts).charge / ChargeEstimate.percent)
  }

  /// What is left in it, in millionths, when a load takes the voltage below the board's cut-off.
  func chargeAtCutOff(_ microamps: Int64) -> Int64 {
    var charge: Int64 = 0
    while charge < ChargeEstimate.full {
      let millivolts = Int64(cutOffMillivolts) + sag(at: microamps, ofCharge: charge)
      if place(ofMillivolts: Int32(clamping: millivolts)).charge <= charge { break }
      charge += ChargeEstimate.percent
    }
    return charge
  }

  /// Millivolts lost in the cells.
  private func sag(at microamps: Int64, ofCharge charge: Int64) -> Int64 {
    let milliamps = min(max(-1_000_000, microamps / 1000), 1_000_000)
    let tenth = Int(min(max(0, charge), ChargeEstimate.full) * 10 / ChargeEstimate.full)
    let milliohms = milliohms * Int64(chemistry.resistanceShape[tenth]) / 100
    return min(max(-10_000, milliamps * milliohms / 1000), 10_000)
  }

  /// The place of a voltage on the open-circuit curve.
  ///
  /// - Returns: the charge in millionths, and by how many millivolts a cell's voltage rises there
  ///   with a tenth of the charge, at least 1.
  private func place(ofMillivolts millivolts: Int32) -> (charge: Int64, rise: Int64) {
    let tenth = ChargeEstimate.full / 10
    let cell = Int64(millivolts / max(1, cellsInSeries))
    for index in 1..<Battery.curvePoints {
      let low = Int64(cellMillivolts[index - 1])
      let rise = max(1, Int64(cellMillivolts[index]) - low)
      if cell <= low { return (Int64(index - 1) * tenth, rise) }
      if cell < low + rise { return (Int64(index - 1) * tenth + (cell - low) * tenth / rise, rise) }
    }
    let last = Battery.curvePoints - 1
    let rise = max(1, Int64(cellMillivolts[last]) - Int64(cellMillivolts[last - 1]))
    return (ChargeEstimate.full, rise)
  }

  /// Resistance of one full cell at 20 degrees Celsius.
  public var fullCellMilliohms: Int32 {
    cellMilliohms > 0 ? cellMilliohms : chemistry.usualMilliohms
  }

  /// Resistance of the whole pack when full, at most 1 GΩ.
  private var milliohms: Int64 {
    let string = min(Int64(fullCellMilliohms), 1_000_000) * Int64(min(max(1, cellsInSeries), 1000))
    return string / Int64(max(1, cellsInParallel))
  }
}
