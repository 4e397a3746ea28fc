/// One short message with the freshest position when nothing else gets through.
///
/// The organiser has to enable it: a message costs money, and tells whoever holds the telephone
/// where a team is.
struct LastResort: Sendable, Equatable {
  /// Time without a delivery; `nil`: never.
  private let after: Milliseconds?
  /// The earliest next message; postponed by each delivery and each message.
  private var notBefore: Instant
  /// A contact has been asked for.
  private var hasCalled = false
  private var lastID: UInt32 = 0

  init(after: Milliseconds?, at now: Instant) {
    self.after = after
    notBefore = now + (after ?? 0)
  }

  /// A server has acknowledged something.
  mutating func delivered(at now: Instant) {
    if let after { postpone(until: now + after) }
  }

  private mutating func postpone(until instant: Instant) {
    notBefore = instant
    hasCalled = false
  }

  /// When it asks for a contact.
  var deadline: Instant? { after == nil || hasCalled ? nil : notBefore }

  /// Whether a contact is needed now to send a message; said once for each message.
  mutating func callsForContact(at now: Instant) -> Bool {
    guard let deadline, now >= deadline else { return false }
    hasCalled = true
    return true
  }

  func isDue(at now: Instant) -> Bool { after != nil && now >= notBefore }

  /// The id of the message that is due now, if any.
  mutating func begin(at now: Instant) -> RequestID? {
    guard isDue(at: now) else { return nil }
    lastID &+= 1
    return RequestID(lastID)
  }

  /// A message that was not sent is retried, but not with every contact.
  mutating func ended(wasSent: Bool, at now: Instant) {
    guard let after else { return }
    postpone(until: now + (wasSent ? after : min(after, Bounds.textRetry)))
  }
}
