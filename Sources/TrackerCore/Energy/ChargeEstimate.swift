/// The charge left in a battery, how much faster it goes than the loads say, and how certain both
/// are.
///
/// A Kalman filter of two states, in millionths. What the loads have taken since the last
/// measurement is subtracted, times `drain`, which makes the charge less certain; a measurement
/// pulls it to what was measured, which makes it more certain. So one reading under a heavy load
/// moves it little. `drain` is what it takes for the charge to go as the measurements say: above
/// one for an aged battery, or for parts that take more than their figures.
///
/// Readings minutes apart share most of their error: the cells' curve, their temperature, what they
/// carried before. Therefore all readings within `Bounds.chargeMemory` together count as one.
public struct ChargeEstimate: Sendable, Equatable {
  public static let full: Int64 = 1_000_000
  /// Millionths per percent.
  static let percent: Int64 = 10_000

  /// Of a full battery, 0...1 000 000.
  public private(set) var charge: Int64
  /// Standard deviation of `charge`, 0...500 000.
  public private(set) var deviation: Int64
  /// What goes for each unit that the loads take of a full battery of the stated capacity,
  /// millionths, 300 000...4 000 000.
  public private(set) var drain: Int64
  /// Standard deviation of `drain`, 0...500 000.
  public private(set) var drainDeviation: Int64
  /// Of both, in millionths of millionths.
  private(set) var covariance: Int64 = 0
  /// Standard deviation of what all measurements so far are off by together, which no number of
  /// them makes less; not in `deviation`.
  private(set) var bias: Int64
  /// Consecutive measurements that were too high for it, or, negative, too low.
  private(set) var contradictions: Int32 = 0

  public init(
    charge: Int64, deviation: Int64, drain: Int64 = full,
    drainDeviation: Int64 = Bounds.unknownDrainDeviation, bias: Int64 = 0
  ) {
    self.charge = min(max(0, charge), Self.full)
    self.deviation = Self.boundedDeviation(deviation)
    self.drain = Self.boundedDrain(drain)
    self.drainDeviation = Self.boundedDeviation(drainDeviation)
    self.bias = Self.boundedDeviation(bias)
  }

  /// Goes on from a record. A recording or a damaged row may have any numbers.
  init(_ record: ChargeRecord) {
    self.init(
      charge: Int64(record.charge), deviation: Int64(record.deviation),
      drain: Int64(record.drain),
      drainDeviation: max(Bounds.drainDeviation, Int64(record.drainDeviation)),
      bias: Int64(record.bias))
    covariance = Int64(record.covarianceBillionths) * 1000
    boundCovariance()
    contradictions = min(
      max(0 - Bounds.chargePatience, Int32(record.contradictions)), Bounds.chargePatience)
  }

  private static func boundedDeviation(_ value: Int64) -> Int64 { min(max(0, value), full / 2) }
  private static func boundedDrain(_ value: Int64) -> Int64 { min(max(300_000, value), 4 * full) }

  /// Rounded down, 0...100.
  public var wholePercent: UInt8 { UInt8(clamping: charge / Self.percent) }

  /// The same with another charge, as certain as this one.
  func moved(to charge: Int64) -> ChargeEstimate {
    var moved = self
    moved.charge = min(max(0, charge), Self.full)
    return moved
  }

  // MARK: Foresight

  /// The charge that is left at least, with a probability, after the loads have taken a share;
  /// below 0 where it is not enough.
  ///
  /// - Parameters:
  ///   - share: millionths of a full battery of the stated capacity.
  ///   - doubt: a further standard deviation, of what nobody knows yet, millionths.
  ///   - confidence: the probability, percent.
  func left(after share: Int64, doubt: Int64 = 0, confidence: Int32) -> Int64 {
    let share = min(max(0, share), 4 * Self.full)
    let doubt = Self.boundedDeviation(doubt)
    let variance = variance(after: share) + doubt * doubt
    let margin = Coordinate.squareRoot(UInt64(max(0, variance))) * Self.deviations(confidence) / 100
    return charge - share * drain / Self.full - margin
  }

  /// The probability, millionths, that so much is left after the loads have taken a share.
  ///
  /// - Parameters: as of `left`.
  func chance(of rest: Int64, after share: Int64, doubt: Int64 = 0) -> Int64 {
    let share = min(max(0, share), 4 * Self.full)
    let doubt = Self.boundedDeviation(doubt)
    let variance = variance(after: share) + doubt * doubt
    let deviation = max(1, Coordinate.squareRoot(UInt64(max(0, variance))))
    let expected = charge - share * drain / Self.full
    return Self.probability((expected - rest) * 1000 / deviation)
  }

