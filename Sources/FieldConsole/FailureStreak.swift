import TrackerCore
import Wording

/// How long nothing has been delivered although it was tried, and why.
struct FailureStreak: Sendable, Equatable {
  /// A modem that searches for longer than this has lost its network; a shorter search is part of
  /// each contact.
  static let lostNetwork = Milliseconds.minutes(5)

  /// The first trouble since the last delivery.
  private(set) var since: Instant?
  /// The first request since then that failed without a time without network since: what a hole in
  /// the coverage explains does not count here.
  private(set) var inNetworkSince: Instant?
  /// The last one that was known.
  private(set) var cause: FailureCause?

  /// A request ended without a delivery.
  mutating func failed(at now: Instant) {
    since = since ?? now
    inNetworkSince = inNetworkSince ?? now
  }

  /// Something is known that may explain it.
  mutating func learned(_ cause: FailureCause?, at now: Instant) {
    since = since ?? now
    // Without its access point a modem opens no connection.
    if self.cause == .accessPoint && cause == .dataConnection { return }
    self.cause = cause ?? self.cause
  }

  mutating func delivered() { self = FailureStreak() }

  mutating func lostNetwork() { inNetworkSince = nil }

  /// The modem has left a phase after `time`.
  mutating func left(_ phase: ModemPhase, after time: Milliseconds, for next: ModemPhase) {
    switch phase {
    case .searching where !next.isPast(.network) || time >= Self.lostNetwork: lostNetwork()
    // It had no data connection.
    case .registered where !next.isPast(.network): lostNetwork()
    case .off, .starting, .checkingSIM, .searching, .registered, .attached, .inUse, .stopping,
      .faulted, .stillOn:
      break
    }
  }
}
