/// What a status light shows: one code, repeated. If it is dark, the tracker does not run.
public enum Light: UInt8, Sendable, Equatable {
  /// Captures are taken, and none waits.
  case working
  /// Captures are taken and wait to be sent.
  case waiting
  /// No position: no fix, a poor one, or no trusted time.
  case noPosition
  /// The modem or its SIM needs a person.
  case modemTrouble
  /// The server refuses the tracker or its captures.
  case serverTrouble
  /// Captures cannot be stored.
  case storeTrouble
  /// No session is running.
  case stopped

  /// How often it blinks before a pause; `stopped` is one long blink.
  public var blinks: Int32 {
    switch self {
    case .working, .stopped: 1
    case .waiting: 2
    case .noPosition: 3
    case .modemTrouble: 4
    case .serverTrouble: 5
    case .storeTrouble: 6
    }
  }

  /// The code for the present reasons; what loses captures comes first.
  init(capturing: Reason?, sending: Reason?, pending: UInt32) {
    switch capturing {
    case .storeFailed: self = .storeTrouble
    case .sessionStopped, .finished: self = .stopped
    case .noFix, .poorAccuracy, .clockUntrusted: self = .noPosition
    case .atRest, .notDue, .batteryReserve, .modemOff, .modemSilent, .noSIM, .simLocked,
      .simRefused, .simLastTry, .simUncertain, .simBlocked, .operatorLocked, .searching,
      .registrationDenied, .noBearer, .reconnectFloor, .backingOff, .serverRejected,
      .unauthorised, .nothingPending, nil:
      self.init(sending: sending, pending: pending)
    }
  }

  private init(sending: Reason?, pending: UInt32) {
    switch sending {
    case .modemSilent, .noSIM, .simLocked, .simRefused, .simLastTry, .simUncertain, .simBlocked,
      .operatorLocked, .registrationDenied:
      self = .modemTrouble
    case .serverRejected, .unauthorised: self = .serverTrouble
    case .storeFailed: self = .storeTrouble
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
      .batteryReserve, .modemOff, .searching, .noBearer, .reconnectFloor, .backingOff,
      .nothingPending, .finished, nil:
      self = pending > 0 ? .waiting : .working
    }
  }
}
