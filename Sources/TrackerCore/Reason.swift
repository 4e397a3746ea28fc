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

extension Reason {
  /// What keeps the tracker from it.
  public enum Subject: UInt8, Sendable, Equatable {
    /// The tracker itself, which does as it should.
    case plan
    case session
    case position
    case battery
    case modem
    case sim
    case network
    case server
    case store
  }

  /// What is known of each reason; everything that depends on the kind of a reason asks here.
  public struct Properties: Sendable {
    /// The name in files, logs and reports.
    let key: StaticString
    public let subject: Subject
    /// Whether it lasts until somebody does something about it.
    public let needsPerson: Bool
    /// Whether nothing is missing: silence is what was intended.
    public let isPlanned: Bool
    /// The reason's number: HTTP status or server code.
    let detail: Int32?

    init(
      _ key: StaticString, _ subject: Subject, needsPerson: Bool = false, isPlanned: Bool = false,
      detail: Int32? = nil
    ) {
      self.key = key
      self.subject = subject
      self.needsPerson = needsPerson
      self.isPlanned = isPlanned
      self.detail = detail
    }
  }

  public var properties: Properties {
    switch self {
    case .sessionStopped: Properties("sessionStopped", .session)
    case .noFix: Properties("noFix", .position)
    case .poorAccuracy: Properties("poorAccuracy", .position)
    case .clockUntrusted: Properties("clockUntrusted", .position)
    case .atRest: Properties("atRest", .plan)
    case .notDue: Properties("notDue", .plan, isPlanned: true)
    case .batteryReserve: Properties("batteryReserve", .battery)
    case .modemOff: Properties("modemOff", .modem)
    case .modemSilent: Properties("modemSilent", .modem, needsPerson: true)
    case .noSIM: Properties("noSIM", .sim, needsPerson: true)
    case .simLocked: Properties("simLocked", .sim, needsPerson: true)
    case .simRefused: Properties("simRefused", .sim, needsPerson: true)
    case .simLastTry: Properties("simLastTry", .sim, needsPerson: true)
    case .simUncertain: Properties("simUncertain", .sim, needsPerson: true)
    case .simBlocked: Properties("simBlocked", .sim, needsPerson: true)
    case .operatorLocked: Properties("operatorLocked", .sim, needsPerson: true)
    case .searching: Properties("searching", .network)
    case .registrationDenied: Properties("registrationDenied", .network, needsPerson: true)
    case .noBearer: Properties("noBearer", .network)
    case .reconnectFloor: Properties("reconnectFloor", .network)
    case .backingOff(let status): Properties("backingOff", .server, detail: status)
    case .serverRejected(let code):
      Properties("serverRejected", .server, needsPerson: true, detail: code)
    case .unauthorised: Properties("unauthorised", .server, needsPerson: true)
    case .storeFailed: Properties("storeFailed", .store, needsPerson: true)
    case .nothingPending: Properties("nothingPending", .plan, isPlanned: true)
    case .finished: Properties("finished", .session, isPlanned: true)
    }
  }

  public var key: StaticString { properties.key }
  public var detail: Int32? { properties.detail }

  /// Whether a person has to unlock the SIM.
  public var isOfLockedSIM: Bool { properties.subject == .sim && self != .noSIM }
}
