import TrackerCore

/// Whether a radio is being connected, transfers, or waits to be released by the network.
///
/// Promotion is the first part of the time of a transfer and does not make it longer: `World` waits
/// for the bearer in any case (`linkDelay`).
struct RadioConnection: Sendable {
  enum State: Sendable, Equatable {
    /// Not connected. Exits: `promoting`, `transferring` where there is no promotion.
    case released
    /// Exits: `transferring` at the end of the promotion, `tail` when the transfer ends before.
    case promoting
    /// Exits: `tail`.
    case transferring
    /// Exits: `transferring` with the next transfer, `released` at the end of the tail.
    case tail
  }

  var figures = RadioFigures()
  private var isTransferring = false
  private var promotedAt = Instant.start
  /// The end of the tail, once a transfer has ended.
  private var releasedAt = Instant.start

  mutating func beginTransfer(at now: Instant) {
    guard !isTransferring else { return }
    if now >= releasedAt { promotedAt = now + figures.promotion }
    isTransferring = true
  }

  mutating func endTransfer(at now: Instant) {
    guard isTransferring else { return }
    isTransferring = false
    promotedAt = min(promotedAt, now)
    releasedAt = now + figures.tail
  }

  /// The modem is not registered any more: nothing is left of the connection.
  mutating func drop(at now: Instant) {
    isTransferring = false
    promotedAt = min(promotedAt, now)
    releasedAt = min(releasedAt, now)
  }

  func state(at now: Instant) -> State {
    if isTransferring { return now < promotedAt ? .promoting : .transferring }
    return now < releasedAt ? .tail : .released
  }

  /// The next instant at which its state changes by itself.
  func deadline(after now: Instant) -> Instant? {
    switch state(at: now) {
    case .promoting: promotedAt
    case .tail: releasedAt
    case .released, .transferring: nil
    }
  }
}

/// Measures how long something was on in total.
struct RadioMeter: Sendable {
  private var since: Instant?
  private var sum: Milliseconds = 0

  mutating func turn(isOn: Bool, at now: Instant) {
    sum = total(at: now)
    since = isOn ? now : nil
  }

  func total(at now: Instant) -> Milliseconds {
    since.map { sum + max(0, now - $0) } ?? sum
  }
}
