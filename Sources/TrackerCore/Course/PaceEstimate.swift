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
  /// Learned from, at most `mostStretches`.
  var stretches: Int16 = 0

  /// Older stretches are forgotten in favour of later ones.
  static let mostStretches: Int16 = 56

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
    stretches = min(stretches + 1, Self.mostStretches)
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
