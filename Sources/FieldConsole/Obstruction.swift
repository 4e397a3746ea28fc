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
    switch self {
    case .modemSilent: .modem
    case .noSIM, .simLocked, .simLastTry, .simUncertain, .simBlocked, .operatorLocked: .sim
    case .simRefused, .registrationDenied: .network
    case .unauthorised, .serverRejected: .server
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
      .batteryReserve, .modemOff, .searching, .noBearer, .reconnectFloor, .backingOff,
      .storeFailed, .nothingPending, .finished:
      nil
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
