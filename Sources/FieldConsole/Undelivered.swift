import TrackerCore
import Wording

/// A tracker that has not delivered what it tried to deliver, or had no occasion to: why, and how
/// long that may last.
///
/// A delivery in the last hours has shown that settings, SIM and server are right. Then only what
/// fails in the network counts, because holes in the coverage pass by themselves.
struct Undelivered {
  var cause: Cause
  var finding: Cause.Finding
  /// How much longer it may last.
  private var left: Milliseconds

  var isTimeUp: Bool { left < 0 }

  /// Until a person must act.
  var wait: Cause.Finding? {
    isTimeUp ? nil : Cause.Finding(detail: finding.detail, wait: left)
  }

  /// - Returns: `nil` if nothing is the matter.
  init?(_ facts: TrackerFacts) {
    guard facts.isUnderway else { return nil }
    let whole = VerdictBounds.firstContact
    if facts.hasDelivered {
      guard facts.queue.pending > 0, !facts.isOutOfNetwork,
        let age = facts.sending.failingInNetworkFor,
        age > whole
      else { return nil }
      // What was true without coverage is out of date.
      cause = facts.sending.failing.flatMap { $0.isOfCoverage ? nil : $0.row } ?? .serverSilent
      left = whole - age
      finding = Cause.Finding(age: age, detail: facts.sending.lastProblem?.withoutCure)
      return
    }
    guard
      facts.sending.lastContact == nil || facts.queue.pending > 0 && facts.sending.failingFor != nil
    else {
      return nil
    }
    left = whole - facts.age
    cause = facts.firstCause
    finding = Cause.Finding(age: facts.age)
    guard let failing = facts.sending.failingFor else { return }
    if let patience = facts.sending.failing?.patience { left = min(left, patience - failing) }
    // A portal has nothing to add.
    let detail = cause == .portal ? nil : facts.sending.lastProblem?.withoutCure
    finding = Cause.Finding(age: failing, detail: detail)
  }
}

extension TrackerFacts {
  var undelivered: Undelivered? { Undelivered(self) }

  /// Why nothing was ever delivered.
  fileprivate var firstCause: Cause {
    if let cause = sending.failing { return cause.row }
    if sending.failingFor != nil { return .serverSilent }
    if sending.reason == .noBearer { return modem.isPresent ? .noDataConnection : .noInterface }
    let isWithoutNetwork = modem.isPresent && modem.registered == nil && modem.simReady != nil
    return isWithoutNetwork ? .noNetwork : .neverReached
  }

  /// What fails is known, and the network is there.
  var isServerBlamed: Bool {
    sending.failingInNetworkFor != nil && sending.failing.map { !$0.isOfCoverage } ?? false
  }

  /// The last contact found no network, or this one has long been looking for it.
  fileprivate var isOutOfNetwork: Bool {
    guard sending.reason == .searching || sending.reason == .noBearer else { return false }
    let isLooking = [.starting, .checkingSIM, .searching, .registered].contains(modem.phase)
    return !isLooking || (modem.phaseFor ?? 0) > VerdictBounds.usualSearch
  }
}

extension Texts {
  /// What is wrong, without what to do: the table says that.
  var withoutCure: Texts {
    map { text in
      let what = text.prefix { $0 != ";" }
      return String(what.hasSuffix(" ") ? what.dropLast() : what)
    }
  }
}

extension FailureCause {
  /// Its row of the table.
  var row: Cause {
    switch self {
    case .portal: .portal
    case .accessPoint: .accessPointRefused
    case .dataConnection: .noDataConnection
    case .interface: .noInterface
    case .addressFamily: .otherAddressFamily
    case .name: .nameNotFound
    case .connection: .noConnection
    case .silence: .serverSilent
    case .certificate: .tlsFailed
    case .modemCertificate: .modemTLSFailed
    case .proxy: .proxyRefuses
    case .foreignServer: .foreignServer
    case .supply: .weakSupply
    case .busy: .serverBusy
    case .settings: .settingsUnusable
    }
  }

  /// Whether no answer came and the server, or what stands before it, is to blame.
  var isOfServer: Bool {
    switch self {
    case .name, .connection, .silence, .certificate, .modemCertificate: true
    case .portal, .accessPoint, .dataConnection, .interface, .addressFamily, .proxy, .foreignServer,
      .supply, .busy, .settings:
      false
    }
  }

  /// Whether a hole in the coverage looks the same.
  fileprivate var isOfCoverage: Bool { self == .dataConnection || self == .interface }

  /// How long it may last while nothing was ever delivered.
  fileprivate var patience: Milliseconds {
    switch self {
    case .portal, .addressFamily, .settings: 0
    case .accessPoint, .dataConnection, .interface, .name, .connection, .certificate,
      .modemCertificate, .proxy, .foreignServer, .supply:
      VerdictBounds.knownCause
    case .silence, .busy: VerdictBounds.firstContact
    }
  }
}
