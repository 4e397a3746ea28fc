/// The connection to the server: through a modem, or a bearer without one.
struct Link: Sendable, Equatable {
  /// `nil`: there is a wired bearer instead.
  var modem: Modem?
  private var wire = WiredBearer.down

  init(
    _ board: ModemBoard, _ configuration: Configuration, _ simPIN: PINState, at now: Instant
  ) {
    guard configuration.bearer != .none else { return }
    modem = Modem(board, configuration, simPIN: simPIN, at: now)
  }

  var phase: ModemPhase { modem?.phase ?? wire.phase }
  var isReady: Bool { modem?.isReady ?? wire.isUp }

  /// Why nothing can be sent over it; `nil` when it can.
  func reason(at now: Instant) -> Reason? {
    guard let modem else { return wire.isUp ? nil : .noBearer }
    return modem.reason(at: now)
  }

  /// What is asked after each input.
  struct Outlook {
    var phase: ModemPhase
    var reason: Reason?
    /// The next instant at which it wants to act.
    var deadline: Instant?
    /// When the modem can be connected, if it is off.
    var connectableAt: Instant?
  }

  /// Mutating although it only looks, and one question for all: each question alone would copy the
  /// modem.
  @inline(never)
  mutating func outlook(at now: Instant) -> Outlook {
    modem?.outlook(at: now)
      ?? Outlook(phase: wire.phase, reason: wire.isUp ? nil : .noBearer)
  }

  mutating func changed(
    isUp: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if modem?.linkChanged(isUp: isUp, at: now, into: &sink) == nil { wire.changed(isUp: isUp) }
  }

  mutating func setInUse(_ isInUse: Bool) {
    if modem?.setInUse(isInUse) == nil { wire.setInUse(isInUse) }
  }
}

/// A bearer that the tracker does not control: Wi-Fi or Ethernet.
enum WiredBearer: Sendable, Equatable {
  case down
  case up
  case inUse

  var isUp: Bool { self != .down }

  var phase: ModemPhase {
    switch self {
    case .down: .off
    case .up: .attached
    case .inUse: .inUse
    }
  }

  mutating func changed(isUp: Bool) {
    switch self {
    case .down where isUp: self = .up
    case .up where !isUp, .inUse where !isUp: self = .down
    case .down, .up, .inUse: return
    }
  }

  mutating func setInUse(_ isInUse: Bool) {
    switch self {
    case .up where isInUse: self = .inUse
    case .inUse where !isInUse: self = .up
    case .down, .up, .inUse: return
    }
  }
}