  /// Of the normal distribution, millionths; linear between its values for each half deviation.
  ///
  /// - Parameter deviations: thousandths.
  private static func probability(_ deviations: Int64) -> Int64 {
    let table: InlineArray<8, Int64> = [
      500_000, 691_462, 841_345, 933_193, 977_250, 993_790, 998_650, 999_767,
    ]
    let size = abs(deviations)
    let index = Int(size / 500)
    let upper =
      index < 7
      ? table[index] + (table[index + 1] - table[index]) * (size % 500) / 500 : table[7]
    return deviations < 0 ? full - upper : upper
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

  /// The variance of the charge once the loads have taken a share.
  private func variance(after share: Int64) -> Int64 {
    let drained = share * drainDeviation / Self.full
    return deviation * deviation - 2 * (share * covariance / Self.full) + drained * drained
  }

  // MARK: Changes

  /// The loads took this much, in millionths of a full battery of the stated capacity.
  mutating func spend(_ share: Int64) {
    let share = min(max(0, share), Self.full)
    let variance = variance(after: share)
    deviation = Self.boundedDeviation(Coordinate.squareRoot(UInt64(max(0, variance))))
    covariance -= share * (drainDeviation * drainDeviation) / Self.full
    charge = max(0, charge - share * drain / Self.full)
    let drainVariance = drainDeviation * drainDeviation + share * Bounds.drainChange
    let known = Coordinate.squareRoot(UInt64(drainVariance))
    drainDeviation = max(drainDeviation, min(known, Bounds.unknownDrainDeviation))
    boundCovariance()
  }

  /// So much may be gone, or more or less of it.
  mutating func doubt(_ share: Int64, by deviation: Int64) {
    charge = max(0, charge - share)
    self.deviation = Self.boundedDeviation(self.deviation + deviation)
  }

  /// The temperature has changed, and nobody knows what that gives or takes.
  ///
  /// - Parameter variance: of it, millionths squared.
  mutating func blur(by variance: Int64) {
    let variance = min(max(0, variance), Self.full * Self.full)
    deviation = Self.boundedDeviation(
      Coordinate.squareRoot(UInt64(deviation * deviation + variance)))
  }

  /// A measurement, some time after the one before.
  ///
  /// One that contradicts the estimate is only believed, instead of it, if it does not stand alone:
  /// after `Bounds.chargePatience` of them, or two far apart. Then the battery is another one, or
  /// one of both was wrong from the start.
  mutating func measure(_ measured: ChargeEstimate, after time: Milliseconds) {
    guard !isContradicted(by: measured) else {
      let isHigher = measured.charge > charge
      if isHigher != (contradictions > 0) { contradictions = 0 }
      contradictions += isHigher ? 1 : -1
      let patience = time > Bounds.chargePause ? 2 : Bounds.chargePatience
      if abs(contradictions) >= patience { replace(with: measured) }
      return
    }
    combine(measured, sharing: max(1, Bounds.chargeMemory.count / max(1, time.count)))
  }

  /// The first measurement after a restart or a loss: of the same battery, or of another.
  mutating func resume(with measured: ChargeEstimate) {
    if isContradicted(by: measured) {
      replace(with: measured)
    } else {
      combine(measured, sharing: 1)
    }
  }

  /// The same battery with the measured charge, whatever was known of it.
  func with(_ measured: ChargeEstimate) -> ChargeEstimate {
    ChargeEstimate(
      charge: measured.charge, deviation: measured.deviation, drain: drain,
      drainDeviation: drainDeviation, bias: measured.bias)
  }

  /// With all that is known to be doubtful, for those who rely on it.
  ///
  /// - Parameter doubt: a further standard deviation.
  func honest(_ doubt: Int64) -> ChargeEstimate {
    var honest = self
    let doubt = Self.boundedDeviation(doubt)
    honest.blur(by: bias * bias + doubt * doubt)
    honest.bias = 0
    return honest
  }

  /// An emptier battery may be the same one in the cold; of a fuller one nobody knows how worn it
  /// is.
  private mutating func replace(with measured: ChargeEstimate) {
    self = measured.charge > charge ? measured : with(measured)
  }

  private func isContradicted(by measured: ChargeEstimate) -> Bool {
    let gap = measured.charge - charge
    let variance = deviation * deviation + measured.deviation * measured.deviation
    return gap * gap > 9 * variance
  }

  /// - Parameter sharing: how many such measurements have as much weight as one that is
  ///   independent of the others.
  private mutating func combine(_ measured: ChargeEstimate, sharing: Int64) {
    contradictions = 0
    let own = deviation * deviation
    let other = measured.deviation * measured.deviation
    let total = max(1, own + other * sharing)
    let gap = measured.charge - charge
    // Weights of the gap, in millionths.
    let weight = own * Self.full / total
    let drainWeight = covariance * Self.full / total
    charge = min(max(0, charge + gap * weight / Self.full), Self.full)
    bias += (measured.bias - bias) * weight / Self.full
    drain = Self.boundedDrain(drain + gap * drainWeight / Self.full)
    let variance = own * (Self.full - weight) / Self.full
    let drainVariance =
      drainDeviation * drainDeviation - covariance * drainWeight / Self.full
    covariance = covariance * (Self.full - weight) / Self.full
    deviation = max(Bounds.chargeDeviation, Coordinate.squareRoot(UInt64(max(0, variance))))
    drainDeviation = max(
      min(drainDeviation, Bounds.drainDeviation),
      Coordinate.squareRoot(UInt64(max(0, drainVariance))))
    boundCovariance()
  }

  /// A covariance is at most the product of the deviations; rounding must not exceed it.
  private mutating func boundCovariance() {
    let most = deviation * drainDeviation
    covariance = min(max(-most, covariance), most)
  }
}

/// What the cells of a battery are made of.
public enum Chemistry: UInt8, Sendable, Equatable {
  /// Unknown, or not one of the others.
  case other
  case alkaline
  /// Primary cells of lithium and iron disulphide, such as the Energizer L91.
  case lithium
  case nickelMetalHydride
  case lithiumIon
  case lithiumIronPhosphate

