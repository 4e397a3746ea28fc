/// One short message with the freshest position when nothing else gets through.
///
/// It is for the organiser to choose: a message costs money, and says where a team is to whoever
/// holds the telephone.
struct LastResort: Sendable, Equatable {
  /// Without a delivery for so long; `nil`: never.
  private let after: Milliseconds?
  /// Not before; a delivery and a message each move it on.
  private var notBefore: Instant
  private var lastID: UInt32 = 0

  init(after: Milliseconds?, at now: Instant) {
    self.after = after
    notBefore = now + (after ?? 0)
  }

  /// A server has acknowledged something.
  mutating func delivered(at now: Instant) {
    if let after { notBefore = now + after }
  }

  /// The name of the message that is due now, if one is.
  mutating func begin(at now: Instant) -> RequestID? {
    guard after != nil, now >= notBefore else { return nil }
    lastID &+= 1
    return RequestID(lastID)
  }

  /// One that was not sent is tried again, but not with every contact.
  mutating func ended(wasSent: Bool, at now: Instant) {
    guard let after else { return }
    notBefore = now + (wasSent ? after : min(after, Bounds.textRetry))
  }
}
