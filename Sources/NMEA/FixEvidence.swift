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
