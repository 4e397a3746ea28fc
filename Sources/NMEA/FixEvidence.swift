/// What the sentences of an epoch say about its fix, and what follows from it.
struct FixEvidence: Sendable, Equatable {
  /// The best GSA mode of this epoch, 0 when none came.
  private var mode: UInt8 = 0
  private var isVoid = false
  private var isValid = false
  private var satellitesUsed: UInt8?
  private var hasAltitude = false

  /// The GSA mode of an earlier epoch: many receivers send GSA only every few seconds.
  private var carriedMode: UInt8 = 0
  private var carriedFor: UInt8 = 0
  /// Whether the epoch before had a fix and an altitude.
  private var hadAltitude = false

  /// The status of RMC or GLL.
  @inline(__always)
  mutating func noteStatus(isValid valid: Bool) {
    if valid { isValid = true } else { isVoid = true }
  }

  /// The quality of GGA, or what GNS says in its place.
  @inline(__always)
  mutating func noteQuality(_ quality: UInt8?, used: UInt8?, hasAltitude altitude: Bool) {
    if let quality, quality > 0 { isValid = true } else { isVoid = true }
    if let used { satellitesUsed = used }
    if altitude { hasAltitude = true }
  }

  @inline(__always)
  mutating func noteMode(_ mode: FixMode?) {
    if let mode, mode.rawValue > self.mode { self.mode = mode.rawValue }
  }

  /// Decides the mode of the epoch and forgets everything but what is carried on.
  mutating func conclude(hasPosition: Bool) -> FixMode {
    let result = decide(hasPosition: hasPosition)
    var next = FixEvidence()
    if result != .noFix {
      next.hadAltitude = hasAltitude
      if mode != 0 {
        next.carriedMode = mode
      } else if carriedFor < 60 {
        next.carriedMode = carriedMode
        next.carriedFor = carriedFor &+ 1
      }
    }
    self = next
    return result
  }

  private func decide(hasPosition: Bool) -> FixMode {
    if isVoid || !hasPosition || mode == 1 { return .noFix }
    if !isValid, let satellitesUsed, satellitesUsed < 3 { return .noFix }
    if mode == 3 || mode == 0 && carriedMode == 3 { return .threeDimensional }
    if hasAltitude && hadAltitude { return .threeDimensional }
    if mode == 2 || carriedMode == 2 { return .twoDimensional }
    if hasAltitude, let satellitesUsed, satellitesUsed >= 4 { return .threeDimensional }
    return .twoDimensional
  }
}

/// Gives a date to the epochs that have none of their own.
struct CalendarCarry: Sendable, Equatable {
  private var day: Int32?
  private var timeOfDay: Int32?

  /// Takes note of a date that came with a time of day.
  mutating func note(day: Int32, at timeOfDay: Int32) {
    self.day = day
    self.timeOfDay = timeOfDay
  }

  /// Gives the epoch a date if it has none: that of the last known instant, or of the day before or
  /// after, whichever brings the two within twelve hours.
  mutating func complete(_ epoch: inout Epoch) {
    guard let time = epoch.timeOfDayMilliseconds else {
      if let own = epoch.dayNumber { (day, timeOfDay) = (own, nil) }
      return
    }
    if epoch.dayNumber == nil, let day {
      let apart = timeOfDay.map { time &- $0 } ?? 0
      let step: Int32 = apart < -43_200_000 ? 1 : apart > 43_200_000 ? -1 : 0
      epoch.dayNumber = day &+ step
      epoch.isDateCarried = true
    }
    if let own = epoch.dayNumber { note(day: own, at: time) }
  }
}

/// Satellites in view over all systems.
struct SatelliteView: Sendable, Equatable {
  /// One byte for each talker: the most that it said to be in view.
  private var counts: UInt64 = 0
  private var hasCounts = false
  private(set) var bestSignal: UInt8?

  @inline(__always)
  mutating func note(_ sentence: GSV, _ talker: Talker) {
    if let signal = sentence.bestSignalDecibelHertz, signal > bestSignal ?? 0 {
      bestSignal = signal
    }
    guard let count = sentence.satellitesInView else { return }
    hasCounts = true
    let shift = UInt64(talker.rawValue) &* 8
    if count > UInt8(truncatingIfNeeded: counts &>> shift) {
      counts = counts & ~(0xFF &<< shift) | UInt64(count) &<< shift
    }
  }

  /// The sum over the systems, at most 255.
  var total: UInt8? {
    guard hasCounts else { return nil }
    var sum: UInt64 = 0
    var left = counts
    while left != 0 {
      sum &+= left & 0xFF
      left &>>= 8
    }
    return sum > 255 ? 255 : UInt8(truncatingIfNeeded: sum)
  }
}
