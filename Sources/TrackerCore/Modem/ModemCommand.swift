/// What a tracker says to a modem. 3GPP TS 27.007; `powerOff` SIMCom (AT+CPOF).
public enum ModemCommand: UInt8, Sendable, Equatable {
  /// Is anybody there? Echo off in the same breath: answers are easier to tell apart.
  case attention
  case simStatus
  case registration
  case powerOff

  /// The bytes to send, ended by CR.
  public var bytes: StaticString {
    switch self {
    case .attention: "ATE0\r"
    case .simStatus: "AT+CPIN?\r"
    case .registration: "AT+CREG?\r"
    case .powerOff: "AT+CPOF\r"
    }
  }
}

/// Registration with a network, 3GPP TS 27.007 §7.2.
public enum Registration: Sendable, Equatable {
  case idle
  case home
  case searching
  case denied
  case unknown
  case roaming
  case emergencyOnly

  init?(_ status: Int32) {
    switch status {
    case 0: self = .idle
    case 1: self = .home
    case 2: self = .searching
    case 3: self = .denied
    case 4: self = .unknown
    case 5: self = .roaming
    case 8: self = .emergencyOnly
    default: return nil
    }
  }
}

/// One line from a modem, as far as a tracker cares.
enum ModemLine: Sendable, Equatable {
  case ok
  case error
  /// `+CME ERROR: n`; 10 is "SIM not inserted", 11 "SIM PIN required", 12 "SIM PUK required"
  /// (3GPP TS 27.007 §9.2).
  case equipmentError(Int32)
  case simReady
  case simLocked
  case registration(Registration)
  case other

  /// Reads one line without its line end.
  init(_ line: ModemLineBuffer) {
    if line.matches("OK") {
      self = .ok
    } else if line.matches("ERROR") {
      self = .error
    } else if line.begins(with: "+CME ERROR:") {
      self = Self.equipmentError(in: line)
    } else if line.matches("+CPIN: READY") {
      self = .simReady
    } else if line.begins(with: "+CPIN: SIM P") {
      self = .simLocked
    } else if line.begins(with: "+CREG:") {
      self = Self.registration(in: line, after: 6)
    } else if line.begins(with: "+CGREG:") || line.begins(with: "+CEREG:") {
      self = Self.registration(in: line, after: 7)
    } else {
      self = .other
    }
  }

  /// SIMCom modems write errors out (`+CME ERROR: SIM not inserted`) unless told otherwise: AT+CMEE
  /// is 2 from the factory.
  private static func equipmentError(in line: ModemLineBuffer) -> ModemLine {
    if let code = line.integer(after: 11) { return .equipmentError(code) }
    if line.begins(with: "+CME ERROR: SIM not inserted") { return .equipmentError(10) }
    if line.begins(with: "+CME ERROR: SIM PIN required") { return .equipmentError(11) }
    if line.begins(with: "+CME ERROR: SIM PUK required") { return .equipmentError(12) }
    return .error
  }

  /// An answer holds mode and status (`+CREG: 0,1`), an unsolicited report the status alone.
  private static func registration(
    in line: ModemLineBuffer, after prefix: Int
  ) -> ModemLine {
    guard let first = line.integer(after: prefix) else { return .other }
    let status = line.firstComma(after: prefix).flatMap { line.integer(after: $0 + 1) } ?? first
    return Registration(status).map { .registration($0) } ?? .other
  }
}
