/// The words for reasons, which a controller has in English alone.
extension Reason {
  /// For people, without `detail`; at most 40 characters, so that it fits a line of the status.
  /// `Wording` has it in the other languages.
  public var words: StaticString {
    switch self {
    case .sessionStopped: "the session is stopped"
    case .noFix: "no position from the receiver"
    case .poorAccuracy: "position too inaccurate"
    case .clockUntrusted: "date not trusted yet"
    case .atRest: "the team is at rest"
    case .notDue: "not due yet"
    case .batteryReserve: "battery in its reserve"
    case .modemOff: "modem off or starting"
    case .modemSilent: "modem does not answer: check its cable"
    case .noSIM: "no SIM card"
    case .simLocked: "the SIM needs a PIN: add it as a secret"
    case .simRefused: "wrong PIN: correct the secrets file"
    case .simLastTry: "last PIN try left: trackerctl pin try"
    case .simUncertain: "tries left unknown: trackerctl pin try"
    case .simBlocked: "the SIM wants its PUK: use a telephone"
    case .operatorLocked: "modem locked to an operator: change SIM"
    case .searching: "searching for a network"
    case .registrationDenied: "the network refuses the SIM"
    case .noBearer: "no data connection"
    case .reconnectFloor: "too soon to connect again"
    case .backingOff: "waiting to try again"
    case .serverRejected: "the server refuses it"
    case .unauthorised: "the server refuses the credentials"
    case .storeFailed: "cannot write to the disk"
    case .nothingPending: "nothing waits to be sent"
    case .finished: "the race is over"
    }
  }
}
