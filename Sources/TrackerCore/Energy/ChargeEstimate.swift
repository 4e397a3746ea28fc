/// The charge left in a battery, and how certain that is.
///
/// A Kalman filter of one state, in millionths of a full battery. What the loads have taken since
/// the last measurement is subtracted, which makes it less certain; a measurement pulls it to what
/// was measured, which makes it more certain. So one reading under a heavy load moves it little.
///
/// Readings minutes apart share most of their error: the cells' curve, their temperature, what they
/// carried before. Therefore all readings within `Bounds.chargeMemory` together count as one.
public struct ChargeEstimate: Sendable, Equatable {
  static let full: Int64 = 1_000_000
  /// Millionths per percent.
  static let percent: Int64 = 10_000

  /// 0...1 000 000.
  public private(set) var charge: Int64
  /// Standard deviation of `charge`, 0...500 000.
  public private(set) var deviation: Int64
  /// Consecutive measurements that contradicted it.
  private var contradictions: Int32 = 0

  public init(charge: Int64, deviation: Int64) {
    self.charge = min(max(0, charge), Self.full)
    self.deviation = min(max(0, deviation), Self.full / 2)
  }

  /// Rounded down, 0...100.
  public var wholePercent: UInt8 { UInt8(clamping: charge / Self.percent) }

  /// The charge that is there at least, with a probability in percent.
  func atLeast(withConfidence confidence: Int32) -> Int64 {
    max(0, charge - deviation * Self.deviations(confidence) / 100)
  }

  /// Quantiles of the normal distribution, in hundredths; linear in between.
  private static func deviations(_ confidence: Int32) -> Int64 {
    let table: InlineArray<7, (percent: Int64, hundredths: Int64)> = [
      (50, 0), (60, 25), (70, 52), (80, 84), (90, 128), (95, 164), (99, 233),
    ]
    let wanted = Int64(confidence)
    if wanted <= table[0].percent { return 0 }
    for index in 1..<7 where wanted <= table[index].percent {
      let (from, to) = (table[index - 1], table[index])
      let rise = to.hundredths - from.hundredths
      return from.hundredths + rise * (wanted - from.percent) / (to.percent - from.percent)
    }
    return table[6].hundredths
  }

  /// The loads took so much, of which the deviation may be a part.
  ///
  /// - Parameter uncertainty: percent of `share`.
  mutating func spend(_ share: Int64, uncertainty: Int64) {
    let share = min(max(0, share), Self.full)
    charge = max(0, charge - share)
    deviation = min(Self.full / 2, deviation + share * uncertainty / 100)
  }

  /// A measurement, some time after the one before.
  ///
  /// One that contradicts the estimate is only believed, instead of it, if it does not stand alone:
  /// after `Bounds.chargePatience` of them, or two far apart. Then the battery is another one, or
  /// one of both was wrong from the start.
  mutating func measure(_ measured: ChargeEstimate, after time: Milliseconds) {
    let own = deviation * deviation
    let other = measured.deviation * measured.deviation
    let gap = measured.charge - charge
    if gap * gap > 9 * (own + other) {
      contradictions += 1
      let patience = time > Bounds.chargePause ? 2 : Bounds.chargePatience
      if contradictions >= patience { self = measured }
      return
    }
    contradictions = 0
    let sharing = max(1, Bounds.chargeMemory.count / max(1, time.count))
    combine(measured, gain: own * Self.full / max(1, own + other * sharing))
  }

  /// The first measurement after a restart or a loss: of the same battery, or of another.
  mutating func resume(with measured: ChargeEstimate) {
    let own = deviation * deviation
    let other = measured.deviation * measured.deviation
    let gap = measured.charge - charge
    guard gap * gap <= 9 * (own + other) else {
      self = measured
      return
    }
    combine(measured, gain: own * Self.full / max(1, own + other))
  }

  /// - Parameter gain: the measurement's weight, in millionths.
  private mutating func combine(_ measured: ChargeEstimate, gain: Int64) {
    charge += (measured.charge - charge) * gain / Self.full
    let variance = deviation * deviation * (Self.full - gain) / Self.full
    deviation = max(Bounds.chargeDeviation, Coordinate.squareRoot(UInt64(max(0, variance))))
  }
}

extension Battery {
  /// What a reading alone says of the charge.
  ///
  /// - Parameter microamps: what the battery gives meanwhile.
  func charge(of reading: BatteryReading, at microamps: Int64) -> ChargeEstimate {
    // A fuel gauge has done the same as `ChargeEstimate`, with better data.
    if let percent = reading.percent {
      return ChargeEstimate(
        charge: Int64(min(percent, 100)) * ChargeEstimate.percent,
        deviation: Bounds.gaugeDeviation)
    }
    let sag = sag(at: microamps)
    let rested = Int32(clamping: Int64(reading.millivolts) + sag)
    let (charge, rise) = place(ofMillivolts: rested)
    // Half of the sag may be wrong: the resistance is another cell's, and grows with the cold.
    let volts = Bounds.cellMillivoltsDeviation + abs(sag) / 2 / Int64(max(1, cellsInSeries))
    let byVoltage = min(ChargeEstimate.full / 2, volts * ChargeEstimate.full / 10 / rise)
    let square = byVoltage * byVoltage + Bounds.curveDeviation * Bounds.curveDeviation
    return ChargeEstimate(charge: charge, deviation: Coordinate.squareRoot(UInt64(square)))
  }

  /// State of charge from the open-circuit curve, 0...100, rounded down.
  public func percent(atMillivolts millivolts: Int32) -> UInt8 {
    UInt8(clamping: place(ofMillivolts: millivolts).charge / ChargeEstimate.percent)
  }

  /// What is left in it, in millionths, when a load takes the voltage below the board's cut-off.
  func chargeAtCutOff(_ microamps: Int64) -> Int64 {
    place(ofMillivolts: Int32(clamping: Int64(cutOffMillivolts) + sag(at: microamps))).charge
  }

  /// Millivolts lost in the cells.
  private func sag(at microamps: Int64) -> Int64 {
    let milliamps = min(max(-1_000_000, microamps / 1000), 1_000_000)
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

  /// Resistance of the whole pack, at most 1 MΩ.
  private var milliohms: Int64 {
    let cell = cellMilliohms > 0 ? cellMilliohms : chemistry.usualMilliohms
    let string = min(Int64(cell), 1_000_000) * Int64(min(max(1, cellsInSeries), 1000))
    return string / Int64(max(1, cellsInParallel))
  }
}
