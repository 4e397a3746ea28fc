/// What the sentences without a time of day add to an epoch.
struct Extras: Sendable, Equatable {
  /// Whether any sentence was added.
  var isUsed = false
  /// The best GSA mode, 0 when none came; systems that take no part in the fix may report 1.
  private(set) var mode: UInt8 = 0
  private(set) var satellitesUsed: UInt8?
  private(set) var hdopHundredths: UInt16?
  private(set) var speedMillimetresPerSecond: Int32?
  private(set) var trackMillidegrees: Int32?
  var view = SatelliteView()

  @inline(__always)
  mutating func note(_ sentence: GSA) {
    if let mode = sentence.mode, mode.rawValue > self.mode { self.mode = mode.rawValue }
    let used = (satellitesUsed ?? 0).addingReportingOverflow(sentence.satellitesUsed)
    satellitesUsed = used.overflow ? 255 : used.partialValue
    if let hdop = sentence.hdopHundredths { hdopHundredths = hdop }
  }

  @inline(__always)
  mutating func note(_ sentence: VTG) {
    if let speed = sentence.speedMillimetresPerSecond { speedMillimetresPerSecond = speed }
    if let track = sentence.trackMillidegrees { trackMillidegrees = track }
  }

  /// Takes over later values, which replace the present ones.
  mutating func merge(_ later: Extras) {
    if later.mode != 0 {
      mode = later.mode
      satellitesUsed = later.satellitesUsed
      hdopHundredths = later.hdopHundredths
    }
    if let speed = later.speedMillimetresPerSecond { speedMillimetresPerSecond = speed }
    if let track = later.trackMillidegrees { trackMillidegrees = track }
    if later.view != SatelliteView() { view = later.view }
  }
}

/// Satellites in view over all systems.
struct SatelliteView: Sendable, Equatable {
  /// One byte for each talker: the largest number in view that it reported.
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
