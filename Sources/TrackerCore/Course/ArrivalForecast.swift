/// When a team arrives further on along its course, learned from its own pace.
///
/// It walks and it rests: its pace by day and by night comes from stretches of the way, its rests
/// from the time spent at checkpoints. What it has not shown yet is taken from the priors of
/// `PaceEstimate` and `RestEstimate`, with their doubt in the band. Gaps in the data, steps back
/// and jumps ahead only make it learn less.
public struct ArrivalForecast: Sendable, Equatable {
  var pace = PaceEstimate()
  var rest = RestEstimate()
  var start: UTC?
  /// Seconds since `start` and metres done at the beginning of the running stretch.
  var stretchTime: Int32 = 0
  var stretchMetres: Int32 = 0
  /// Seconds of it that were by night.
  var stretchNight: Int32 = 0
  /// The last report.
  var lastTime: Int32 = 0
  var lastMetres: Int32 = 0
  /// Where and when it had last moved on.
  var movedTime: Int32 = 0
  var movedMetres: Int32 = 0
  var checkpoints: Int16 = 0
  /// Checkpoints of the running stretch; 0: it is walked without a rest.
  var passed: Int16 = 0
  /// Where the last of these was noticed.
  var passedMetres: Int32 = 0
  /// Stops other than rests at checkpoints, seconds in total.
  var stops: Int32 = 0
  var metres: Int32 = 0

  /// Assumptions, which weigh as much as `metres` walked.
  private enum Stops {
    static let metres: Int64 = 40_000
    static let seconds: Int64 = 240
    static let usual: Int64 = 900
  }

  public init() {}

  /// Takes note of how far the team is.
  ///
  /// - Parameters:
  ///   - metres: done along the course.
  ///   - checkpoints: passed so far, as soon as the team is in them. The finish is none.
  ///   - utc: a trusted time. One before the last is ignored; one that is an hour before it, or
  ///     `Bounds.forecastGapSeconds` after it, is a clock put right or a tracker that was off, and
  ///     the running stretch starts over.
  ///   - isNight: see `Sun`.
  public mutating func walked(
    to metres: Int32, checkpoints: Int16, at utc: UTC, isNight: Bool
  ) {
    let metres = min(max(metres, 0), Bounds.longestCourseMetres)
    let checkpoints = min(max(checkpoints, 0), Bounds.checkpointsCounted)
    let seconds = start.map { (utc.milliseconds &- $0.milliseconds) / 1000 }
    guard let seconds, seconds >= Int64(lastTime) - 3600,
      seconds <= Int64(lastTime) + Bounds.forecastGapSeconds
    else {
      begin(metres, checkpoints, utc)
      return
    }
    let time = Int32(seconds)
    guard time > lastTime else { return }
    let step = time - lastTime
    if isNight { stretchNight += step }
    if checkpoints > self.checkpoints {
      if passed == 0 { endStretch(self.lastTime, lastMetres, nightAfter: isNight ? step : 0) }
      passed += checkpoints - self.checkpoints
      passedMetres = metres
      self.checkpoints = checkpoints
    }
    lastTime = time
    lastMetres = metres
    if metres - movedMetres >= Bounds.forecastMoveMetres || metres < movedMetres {
      movedTime = time
      movedMetres = metres
    }
    let length = metres - stretchMetres
    if passed > 0 {
      if metres - passedMetres >= Bounds.forecastRestMetres { endRest() }
    } else if length >= Bounds.forecastStretchMetres {
      endStretch(time, metres, nightAfter: 0)
    }
  }

  private mutating func begin(_ metres: Int32, _ checkpoints: Int16, _ utc: UTC) {
    start = utc
    (stretchTime, lastTime, movedTime) = (0, 0, 0)
    (stretchMetres, lastMetres, movedMetres) = (metres, metres, metres)
    stretchNight = 0
    self.checkpoints = checkpoints
    passed = 0
  }

  /// - Parameter nightAfter: seconds by night that belong to the next stretch already.
  private mutating func endStretch(_ time: Int32, _ metres: Int32, nightAfter: Int32) {
    let length = Int64(metres) - Int64(stretchMetres)
    let seconds = Int64(time) - Int64(stretchTime)
    // Anything faster than a runner was a lift or a mistake; a short stretch says little.
    if length >= 300, seconds * 1000 >= length * Bounds.fastestSecondsPerKilometre {
      let night = Int64(stretchNight - nightAfter) * 1024 / max(1, seconds)
      let stop = pace.learn(
        metres: length, seconds: seconds, middle: Int64(stretchMetres) + length / 2,
        nightShare: min(max(0, night), 1024))
      stops = Int32(clamping: Int64(stops) + stop)
      self.metres = Int32(clamping: Int64(self.metres) + length)
    }
    stretchTime = time
    stretchMetres = metres
    stretchNight = nightAfter
  }

