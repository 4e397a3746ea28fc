/// One short message with the freshest position when nothing else gets through.
///
/// The organiser has to enable it: a message costs money, and tells whoever holds the telephone
/// where a team is.
struct LastResort: Sendable, Equatable {
  /// Time without a delivery; `nil`: never.
  private let after: Milliseconds?
  /// The earliest next message; postponed by each delivery and each message.
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

  /// The id of the message that is due now, if any.
  mutating func begin(at now: Instant) -> RequestID? {
    guard after != nil, now >= notBefore else { return nil }
    lastID &+= 1
    return RequestID(lastID)
  }

  /// A message that was not sent is retried, but not with every contact.
  mutating func ended(wasSent: Bool, at now: Instant) {
    guard let after else { return }
    notBefore = now + (wasSent ? after : min(after, Bounds.textRetry))
  }
}
