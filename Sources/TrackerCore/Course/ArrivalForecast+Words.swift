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
    case 8, 9: 0...Int64(mostCheckpoints)
    case 11: 0...100_000_000
    // Steps back are subtracted.
    case 12: -Int64(Bounds.longestCourseMetres)...100_000_000
    // 1/256 s/km: up to 18 hours for a kilometre.
    case 13, 14, 15: -16_777_216...16_777_216
    // Variances, a thousand times what is assumed about an unknown team.
    case 16, 19, 21: 0...134_217_728
    case 17, 18, 20: -134_217_728...134_217_728
    case 22: 64...16_384
    case 23: 0...Int64(PaceEstimate.mostStretches)
    case 24: 0...RestEstimate.longest
    case 25: 0...Int64(Int32.max)
    default: 0...Int64(RestEstimate.most)
    }
  }
}