  private mutating func endRest() {
    let rested = restedSeconds(until: lastTime)
    for _ in 0..<min(passed, 20) { rest.learn(seconds: rested / Int64(passed)) }
    metres = Int32(clamping: Int64(metres) + Int64(lastMetres - stretchMetres))
    passed = 0
    (stretchTime, stretchMetres, stretchNight) = (lastTime, lastMetres, 0)
  }

  /// How much of the running stretch was not walking, assuming the usual pace.
  private func restedSeconds(until time: Int32) -> Int64 {
    let seconds = Int64(time) - Int64(stretchTime)
    let night = min(Int64(stretchNight) * 1024 / max(1, seconds), 1024)
    let length = max(0, Int64(lastMetres) - Int64(stretchMetres))
    let slowness = pace.slowness(at: Int64(stretchMetres), nightShare: night)
    let walking = slowness * length / 256_000
    // Longer than any race; its square has to fit.
    return min(max(0, seconds - walking), 10_000_000)
  }

  /// When the team is `ahead` metres further on.
  ///
  /// - Parameters:
  ///   - ahead: metres to go.
  ///   - checkpoints: between here and there, at which it will rest.
  ///   - now: not before the last report.
  ///   - place: for day and night.
  /// - Returns: `nil` while too little is known, and beyond `Bounds.longestForecast`.
  public func arrival(
    after ahead: Int32, checkpoints: Int16, at now: UTC, near place: Coordinate
  ) -> ExpectedArrival? {
    guard let start, metres >= Bounds.forecastStretchMetres, ahead >= 0 else { return nil }
    let passed = (now.milliseconds &- start.milliseconds) / 1000
    guard passed >= Int64(lastTime), passed < 1_000_000_000 else { return nil }
    let time = Int32(passed)
    let rests = rest.ahead(Int64(min(max(0, checkpoints), Bounds.checkpointsCounted)))
    let here = remainingRest(at: time)
    guard
      let walk = walk(Int64(ahead), from: now + .seconds(here.mean), rests: rests.mean, place)
    else { return nil }
    let stops = stops(within: Int64(ahead))
    let mean = walk.seconds + here.mean + rests.mean + stops.mean
    let walkVariance = pace.variance(
      metres: Int64(ahead), nightMetres: walk.nightMetres,
      middle: Int64(lastMetres) + Int64(ahead) / 2)
    let restVariance = rests.variance + here.variance + stops.variance
    let error = Bounds.forecastErrorSeconds
    let variance = walkVariance + restVariance + error * error
    // 80 % of a normal distribution are within 1.2816 deviations.
    let reach = Coordinate.squareRoot(UInt64(variance)) * 1282 / 1000
    return ExpectedArrival(
      expected: now + .seconds(mean), earliest: now + .seconds(max(0, mean - reach)),
      latest: now + .seconds(mean + reach))
  }

  /// What remains of the rest here, seconds and s².
  private func remainingRest(at time: Int32) -> (mean: Int64, variance: Int64) {
    guard passed > 0 else {
      // A stop on the way: it goes on for a third of what it has lasted.
      let still = max(0, Int64(time) - Int64(movedTime) - 300)
      return (still / 3, still * still / 4)
    }
    let beyond = Int64(lastMetres) - Int64(passedMetres)
    let limit = Int64(Bounds.forecastRestMetres)
    let share = min(max(0, limit - beyond), limit)
    let whole = rest.remaining(after: restedSeconds(until: time))
    return (whole.mean * share / limit, whole.variance * share / limit)
  }

  /// Stops between checkpoints, as many per kilometre as so far: seconds and s².
  private func stops(within ahead: Int64) -> (mean: Int64, variance: Int64) {
    let seconds = Int64(stops) + Stops.seconds
    let mean = seconds * ahead / (Int64(metres) + Stops.metres)
    return (mean, mean * Stops.usual)
  }

  /// The seconds that walking takes, and the metres of it by night.
  private func walk(
    _ ahead: Int64, from now: UTC, rests: Int64, _ place: Coordinate
  ) -> (seconds: Int64, nightMetres: Int64)? {
    var (done, seconds, night) = (Int64(0), Int64(0), Int64(0))
    while done < ahead {
      // Rests are spread over the way.
      let clock = now + .seconds(seconds + rests * done / max(1, ahead))
      let isNight = Sun.isDown(at: clock, from: place)
      let slowness = pace.slowness(
        at: Int64(lastMetres) + done, nightShare: isNight ? 1024 : 0)
      let step = min(ahead - done, max(1, Bounds.forecastStepSeconds * 256_000 / slowness))
      seconds += step * slowness / 256_000
      done += step
      if isNight { night += step }
      guard seconds < Bounds.longestForecast.count / 1000 else { return nil }
    }
    return (seconds, night)
  }
}

