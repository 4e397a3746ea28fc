/// A simple rule for a capture rate that the battery can sustain until the finish.
///
/// It compares the charge used so far with what may be used in the elapsed time if the reserve is
/// to be left at the finish, and scales the intervals by the ratio:
///
///     drained / allowed   <=0.5   0.75   1.0    1.5    2.0    >=6
///     interval x           0.5    0.75   1.0    1.5    2.0     6
///
/// It does not know the load currents.
struct Pace: Sendable, Equatable {
  private var reservePercent: Int32 = 0
  private var since: Instant?
  private var firstPercent: Int32 = 100
  /// Factor on every interval, in percent, 50...600.
  private(set) var stretchPercent: Int64 = 100

  init(_ configuration: Configuration) { adopt(configuration) }

  /// Applies another reserve from now on; keeps the measurements.
  mutating func adopt(_ configuration: Configuration) {
    reservePercent = configuration.reservePercent
  }

  /// - Parameter finish: `nil` when it is not known or none is configured.
  mutating func measure(percent: UInt8, at now: Instant, finish: Instant? = nil) {
    guard let since else {
      since = now
      firstPercent = Int32(percent)
      return
    }
    let elapsed = (now - since).count
    // At most a year, so that the products below stay small.
    let length = min(finish.map { $0 - since } ?? Bounds.usualRace, .hours(8766))
    // A gauge in whole percents is not meaningful in the first half hour.
    guard elapsed >= Milliseconds.minutes(30).count, length >= .minutes(1) else { return }
    let spendable = min(100, max(1, Int64(firstPercent) - Int64(reservePercent)))
    let used = min(elapsed, length.count)
    let allowedThousandths = max(1, spendable * 1000 * (used / 1000) / (length.count / 1000))
    let drainedThousandths = Int64(max(0, firstPercent - Int32(percent))) * 1000
    stretchPercent = min(600, max(50, drainedThousandths * 100 / allowedThousandths))
  }

  /// The battery is no longer measured: intervals stay as long as they were found necessary, but
  /// none is shorter than configured.
  mutating func lose() { stretchPercent = max(100, stretchPercent) }

  func stretch(_ interval: Milliseconds) -> Milliseconds {
    Milliseconds(interval.count &* stretchPercent / 100)
  }
}
