/// How slowly a team walks, learned from stretches of its way.
///
/// Its slowness in seconds per kilometre is taken as `level + fatigue × distance + night`: three
/// unknowns, followed by a Kalman filter (R. E. Kalman, 1960; level as a random walk). How much a
/// team's stretches differ from each other is learned, too, so that a steady team's band is narrow.
struct PaceEstimate: Sendable, Equatable {
  /// 1/256 s/km: at the start by day; more after 100 km; more by night.
  var level: Int32
  var fatigue: Int32
  var night: Int32
  /// Covariances of the three, 1/16 (s/km)².
  var levelLevel: Int32
  var levelFatigue: Int32 = 0
  var levelNight: Int32
  var fatigueFatigue: Int32
  var fatigueNight: Int32 = 0
  var nightNight: Int32
  /// How much stretches differ, as a share of the prior's variance, 1/1024.
  var unsteadiness: Int16 = 1024
  /// Learned from, at most `Bounds.stretchesLearned`.
  var stretches: Int16 = 0

  /// What is assumed about a team of which nothing is known yet.
  enum Prior {
    /// 5 km/h, the middle of the 4 to 6 km/h that teams walk; the deviation leaves a fifth of the
    /// teams outside of these.
    static let level: Int64 = 690
    static let levelDeviation: Int64 = 90
    /// Assumption: a team walks some 15 % slower at the end of 100 km.
    static let fatigue: Int64 = 130
    static let fatigueDeviation: Int64 = 100
    /// Teams are slow at night; a fifth slower is an assumption.
    static let night: Int64 = 140
    static let nightDeviation: Int64 = 76
    /// Of a stretch of one kilometre, (s/km)²: slopes, the ground and pauses.
    static let stretchVariance: Int64 = 1800
    /// By which the level wanders within a kilometre, (s/km)².
    static let driftVariance: Int64 = 40
    /// Neighbouring stretches resemble each other: this many say as much as one, and their errors
    /// add up.
    static let resemblance: Int64 = 3
    /// How many stretches must be seen before they count more than the prior.
    static let stretches: Int64 = 4
  }

  init() {
    level = Int32(Prior.level * 256)
    fatigue = Int32(Prior.fatigue * 256)
    night = Int32(Prior.night * 256)
    levelLevel = Int32(Prior.levelDeviation * Prior.levelDeviation * 16)
    fatigueFatigue = Int32(Prior.fatigueDeviation * Prior.fatigueDeviation * 16)
    nightNight = Int32(Prior.nightDeviation * Prior.nightDeviation * 16)
    // A slow team loses more seconds by night and by fatigue.
    levelNight = levelLevel / 6
    levelFatigue = levelLevel / 6
  }

