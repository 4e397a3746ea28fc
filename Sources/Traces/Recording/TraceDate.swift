import TrackerCore

/// The date in TAG blocks: the monotonic clock plus an offset to UTC.
///
/// The offset only changes with a `date` record, so dates can be converted back to instants.
struct TraceDate: Sendable, Equatable {
  /// UTC of instant 0.
  private(set) var zero: Int64
  /// The date is unknown; the earliest possible one is used instead.
  private(set) var isAssumed: Bool

  init(utc: UTC?, at instant: Instant, notBefore: UTC) {
    zero = (utc ?? notBefore).milliseconds &- instant.milliseconds
    isAssumed = utc == nil
    if !TraceBounds.dates.contains(zero) {
      zero = Configuration().notBefore.milliseconds
      isAssumed = true
    }
  }

  /// From a `date` record: `instant` was `utc`.
  init(utc: Int64, at instant: Instant, isAssumed: Bool) {
    zero = utc &- instant.milliseconds
    self.isAssumed = isAssumed
  }

  func milliseconds(at instant: Instant) -> Int64 { zero &+ instant.milliseconds }

  /// The date of an instant, unless it is only assumed.
  func known(at instant: Instant) -> UTC? {
    isAssumed ? nil : UTC(milliseconds: milliseconds(at: instant))
  }

  func instant(of milliseconds: Int64) -> Instant {
    Instant(milliseconds: milliseconds &- zero)
  }

  /// Adopts a trusted date; returns whether that changed the offset.
  mutating func trust(_ utc: UTC, at instant: Instant) -> Bool {
    let apart = utc.milliseconds &- milliseconds(at: instant)
    let isSame = apart.magnitude <= TraceBounds.dateTolerance.count.magnitude
    guard isAssumed || !isSame, TraceBounds.dates.contains(utc.milliseconds &- instant.milliseconds)
    else { return false }
    zero = utc.milliseconds &- instant.milliseconds
    isAssumed = false
    return true
  }

  func write(to fields: inout FieldWriter, at instant: Instant) {
    fields.word("date")
    fields.add(instant)
    fields.number(milliseconds(at: instant))
    if isAssumed { fields.word("assumed") }
  }
}
