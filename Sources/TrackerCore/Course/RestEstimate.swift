/// How long a team rests at checkpoints, learned from its rests.
struct RestEstimate: Sendable, Equatable {
  /// Seconds.
  var mean: Int32 = Prior.mean
  /// Sum of the squared deviations, 256 s².
  var squares: Int32 = 0
  /// Learned from, at most `most`.
  var count: Int16 = 0

  private enum Prior {
    /// Teams rest 10 to 40 min at checkpoints; each of these lengths is taken to be as likely.
    static let mean: Int32 = 1500
    static let deviation: Int64 = 520
    /// How many rests weigh as much as the prior.
    static let meanRests: Int64 = 1
    static let deviationRests: Int64 = 2
  }

  /// A longer rest counts as this long: it is a sleep, which is not repeated at each checkpoint.
  static let longest: Int64 = 7200
  static let most: Int16 = 100

  mutating func learn(seconds: Int64) {
    let rest = min(max(seconds, 0), Self.longest)
    let weight = Prior.meanRests + Int64(count)
    let surprise = rest - Int64(mean)
    mean = Int32(clamping: Int64(mean) + surprise / (weight + 1))
    squares = Int32(
      clamping: Int64(squares) + surprise * surprise * weight / (weight + 1) / 256)
    count = min(count + 1, Self.most)
  }

  /// Of one rest, s².
  private var variance: Int64 {
    (Int64(squares) * 256 + Prior.deviationRests * Prior.deviation * Prior.deviation)
      / (Prior.deviationRests + Int64(count))
  }

  /// Of rests to come, in seconds and s².
  func ahead(_ rests: Int64) -> (mean: Int64, variance: Int64) {
    let weight = Prior.meanRests + Int64(count)
    return (rests * Int64(mean), rests * variance + rests * rests * variance / weight)
  }

  /// Of the rest that has lasted so long, what remains: seconds and s².
  ///
  /// A normal distribution's mean beyond a point, by its hazard: what has lasted already plus what
  /// remains never becomes less. Beyond the usual a quarter of the excess is added, since a team
  /// that sleeps is not about to leave.
  func remaining(after rested: Int64) -> (mean: Int64, variance: Int64) {
    let weight = Prior.meanRests + Int64(count)
    let deviation = max(60, Coordinate.squareRoot(UInt64(variance + variance / weight)))
    let z = (rested - Int64(mean)) * 1024 / deviation
    let hazard = Self.hazard(z)
    let usual = (hazard - z) * deviation / 1024
    let excess = max(0, rested - Int64(mean)) / 4
    let share = max(64, 1024 - hazard * (hazard - z) / 1024)
    let spread = max(excess * excess, deviation * deviation / 1024 * share)
    return (max(usual, excess), spread)
  }

  /// Density over what lies beyond, of the normal distribution, between tabled values; 1/1024.
  private static func hazard(_ z: Int64) -> Int64 {
    let table: InlineArray<8, Int64> = [20, 80, 295, 817, 1561, 2430, 3362, 4328]
    if z >= 4096 { return z + 232 }
    if z <= -3072 { return max(0, 20 - (-3072 - z) / 50) }
    let low = Int((z + 3072) / 1024)
    let part = (z + 3072) % 1024
    return table[low] + (table[low + 1] - table[low]) * part / 1024
  }
}
