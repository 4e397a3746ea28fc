/// The shortest time between two connections to the network. Carriers may ban a SIM that reconnects
/// more often.
struct ReconnectFloor: Sendable, Equatable {
  var interval: Milliseconds
  /// When the network was last joined, or may have been.
  private var lastJoin: Instant?
  /// Whether the modem has answered since it was last switched on for a contact, so that it may
  /// have been in the network.
  private(set) var hasAnswered = false

  init(interval: Milliseconds) { self.interval = interval }

  /// Earliest instant at which the network may be joined again.
  var end: Instant { lastJoin.map { $0 + interval } ?? .start }

  /// A contact begins.
  mutating func join(at now: Instant) {
    lastJoin = now
    hasAnswered = false
  }

  /// A person takes the responsibility for joining earlier, once.
  mutating func waive() { lastJoin = nil }

  mutating func answered() { hasAnswered = true }

  /// The modem is switched on again; if it was in the network, it joins it again.
  mutating func restart(at now: Instant) {
    if hasAnswered { lastJoin = now }
    hasAnswered = false
  }

  /// Its radio is switched on again.
  mutating func rejoin(at now: Instant) { lastJoin = now }
}
