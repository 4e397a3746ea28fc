public import TrackerCore

extension Reason {
  /// All reasons, those with a number with 0.
  public static let all: [Reason] = [
    .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue, .batteryReserve,
    .modemOff, .modemSilent, .noSIM, .simLocked, .simRefused, .simLastTry, .simUncertain,
    .simBlocked, .operatorLocked, .searching, .registrationDenied, .noBearer, .reconnectFloor,
    .backingOff(status: 0), .serverRejected(code: 0), .unauthorised, .storeFailed,
    .nothingPending, .finished,
  ]

  /// As in files and reports: `searching`, or with its number, `backingOff 503`.
  public var name: String {
    detail.map { "\(key) \($0)" } ?? "\(key)"
  }

  /// - Returns: `nil` if no reason has this name.
  public init?(name: String) {
    let words = name.split(separator: " ")
    guard let word = words.first, words.count <= 2,
      let reason = Self.all.first(where: { "\($0.key)" == word })
    else { return nil }
    guard let number = words.dropFirst().first else {
      self = reason
      return
    }
    guard let detail = Int32(number) else { return nil }
    switch reason {
    case .backingOff: self = .backingOff(status: detail)
    case .serverRejected: self = .serverRejected(code: detail)
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
      .batteryReserve, .modemOff, .modemSilent, .noSIM, .simLocked, .simRefused, .simLastTry,
      .simUncertain, .simBlocked, .operatorLocked, .searching, .registrationDenied, .noBearer,
      .reconnectFloor, .unauthorised, .storeFailed, .nothingPending, .finished:
      return nil
    }
  }
}
