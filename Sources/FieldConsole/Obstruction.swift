import TrackerCore

/// Where a tracker that sends nothing is stuck, if only a person can help.
enum Obstruction {
  /// The modem does not answer.
  case modem
  case sim
  /// The network refuses the SIM.
  case network
  case server
}

extension Reason {
  /// `nil`: it passes by itself, or nothing is wrong.
  var obstruction: Obstruction? {
    guard properties.needsPerson else { return nil }
    switch properties.subject {
    case .modem: return .modem
    // A wrong PIN is mended when the network has taken the SIM, not before.
    case .sim: return self == .simRefused ? .network : .sim
    case .network: return .network
    case .server: return .server
    case .plan, .session, .position, .battery, .store: return nil
    }
  }
}

extension Reason {
  /// The table's row for a cause that needs a person.
  var row: Cause? {
    switch self {
    case .modemSilent: .modemSilent
    case .noSIM: .noSIM
    case .simLocked: .simLocked
    case .simLastTry: .simLastTry
    case .simUncertain: .simUncertain
    case .simBlocked: .simBlocked
    case .operatorLocked: .operatorLocked
    case .simRefused: .simRefused
    case .registrationDenied: .networkDenies
    case .unauthorised: .unauthorised
    case .serverRejected: .serverRefuses
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
      .batteryReserve, .modemOff, .searching, .noBearer, .reconnectFloor, .backingOff,
      .storeFailed, .nothingPending, .finished:
      nil
    }
  }
}

extension ModemPhase {
  /// Whether a modem in this phase has got over it.
  func isPast(_ obstruction: Obstruction) -> Bool {
    switch self {
    case .off, .starting, .stopping, .faulted, .stillOn: false
    case .checkingSIM: obstruction == .modem
    case .searching: obstruction == .modem || obstruction == .sim
    case .registered, .attached, .inUse: obstruction != .server
    }
  }
}