  /// Learns from a stretch.
  ///
  /// - Parameters:
  ///   - metres: its length, 1...
  ///   - seconds: that it took.
  ///   - middle: metres from the start to its middle.
  ///   - nightShare: how much of the time was by night, 1/1024.
  /// - Returns: the seconds of the stretch that were a stop, not walking.
  mutating func learn(
    metres: Int64, seconds: Int64, middle: Int64, nightShare: Int64
  ) -> Int64 {
    let far = Self.share(middle)
    let length = min(metres, 20_000)
    levelLevel = Int32(
      clamping: Int64(levelLevel)
        + Prior.driftVariance * 16 * length * Int64(unsteadiness) / 1_024_000)
    let single = Prior.stretchVariance * 16 * 1000 * Int64(unsteadiness) / 1024 / length
    let noise = single * Prior.resemblance
    let a = covariance(Int64(levelLevel), Int64(levelFatigue), Int64(levelNight), far, nightShare)
    let b = covariance(
      Int64(levelFatigue), Int64(fatigueFatigue), Int64(fatigueNight), far, nightShare)
    let c = covariance(
      Int64(levelNight), Int64(fatigueNight), Int64(nightNight), far, nightShare)
    let known = max(0, covariance(a, b, c, far, nightShare))
    let total = known + noise
    let next = known + single
    var surprise = seconds * 256_000 / metres - slowness(far, nightShare)
    // Beyond three deviations it was a stop.
    let most = 3 * Coordinate.squareRoot(UInt64(next) * 4096)
    let stop = surprise > most ? (surprise - most) * metres / 256_000 : 0
    surprise = min(max(surprise, -most), most)
    level = Int32(clamping: Int64(level) + a * surprise / total)
    fatigue = Int32(clamping: Int64(fatigue) + b * surprise / total)
    night = Int32(clamping: Int64(night) + c * surprise / total)
    levelLevel = Int32(clamping: max(16, Int64(levelLevel) - a * a / total))
    levelFatigue = Int32(clamping: Int64(levelFatigue) - a * b / total)
    levelNight = Int32(clamping: Int64(levelNight) - a * c / total)
    fatigueFatigue = Int32(clamping: max(16, Int64(fatigueFatigue) - b * b / total))
    fatigueNight = Int32(clamping: Int64(fatigueNight) - b * c / total)
    nightNight = Int32(clamping: max(16, Int64(nightNight) - c * c / total))
    // The surprise's square over what was expected; 1 on average.
    let ratio = surprise * surprise / 4096 * 1024 / next
    let weight = Int64(stretches) + Prior.stretches
    let change = Int64(unsteadiness) * (ratio - 1024) / 1024 / (weight + 1)
    unsteadiness = Int16(min(max(Int64(unsteadiness) + change, 64), 16_384))
    stretches = min(stretches + 1, Bounds.stretchesLearned)
    return stop
  }

  /// Seconds per kilometre at a distance from the start, 1/256; never faster than a runner.
  func slowness(at metres: Int64, nightShare: Int64) -> Int64 {
    slowness(Self.share(metres), nightShare)
  }

  private func slowness(_ far: Int64, _ nightShare: Int64) -> Int64 {
    let sum =
      Int64(level) + Int64(fatigue) * far / 1024 + Int64(night) * nightShare / 1024
    return max(sum, 200 * 256)
  }

  /// Variance of the time for a way ahead, s².
  ///
  /// - Parameters:
  ///   - metres: its length.
  ///   - nightMetres: those of them that are walked by night.
  ///   - middle: metres from the start to the way's middle.
  func variance(metres: Int64, nightMetres: Int64, middle: Int64) -> Int64 {
    let length = min(metres, 1_000_000)
    let far = Self.share(middle)
    let dark = nightMetres * 1024 / max(1, metres)
    let a = covariance(Int64(levelLevel), Int64(levelFatigue), Int64(levelNight), far, dark)
    let b = covariance(Int64(levelFatigue), Int64(fatigueFatigue), Int64(fatigueNight), far, dark)
    let c = covariance(Int64(levelNight), Int64(fatigueNight), Int64(nightNight), far, dark)
    let known = max(0, covariance(a, b, c, far, dark)) / 16
    let drift =
      Prior.driftVariance * Int64(unsteadiness) / 1024 * length / 3000
    let stretch =
      Prior.stretchVariance * Prior.resemblance * Int64(unsteadiness) / 1024 * length / 1000
    return (known + drift) * length / 1000 * length / 1000 + stretch
  }

  /// 100 km are 1024.
  private static func share(_ metres: Int64) -> Int64 {
    min(max(metres, 0), 400_000) * 1024 / 100_000
  }

  private func covariance(
    _ a: Int64, _ b: Int64, _ c: Int64, _ far: Int64, _ dark: Int64
  ) -> Int64 {
    a + b * far / 1024 + c * dark / 1024
  }
}

/// How long a team rests at checkpoints, learned from its rests.
struct RestEstimate: Sendable, Equatable {
  /// Seconds.
  var mean: Int32 = Prior.mean
  /// Sum of the squared deviations, 256 s².
  var squares: Int32 = 0
  /// Learned from, at most `Bounds.restsLearned`.
  var count: Int16 = 0

