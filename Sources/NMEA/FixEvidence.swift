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

  /// Decides the mode of the epoch and forgets everything but the last GSA mode.
  mutating func conclude(hasPosition: Bool, _ epoch: Epoch) -> FixMode {
    if mode != 0 {
      carriedMode = mode
      carriedFor = 0
    } else if carriedFor < 60 {
      carriedFor &+= 1
    } else {
      carriedMode = 0
    }
    let result = decide(hasPosition: hasPosition)
    if result == .noFix { carriedMode = 0 }
    let carried = (carriedMode, carriedFor)
    self = FixEvidence()
    (carriedMode, carriedFor) = carried
    return result
  }

  private func decide(hasPosition: Bool) -> FixMode {
    if isVoid || !hasPosition { return .noFix }
    if mode == 1 { return .noFix }
    if let said = FixMode(rawValue: mode != 0 ? mode : carriedMode), said != .noFix { return said }
    guard let satellitesUsed else { return .twoDimensional }
    if satellitesUsed < 3 { return .noFix }
    return satellitesUsed >= 4 && hasAltitude ? .threeDimensional : .twoDimensional
  }
}

/// Carries the date on over epochs that have none of their own.
struct CalendarCarry: Sendable, Equatable {
  private var day: Int32?
  private var timeOfDay: Int32?

  /// Gives the epoch a date if it has none: the last one known, a day later once the time of day
  /// has fallen by more than twelve hours.
  mutating func complete(_ epoch: inout Epoch) {
    guard let time = epoch.timeOfDayMilliseconds else {
      if let own = epoch.dayNumber { (day, timeOfDay) = (own, nil) }
      return
    }
    if epoch.dayNumber == nil, let day {
      var carried = day
      if let timeOfDay, time &- timeOfDay < -43_200_000 { carried &+= 1 }
      epoch.dayNumber = carried
      epoch.isDateCarried = true
    }
    if let own = epoch.dayNumber { day = own }
    timeOfDay = time
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
