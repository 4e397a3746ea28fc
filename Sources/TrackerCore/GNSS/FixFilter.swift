import NMEA

/// A position that may become a capture.
public struct Fix: Sendable, Equatable {
  var position: Coordinate
  var at: Instant
  var utc: UTC?
  public var altitudeMillimetres: Int32?
  public var speedMillimetresPerSecond: Int32?
  var courseMillidegrees: Int32?
  /// Estimated, metres; `nil` when the receiver gives no HDOP.
  public var accuracyMetres: Int32?
  var satellites: UInt8?

  public init(position: Coordinate, at: Instant) {
    self.position = position
    self.at = at
  }
}

/// Why a report of a receiver is not accepted as a fix.
public enum FixRejection: UInt8, Sendable, Equatable {
  case noFix
  case poorAccuracy
  /// It would require an impossible speed.
  case impossibleSpeed
}

/// Separates fixes from reports without a fix, inaccurate ones and outliers.
public struct FixFilter: Sendable, Equatable {
  private var accuracyMetres: Int32
  private var maximumSpeedMetresPerSecond: Int32
  private(set) var last: Fix?
  private var outlier: Fix?
  private var outliers: Int32 = 0

  public init(_ configuration: Configuration) {
    accuracyMetres = configuration.accuracyMetres
    maximumSpeedMetresPerSecond = configuration.maximumSpeedMetresPerSecond
  }

  /// Applies other limits from now on; keeps its state.
  mutating func adopt(_ configuration: Configuration) {
    accuracyMetres = configuration.accuracyMetres
    maximumSpeedMetresPerSecond = configuration.maximumSpeedMetresPerSecond
  }

  /// Judges one report.
  mutating func judge(
    _ epoch: borrowing Epoch, utc: UTC?, at now: Instant
  ) -> Result {
    guard epoch.mode != .noFix, let latitude = epoch.latitude, let longitude = epoch.longitude
    else { return .rejected(.noFix) }
    var fix = Fix(position: Coordinate(latitude: latitude, longitude: longitude), at: now)
    fix.utc = utc
    fix.altitudeMillimetres = epoch.altitudeMillimetres
    fix.speedMillimetresPerSecond = epoch.speedMillimetresPerSecond
    fix.courseMillidegrees = epoch.trackMillidegrees
    fix.satellites = epoch.satellitesUsed
    fix.accuracyMetres = Self.accuracyMetres(hdopHundredths: epoch.hdopHundredths)
    if let estimate = fix.accuracyMetres, estimate > accuracyMetres {
      return .rejected(.poorAccuracy)
    }
    return admit(fix) ? .accepted(fix) : .rejected(.impossibleSpeed)
  }

  /// Whether somebody may have been there then, after the fixes before; it is the last one from now
  /// on. Outliers that agree with each other are believed in the end.
  public mutating func admit(_ fix: Fix) -> Bool {
    if let last, !isReachable(fix, from: last) && !persists(fix) { return false }
    outlier = nil
    outliers = 0
    last = fix
    return true
  }

  /// The accuracy to expect; rounded up, so that the error is not underestimated.
  public static func accuracyMetres(hdopHundredths: UInt16?) -> Int32? {
    guard let hdop = hdopHundredths, hdop > 0 else { return nil }
    return (Int32(hdop) * Bounds.metresPerHDOP + 99) / 100
  }

  enum Result {
    case accepted(Fix)
    case rejected(FixRejection)
  }

  private func isReachable(_ fix: Fix, from other: Fix) -> Bool {
    let elapsed = max(1, (fix.at - other.at).count)
    let slack = Int64(fix.accuracyMetres ?? 0) + Int64(other.accuracyMetres ?? 0) + 10
    let reach = elapsed.multipliedReportingOverflow(by: topSpeed(fix, other))
    guard !reach.overflow else { return true }
    let metres = Int32(clamping: reach.partialValue / 1_000_000 + slack)
    return other.position.isNearer(than: Int64(metres) * 1000, to: fix.position)
      || other.position.distanceMetres(to: fix.position) <= metres
  }

  /// The highest plausible speed between two fixes, millimetres per second.
  ///
  /// A receiver measures its speed by Doppler shift, far better than its position: a jump that
  /// contradicts its speed is a reflection between houses. Between two reports a walker may start
  /// to run and a van may double its speed.
  private func topSpeed(_ fix: Fix, _ other: Fix) -> Int64 {
    let limit = Int64(maximumSpeedMetresPerSecond) * 1000
    guard let now = fix.speedMillimetresPerSecond, let before = other.speedMillimetresPerSecond
    else { return limit }
    return min(limit, 2 * Int64(max(now, before)) + Bounds.unreportedSpeed)
  }

  /// Counts consecutive outliers that agree with each other; returns whether there are enough to
  /// believe them.
  private mutating func persists(_ fix: Fix) -> Bool {
    if let outlier, isReachable(fix, from: outlier) {
      outliers += 1
    } else {
      outliers = 1
    }
    outlier = fix
    return outliers >= Bounds.outlierPatience
  }
}
