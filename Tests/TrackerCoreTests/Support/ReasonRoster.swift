@testable import TrackerCore

/// Every reason. A new one fails to compile in `successor`, and so cannot be
/// forgotten.
enum ReasonRoster {
  static let all: [Reason] = {
    var all: [Reason] = []
    var next: Reason? = .sessionStopped
    while let reason = next {
      all.append(reason)
      next = successor(of: reason)
    }
    return all
  }()

  private static func successor(of reason: Reason) -> Reason? {
    switch reason {
    case .sessionStopped: .noFix
    case .noFix: .poorAccuracy
    case .poorAccuracy: .clockUntrusted
    case .clockUntrusted: .atRest
    case .atRest: .notDue
    case .notDue: .batteryReserve
    case .batteryReserve: .modemOff
    case .modemOff: .modemSilent
    case .modemSilent: .noSIM
    case .noSIM: .simLocked
    case .simLocked: .simRefused
    case .simRefused: .simLastTry
    case .simLastTry: .simUncertain
    case .simUncertain: .simBlocked
    case .simBlocked: .operatorLocked
    case .operatorLocked: .searching
    case .searching: .registrationDenied
    case .registrationDenied: .noBearer
    case .noBearer: .reconnectFloor
    case .reconnectFloor: .backingOff(status: 503)
    case .backingOff: .serverRejected(code: 1016)
    case .serverRejected: .unauthorised
    case .unauthorised: .storeFailed
    case .storeFailed: .nothingPending
    case .nothingPending: .finished
    case .finished: nil
    }
  }
}