  private enum Prior {
    /// Teams rest 10 to 40 min at checkpoints; each of these lengths is taken to be as likely.
    static let mean: Int32 = 1500
    static let deviation: Int64 = 520
    /// How many rests weigh as much as the prior.
    static let meanRests: Int64 = 1
    static let deviationRests: Int64 = 2
  }

  mutating func learn(seconds: Int64) {
    let rest = min(max(seconds, 0), Bounds.longestRestSeconds)
    let weight = Prior.meanRests + Int64(count)
    let surprise = rest - Int64(mean)
    mean = Int32(clamping: Int64(mean) + surprise / (weight + 1))
    squares = Int32(
      clamping: Int64(squares) + surprise * surprise * weight / (weight + 1) / 256)
    count = min(count + 1, Bounds.restsLearned)
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

/// Where the sun stands, for telling day from night; identical on every machine.
public enum Sun {
  /// Whether the sun is more than six degrees below the horizon: after civil twilight, a walker
  /// needs a lamp.
  public static func isDown(at utc: UTC, from place: Coordinate) -> Bool {
    sineOfElevation(at: utc, from: place) < sineOfCivilTwilight
  }

  /// sin -6°, millionths.
  private static let sineOfCivilTwilight: Int64 = -104_528
  /// 2000-01-01T12:00:00Z, from which the almanac's formula counts.
  private static let epochSeconds: Int64 = 946_728_000
  /// The formula is made for 1950 to 2050; further on it loses some 0.01° in a century.
  private static let secondsAround: ClosedRange<Int64> = -946_728_000...6_311_390_400

  /// Sine of the elevation of the sun's centre, millionths, without refraction.
  ///
  /// The Astronomical Almanac's low-precision formulas for the sun (section C, within 0.01° from
  /// 1950 to 2050), with its mean sidereal time. The sun and the zenith are vectors towards the
  /// stars: their product is the sine, and no angle has to be found from a ratio.
  ///
  /// - Parameter utc: before 1970 and after 2200 it counts as these years.
  static func sineOfElevation(at utc: UTC, from place: Coordinate) -> Int64 {
    let passed = utc.milliseconds / 1000 &- epochSeconds
    let seconds = min(max(passed, secondsAround.lowerBound), secondsAround.upperBound)
    // Angles in 1e-7 degree.
    let anomaly = 3_575_280_000 + seconds * 9_856_003 / 86_400
    let mean = 2_804_600_000 + seconds * 9_856_474 / 86_400
    let longitude =
      mean + 19_150_000 * sine(anomaly) / 1_000_000 + 200_000 * sine(2 * anomaly) / 1_000_000
    // 23.439° - 0.0000004° a day; the change since 2000 stays below 0.03°.
    let obliquity = 234_390_000 - seconds * 4 / 86_400
    let sidereal =
      2_804_606_184 + (seconds % 86_400) * 3_600_000_000 / 86_400
      + seconds * 98_564_737 / 864_000 + Int64(place.longitude)
    let aside = sine(longitude)
    // The sun, seen from the earth: towards the equinox, square to it, towards the pole.
    let x = cosine(longitude)
    let y = cosine(obliquity) * aside / 1_000_000
    let z = sine(obliquity) * aside / 1_000_000
    let latitude = Int64(place.latitude)
    let level = (x * cosine(sidereal) + y * sine(sidereal)) / 1_000_000
    return (level * cosine(latitude) + z * sine(latitude)) / 1_000_000
  }

  /// Sine of any angle in 1e-7 degree, millionths.
  private static func sine(_ angle: Int64) -> Int64 { cosine(angle - 900_000_000) }

  /// Cosine of any angle in 1e-7 degree, millionths.
  private static func cosine(_ angle: Int64) -> Int64 {
    let turn: Int64 = 3_600_000_000
    let rest = abs(angle % turn)
    let folded = rest > turn / 2 ? turn - rest : rest
    return folded <= turn / 4
      ? Coordinate.cosineMillionths(folded) : -Coordinate.cosineMillionths(turn / 2 - folded)
  }
}
