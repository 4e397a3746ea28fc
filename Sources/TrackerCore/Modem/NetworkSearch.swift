/// The search for a network, until the modem is registered.
struct NetworkSearch: Sendable, Equatable {
  /// What the network permits.
  enum Coverage: Sendable, Equatable {
    case nothing
    case texts
    case data
  }

  var askAt: Instant
  let giveUpAt: Instant
  /// The answer so far to the open question: the best of each domain.
  private var circuit: Registration?
  private var packet: Registration?
  private var isDenied = false

  init(at now: Instant) {
    askAt = now
    giveUpAt = now + Bounds.searchLimit
  }

  var waitingFor: Reason { isDenied ? .registrationDenied : .searching }

  mutating func asked(at now: Instant) {
    askAt = now + Bounds.pollInterval
    circuit = nil
    packet = nil
  }

  mutating func hear(_ registration: Registration, _ domain: NetworkDomain) {
    switch domain {
    case .circuit: circuit = registration
    case .packet: packet = packet?.better(than: registration) ?? registration
    }
  }

  /// The answer is complete.
  mutating func judge() -> Coverage {
    defer { (circuit, packet) = (nil, nil) }
    let isInAny = circuit?.isIn ?? false || packet?.isIn ?? false
    // Some modems join the packet domain only when the bearer is asked for.
    let isUndecided = packet == nil || packet == .idle || packet == .unknown
    switch isUndecided ? circuit : packet {
    case .home, .roaming: return .data
    case .denied, .emergencyOnly: isDenied = true
    case .idle, .searching, .unknown, nil: isDenied = false
    }
    return isInAny ? .texts : .nothing
  }
}

extension Registration {
  /// The better of two registrations.
  fileprivate func better(than other: Registration) -> Registration {
    if isIn || other.isIn { return isIn ? self : other }
    return self == .denied || self == .emergencyOnly ? self : other
  }
}