  /// Resistance of one full cell at 20 degrees Celsius, of a pulse of a tenth of a second or more,
  /// where a board's file does not state it.
  ///
  /// - Alkaline: 107 mV at 500 mA for 100 ms (Energizer, Technical Bulletin Battery Internal
  ///   Resistance, 2005, example).
  /// - Li-ion: a US18650VTC6, from memory, unverified; most other 18650 have two to three times as
  ///   much.
  /// - The others: from memory, unverified. An unknown chemistry has none.
  public var usualMilliohms: Int32 {
    switch self {
    case .other: 0
    case .alkaline: 214
    case .lithium: 150
    case .nickelMetalHydride, .lithiumIronPhosphate: 30
    case .lithiumIon: 25
    }
  }

  /// How long the present loads take to draw what the cells hold back from them in the end, and how
  /// long it takes until they do (to 63 %), or until a rest has given it back; 0: next to nothing.
  ///
  /// The two wells of the simulator's cells: (1 - share) / (share · rate), and 1 / rate.
  public var lag: (drawn: Milliseconds, settling: Milliseconds) {
    switch self {
    case .alkaline: (.minutes(450), .minutes(300))
    case .other, .lithium, .nickelMetalHydride, .lithiumIon, .lithiumIronPhosphate: (0, 0)
    }
  }

  /// How much more is gone of the weakest cell in series than of the others, as a share of what is
  /// gone of them: 0.43 of one that has 70 % of their capacity. What is expected, and the standard
  /// deviation; millionths. The voltage of the pack does not show it.
  ///
  /// NiMH packs are made of cells with a history. An assumption, unverified.
  var weakness: (expected: Int64, deviation: Int64) {
    switch self {
    case .nickelMetalHydride: (200_000, 180_000)
    case .other, .alkaline, .lithium, .lithiumIon, .lithiumIronPhosphate: (0, 0)
    }
  }

  /// Resistance at 0 %, 10 %, … 100 % of charge, percent of that of a full cell.
  ///
  /// All assumptions, unverified: that of an alkaline cell rises to twice as much all the way down,
  /// that of the others when they are nearly empty.
  public var resistanceShape: InlineArray<11, Int32> {
    switch self {
    case .other: [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100]
    case .alkaline: [200, 180, 160, 150, 140, 130, 120, 110, 105, 100, 100]
    case .lithium, .nickelMetalHydride, .lithiumIon, .lithiumIronPhosphate:
      [200, 140, 120, 110, 105, 100, 100, 100, 100, 100, 100]
    }
  }
}
