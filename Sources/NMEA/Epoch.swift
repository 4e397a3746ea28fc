/// The kind of fix that a receiver reports.
///
/// Raw values are those of GSA field 2 (NMEA 0183) and of gpsd's `mode`.
public enum FixMode: UInt8, Sendable, Equatable {
  case noFix = 1
  case twoDimensional = 2
  case threeDimensional = 3
}

/// One position report: what a receiver said about one instant, merged from all its sentences.
///
/// A member is `nil` when no sentence of the epoch gave it. All numbers are exact integers.
public struct Epoch: Sendable, Equatable {
  /// Milliseconds since midnight UTC, 0..<86 401 000 (a leap second is 86 400 000 and up).
  public var timeOfDayMilliseconds: Int32?
  /// Days since 1970-01-01 as the receiver reports them, not corrected for week rollover. From a
  /// sentence of this epoch (`isDateCarried == false`), or carried over from an earlier one, across
  /// midnight if need be.
  public var dayNumber: Int32?
  /// Whether `dayNumber` was carried over from an earlier epoch.
  public var isDateCarried = false
  public var mode = FixMode.noFix
  /// Latitude in 1e-7 degree, north positive, -900 000 000...900 000 000.
  public var latitude: Int32?
  /// Longitude in 1e-7 degree, east positive, -1 800 000 000...1 800 000 000.
  public var longitude: Int32?
  /// Height above mean sea level in millimetres.
  public var altitudeMillimetres: Int32?
  public var speedMillimetresPerSecond: Int32?
  /// Course over ground, true, in thousandths of a degree, 0..<360 000.
  public var trackMillidegrees: Int32?
  public var satellitesUsed: UInt8?
  /// Horizontal dilution of precision in hundredths.
  public var hdopHundredths: UInt16?
  /// Satellites in view over all constellations that reported in this epoch (GSV).
  public var satellitesInView: UInt8?
  /// The strongest signal in this epoch, in dB-Hz (GSV).
  public var bestSignalDecibelHertz: UInt8?

  public init() {}

  /// Milliseconds since 1970-01-01T00:00:00Z, or `nil` while either part is unknown.
  public var utcMilliseconds: Int64? {
    guard let dayNumber, let timeOfDayMilliseconds else { return nil }
    return Int64(dayNumber) * 86_400_000 + Int64(timeOfDayMilliseconds)
  }

  /// Whether the epoch has a fix with a latitude and a longitude.
  public var hasPosition: Bool { mode != .noFix && latitude != nil && longitude != nil }
}

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

/// Collects what the sentences of an epoch say about its fix and decides its mode.
struct FixEvidence: Sendable, Equatable {
  /// Whether a sentence with a time reported no fix. One without a time may belong to the previous
  /// cycle.
  private var isVoid = false
  private var isStatusValid = false
  private var isQualityValid = false
  private var satellitesUsed: UInt8?
  private var hasAltitude = false

  /// The GSA mode of an earlier epoch: many receivers send GSA only every few seconds.
  private var carriedMode: UInt8 = 0
  private var carriedFor: UInt8 = 0
  /// Whether the previous epoch had a fix and an altitude.
  private var hadAltitude = false

  /// Records the status of RMC or GLL.
  @inline(__always)
  mutating func noteStatus(isValid valid: Bool, isTimed: Bool) {
    if valid {
      isStatusValid = true
    } else if isTimed {
      isVoid = true
    }
  }

  /// Records the quality of GGA, or the mode indicators of GNS.
  @inline(__always)
  mutating func noteQuality(_ hasFix: Bool, used: UInt8?, hasAltitude altitude: Bool, isTimed: Bool)
  {
    if hasFix {
      isQualityValid = true
    } else if isTimed {
      isVoid = true
    }
    if let used { satellitesUsed = used }
    if altitude { hasAltitude = true }
  }

  /// Decides the mode of the epoch and resets everything that is not carried over.
  ///
  /// - Parameter mode: the mode from GSA, 0 when none came.
  mutating func conclude(hasPosition: Bool, _ mode: UInt8) -> FixMode {
    let result = hasPosition ? decide(mode) : .noFix
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

  private func decide(_ mode: UInt8) -> FixMode {
    if isVoid || mode == 1 || !isStatusValid && !isQualityValid { return .noFix }
    if !isStatusValid, let satellitesUsed, satellitesUsed < 3 { return .noFix }
    if mode == 3 || mode == 0 && carriedMode == 3 { return .threeDimensional }
    // The receiver reports 2D but still gives an altitude, held from before or entered by hand:
    // like gpsd, report 3D from the second such epoch on.
    if hasAltitude && hadAltitude { return .threeDimensional }
    if mode == 2 || carriedMode == 2 { return .twoDimensional }
    if hasAltitude, let satellitesUsed, satellitesUsed >= 4 { return .threeDimensional }
    return .twoDimensional
  }
}
