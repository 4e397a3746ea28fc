/// Why no capture is taken, or why nothing is sent. There is always exactly one.
public enum Reason: Sendable, Equatable {
  case sessionStopped
  case noFix
  case poorAccuracy
  case clockUntrusted
  case atRest
  case notDue
  case batteryReserve
  case modemOff
  /// The modem does not answer, and was switched off and on for that.
  case modemSilent
  case noSIM
  /// The SIM asks for a PIN, and none is configured.
  case simLocked
  /// The SIM did not accept the PIN.
  case simRefused
  /// One try is left for the PIN; it is not used without an order.
  case simLastTry
  /// The result of the last try is not known, nor how many are left.
  case simUncertain
  /// Only the PUK can unlock the SIM.
  case simBlocked
  /// The modem only accepts the SIMs of one operator, and this is another's.
  case operatorLocked
  case searching
  case registrationDenied
  case noBearer
  case reconnectFloor
  /// HTTP status of the last answer; 0 when there was no answer.
  case backingOff(status: Int32)
  /// Error code in the server's answer.
  case serverRejected(code: Int32)
  case unauthorised
  case storeFailed
  case nothingPending
  /// The finish is past, and the session has ended by itself.
  case finished
}
