import TrackerCore

// What must not wait: a call for help, and what a disk has refused.
extension InvariantWatch {
  /// A slow disk takes 20 s for a capture, and another one may be in front.
  private static let longestStoring = Milliseconds.minutes(2)
  private static let longestRetry = Bounds.storeRetry + .minutes(1)

  func checkUrgent(at now: Instant) {
    claim(
      .callStored, urgent.unstored.map { now - $0 <= Self.longestStoring } ?? true, at: now,
      "the call of \(clockText((urgent.unstored ?? now) - .start)) is not on disk")
    claim(
      .callSoonHeard, urgent.putOff.map { now - $0 <= .minutes(1) } ?? true, at: now,
      "the call waits since \(clockText((urgent.putOff ?? now) - .start)) as the server was busy "
        + "with what came before it")
    claim(
      .refusedRetried, urgent.refused.map { now - $0 <= Self.longestRetry } ?? true, at: now,
      "what the disk refused at \(clockText((urgent.refused ?? now) - .start)) is not tried again")
  }
}

/// Since when something waits that must not wait for long.
struct UrgentWatch {
  /// The call for help that is not on disk yet.
  private(set) var unstored: Instant?
  /// The call was put off with the request that was on its way when it was made.
  private(set) var putOff: Instant?
  /// The disk has refused a capture.
  private(set) var refused: Instant?
  private var isDuringRequest = false

  mutating func raised(at now: Instant, isSending: Bool) {
    (unstored, isDuringRequest) = (now, isSending)
  }

  mutating func staged() { unstored = nil }

  mutating func finished(_ outcome: UploadOutcome, at now: Instant) {
    if case .busy = outcome, isDuringRequest, unstored == nil { putOff = now }
    isDuringRequest = false
  }

  /// A request is on its way, or the network is gone.
  mutating func goesOn() { putOff = nil }

  mutating func refusedCapture(at now: Instant) { refused = refused ?? now }
  mutating func storing() { refused = nil }
}