/// When somebody arrives, and a band in which four of five do.
public struct ExpectedArrival: Sendable, Equatable {
  public var expected: UTC
  /// One of ten arrives earlier.
  public var earliest: UTC
  /// One of ten arrives later.
  public var latest: UTC
}

// A forecast as numbers, to be kept across a restart.
extension ArrivalForecast {
  /// How many numbers there are. Their order never changes, because records contain them.
  public static let wordCount = 27
  public typealias Words = InlineArray<27, Int64>

  public var words: Words {
    var words = Words(repeating: 0)
    words[0] = start?.milliseconds ?? 0
    words[1] = Int64(stretchTime)
    words[2] = Int64(stretchMetres)
    words[3] = Int64(stretchNight)
    words[4] = Int64(lastTime)
    words[5] = Int64(lastMetres)
    words[6] = Int64(movedTime)
    words[7] = Int64(movedMetres)
    words[8] = Int64(checkpoints)
    words[9] = Int64(passed)
    words[10] = Int64(passedMetres)
    words[11] = Int64(stops)
    words[12] = Int64(metres)
    words[13] = Int64(pace.level)
    words[14] = Int64(pace.fatigue)
    words[15] = Int64(pace.night)
    words[16] = Int64(pace.levelLevel)
    words[17] = Int64(pace.levelFatigue)
    words[18] = Int64(pace.levelNight)
    words[19] = Int64(pace.fatigueFatigue)
    words[20] = Int64(pace.fatigueNight)
    words[21] = Int64(pace.nightNight)
    words[22] = Int64(pace.unsteadiness)
    words[23] = Int64(pace.stretches)
    words[24] = Int64(rest.mean)
    words[25] = Int64(rest.squares)
    words[26] = Int64(rest.count)
    return words
  }

  /// A forecast that goes on from what was kept.
  ///
  /// - Returns: `nil` if a number is not one that a forecast could have: sums within these
  ///   ranges cannot overflow.
  public init?(_ words: Words) {
    guard Self.isSound(words) else { return nil }
    self.init()
    start = words[0] == 0 ? nil : UTC(milliseconds: words[0])
    stretchTime = Int32(words[1])
    stretchMetres = Int32(words[2])
    stretchNight = Int32(words[3])
    lastTime = Int32(words[4])
    lastMetres = Int32(words[5])
    movedTime = Int32(words[6])
    movedMetres = Int32(words[7])
    checkpoints = Int16(words[8])
    passed = Int16(words[9])
    passedMetres = Int32(words[10])
    stops = Int32(words[11])
    metres = Int32(words[12])
    pace.level = Int32(words[13])
    pace.fatigue = Int32(words[14])
    pace.night = Int32(words[15])
    pace.levelLevel = Int32(words[16])
    pace.levelFatigue = Int32(words[17])
    pace.levelNight = Int32(words[18])
    pace.fatigueFatigue = Int32(words[19])
    pace.fatigueNight = Int32(words[20])
    pace.nightNight = Int32(words[21])
    pace.unsteadiness = Int16(words[22])
    pace.stretches = Int16(words[23])
    rest.mean = Int32(words[24])
    rest.squares = Int32(words[25])
    rest.count = Int16(words[26])
  }

  private static func isSound(_ words: Words) -> Bool {
    var index = 1
    while index < wordCount {
      guard range(index).contains(words[index]) else { return false }
      index += 1
    }
    return true
  }

  /// - Parameter index: 1...
  private static func range(_ index: Int) -> ClosedRange<Int64> {
    switch index {
    case 1, 3, 4, 6: 0...1_000_000_000
    case 2, 5, 7, 10: 0...Int64(Bounds.longestCourseMetres)
    case 8, 9: 0...Int64(Bounds.checkpointsCounted)
    case 11: 0...100_000_000
    // Steps back are subtracted.
    case 12: -Int64(Bounds.longestCourseMetres)...100_000_000
    // 1/256 s/km: up to 18 hours for a kilometre.
    case 13, 14, 15: -16_777_216...16_777_216
    // Variances, a thousand times what is assumed about an unknown team.
    case 16, 19, 21: 0...134_217_728
    case 17, 18, 20: -134_217_728...134_217_728
    case 22: 64...16_384
    case 23: 0...Int64(Bounds.stretchesLearned)
    case 24: 0...Bounds.longestRestSeconds
    case 25: 0...Int64(Int32.max)
    default: 0...Int64(Bounds.restsLearned)
    }
  }
}
