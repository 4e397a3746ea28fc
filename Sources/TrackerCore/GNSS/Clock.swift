import NMEA

/// The date, and whether it can be trusted.
///
/// A date is trusted when it lies after the build date, and consecutive reports advanced together
/// with the monotonic clock. A step, forward or backward, removes the trust until the new date has
/// passed the same checks.
struct Clock: Sendable, Equatable {
  private(set) var isTrusted = false
  /// The date is one that was trusted before the machine was halted, and its own clock has gone on
  /// from it: good enough for everything but a capture's time.
  private(set) var isCarried = false
  /// Weeks added to the receiver's date; 0 unless it has rolled over.
  private(set) var correctionWeeks: Int32 = 0
  private var last: UTC?
  private var lastInstant = Instant.start
  private var agreements: Int32 = 0
  /// Whether it goes on by the machine's own clock, and no report has disagreed.
  private var isExpected = false
  var notBefore: UTC

  init(notBefore: UTC) { self.notBefore = notBefore }

  /// The date at an instant; `nil` before the first report.
  func utc(at now: Instant) -> UTC? {
    guard let last else { return nil }
    return last + (now - lastInstant)
  }

  /// The instant with its date, if that is trusted, or carried.
  func moment(at now: Instant) -> Moment {
    Moment(at: now, utc: isTrusted || isCarried ? utc(at: now) : nil)
  }

  /// The date for plans, which the next measurement makes anew: trusted, or, after a halt, by the
  /// machine's own clock.
  func likelyUTC(at now: Instant) -> UTC? { isTrusted || isExpected ? utc(at: now) : nil }

  /// The machine's own clock has gone on while it was halted: the first report that agrees with it
  /// is trusted.
  mutating func expect(_ utc: UTC, isCarried: Bool, at now: Instant) {
    last = utc
    lastInstant = now
    agreements = Bounds.clockAgreements
    isExpected = true
    self.isCarried = isCarried
  }

  /// Handles a receiver's report and returns its corrected date, or `nil` if it has none.
  mutating func hear(_ epoch: borrowing Epoch, at now: Instant) -> UTC? {
    guard let raw = epoch.utcMilliseconds else { return nil }
    let corrected = correct(UTC(milliseconds: raw))
    let date = corrected ?? UTC(milliseconds: raw)
    if let last, isSmall((date - last) - (now - lastInstant)) {
      agreements = min(agreements + 1, Bounds.clockAgreements)
    } else {
      // Without a fix that is the receiver's own clock, which may have lost its supply.
      if isCarried, epoch.mode == .noFix { return date }
      agreements = 0
      isTrusted = false
      isExpected = false
      isCarried = false
    }
    last = date
    lastInstant = now
    // A receiver without a fix reports its own clock, which may be wrong.
    if epoch.mode != .noFix && corrected != nil && agreements >= Bounds.clockAgreements {
      isTrusted = true
      isCarried = false
    }
    return date
  }

  private func isSmall(_ difference: Milliseconds) -> Bool {
    // Compare magnitudes, because `Int64.min` cannot be negated.
    difference.count.magnitude <= Bounds.clockTolerance.count.magnitude
  }

  /// A believable date: as reported, or advanced by multiples of 1024 weeks; `nil` if there is
  /// none.
  private mutating func correct(_ raw: UTC) -> UTC? {
    if raw >= notBefore {
      guard raw - notBefore <= Bounds.believableSpan else { return nil }
      correctionWeeks = 0
      return raw
    }
    // GPS time begins there: an earlier date is the default of a clock that was never set.
    guard raw >= Bounds.firstGPSDate else { return nil }
    let step = Milliseconds(Int64(Bounds.rolloverWeeks) * 7 * 86_400_000)
    var date = raw
    var weeks: Int32 = 0
    // Three rollovers are 59 years, longer than GPS has existed.
    for _ in 0..<3 where date < notBefore {
      date = date + step
      weeks += Bounds.rolloverWeeks
    }
    guard date >= notBefore, date - notBefore <= Bounds.correctableSpan else { return nil }
    correctionWeeks = weeks
    return date
  }
}
