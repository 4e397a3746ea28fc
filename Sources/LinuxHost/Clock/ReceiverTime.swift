import NMEA
import TrackerCore

/// A date and the instant at which it was right.
struct DatedInstant: Equatable {
  var utc: UTC
  var at: Instant

  func utc(at instant: Instant) -> UTC { utc + (instant - at) }
}

/// The receiver's time, each time it reports it and as long as the core trusts it.
///
/// The core says when it begins to trust the date. From then on a report counts if it agrees with
/// those before. The first that does not ends this, as it ends the core's trust.
struct ReceiverTime {
  private var decoder = Decoder()
  /// When the first sentence of the open report arrived.
  private var openedAt: Instant?
  private var trusted: DatedInstant?

  /// The core trusts this date now.
  mutating func isTrusted(_ utc: UTC, at now: Instant) -> DatedInstant {
    let dated = DatedInstant(utc: utc, at: now)
    trusted = dated
    return dated
  }

  /// Reads what comes from the receiver.
  ///
  /// - Returns: the time of the last report that counts.
  mutating func receive(_ bytes: [UInt8], at now: Instant) -> DatedInstant? {
    var last: DatedInstant?
    var position = 0
    while let epoch = decoder.next(in: bytes.span, from: &position) {
      if let dated = judge(epoch, at: openedAt ?? now) { last = dated }
      // What is open now is the next report.
      openedAt = nil
    }
    if !decoder.hasOpenEpoch {
      openedAt = nil
    } else if openedAt == nil {
      openedAt = now
    }
    return last
  }

  private mutating func judge(_ epoch: Epoch, at arrived: Instant) -> DatedInstant? {
    guard let trusted, let raw = epoch.utcMilliseconds, epoch.mode != .noFix else { return nil }
    let expected = trusted.utc(at: arrived)
    // A receiver whose 10-bit week number has rolled over is 1024 weeks early, or a multiple.
    let rollover = Int64(Bounds.rolloverWeeks) * 7 * 86_400_000
    let (gap, isTooFar) = expected.milliseconds.subtractingReportingOverflow(raw)
    guard !isTooFar else { return nil }
    let (near, isTooLarge) = gap.addingReportingOverflow(rollover / 2)
    guard !isTooLarge else { return nil }
    let rollovers = near >= 0 ? near / rollover : -((rollover - 1 - near) / rollover)
    let utc = UTC(milliseconds: raw + rollovers * rollover)
    guard (utc - expected).count.magnitude <= Bounds.clockTolerance.count.magnitude else {
      self.trusted = nil
      return nil
    }
    let dated = DatedInstant(utc: utc, at: arrived)
    self.trusted = dated
    return dated
  }
}
