import TrackerCore
import Wording

/// Whether a tracker is fit to go: the one answer that counts at a checkpoint.
public struct FitnessVerdict: Sendable, Equatable {
  enum Kind: String, Sendable {
    /// It will reach the finish without help.
    case go = "GO"
    /// Not yet, but by itself within some time.
    case wait = "WAIT"
    /// A person must act.
    case noGo = "NO-GO"
  }

  var kind: Kind
  /// `nil` with GO.
  var cause: Cause?
  /// How long the cause has held, and its detail.
  var finding = Cause.Finding()

  /// The first row of the table that applies decides; of several waits the longest, because it
  /// cannot be GO before.
  public init(of facts: TrackerFacts) {
    let findings = Cause.allCases.compactMap { cause in
      cause.finding(in: facts).map { (cause: cause, finding: $0) }
    }
    guard let first = findings.first else {
      kind = .go
      return
    }
    let isWait = first.finding.wait != nil
    let longest = findings.max { ($0.finding.wait ?? 0) < ($1.finding.wait ?? 0) }
    let decisive = isWait ? longest ?? first : first
    kind = isWait ? .wait : .noGo
    cause = decisive.cause
    finding = decisive.finding
  }

  /// The exit code of `trackerctl status`.
  var exitCode: Int32 {
    switch kind {
    case .go: 0
    case .noGo: 1
    case .wait: 3
    }
  }

  /// `GO`, `WAIT 0:45` or `NO-GO`, the same in every language: it is read over the radio.
  var word: String {
    finding.wait.map { "WAIT \(Quantity.clock($0))" } ?? kind.rawValue
  }

  /// `receiver silent, for 3 min`; with GO, what else is worth knowing.
  func explanation(of facts: TrackerFacts, in language: Language) -> String {
    guard let cause else { return Self.remarks(on: facts, in: language).joined(separator: ", ") }
    var text = cause.title[language]
    if let age = finding.age {
      let span = Quantity.span(age, in: language)
      text +=
        ", "
        + (facts.date(ago: age).map { VerdictPhrase.since.text(in: language, $0) }
          ?? VerdictPhrase.forTime.text(in: language, span))
    }
    if let detail = finding.detail?[language] {
      let isRepeated = detail.hasPrefix(cause.title[language])
      text +=
        isRepeated
        ? String(detail.dropFirst(cause.title[language].count)) : language.colon + detail
    }
    if let sign = finding.lastSign {
      let span = Quantity.span(sign, in: language)
      text +=
        language.semicolon
        + (facts.date(ago: sign).map { VerdictPhrase.lastSignAt.text(in: language, $0) }
          ?? VerdictPhrase.lastSign.text(in: language, span))
    }
    return text
  }

  /// `GO, 12 waiting for coverage`
  public func text(of facts: TrackerFacts, in language: Language) -> String {
    let why = explanation(of: facts, in: language)
    return why.isEmpty ? word : word + (kind == .go ? ", " : language.colon) + why
  }

  /// What to do; `nil`: nothing.
  func action(for facts: TrackerFacts, in language: Language) -> String? {
    cause?.action(for: facts)[language]
  }

  static func remarks(on facts: TrackerFacts, in language: Language) -> [String] {
    var remarks: [String] = []
    if facts.session.state == .finished {
      remarks.append(VerdictPhrase.finished.text(in: language))
    }
    if facts.queue.pending > 0 {
      let phrase: VerdictPhrase =
        switch facts.sending.reason {
        case .backingOff(status: 0) where facts.isServerBlamed: .waitingForServer
        case .searching, .noBearer, .registrationDenied, .backingOff(status: 0):
          .waitingForCoverage
        case .backingOff: .waitingForServer
        case nil, .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
          .batteryReserve, .modemOff, .modemSilent, .noSIM, .simLocked, .simRefused, .simLastTry,
          .simUncertain, .simBlocked, .operatorLocked, .reconnectFloor,
          .serverRejected, .unauthorised, .storeFailed, .nothingPending, .finished:
          .waiting
        }
      remarks.append(phrase.text(in: language, count: facts.queue.pending))
    }
    if facts.sending.isByBroker == true {
      remarks.append(VerdictPhrase.byBroker.text(in: language))
    }
    if facts.sending.pathLimit != nil { remarks.append(VerdictPhrase.pathLimit.text(in: language)) }
    if !facts.battery.isMeasured && facts.session.state != .finished {
      remarks.append(VerdictPhrase.batteryNotMeasured.text(in: language))
    }
    return remarks
  }
}

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

  /// The wait until a person must act.
  var wait: Cause.Finding? {
    isTimeUp ? nil : Cause.Finding(detail: finding.detail, wait: left)
  }

  /// - Returns: `nil` if nothing is wrong.
  init?(_ facts: TrackerFacts) {
    guard facts.isUnderway else { return nil }
    let whole = VerdictBounds.firstContact
    if facts.hasDelivered {
      guard facts.queue.pending > 0, !facts.isOutOfNetwork,
        let age = facts.sending.failingInNetworkFor,
        age > whole
      else { return nil }
      // A cause from a time without coverage is out of date.
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

  /// Whether a known cause other than the network makes it fail.
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
  /// What is wrong, without the cure, which the table has.
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

  /// Whether a gap in the coverage looks the same.
  fileprivate var isOfCoverage: Bool { self == .dataConnection || self == .interface }

  /// How long it may last before the first delivery.
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

/// The table of verdicts for people.
enum VerdictPage {
  static func answer(in language: Language) -> Answer {
    var page = Page()
    var members: [Figure.Member] = []
    for cause in Cause.allCases {
      let word = cause.isWait ? "WAIT  " : "NO-GO "
      page.line(word + " " + cause.title[language], .strong)
      page.line("        " + cause.threshold[language])
      if !cause.isWait { page.line("        -> " + cause.action[language]) }
      members.append(Figure.Member(cause.rawValue, .text(cause.threshold.english)))
    }
    return Answer(page, members)
  }
}

/// What a verdict says in addition to its cause.
enum VerdictPhrase: String, Catalogue {
  case forTime, since, lastSign, lastSignAt
  case finished, waiting, waitingForCoverage, waitingForServer, batteryNotMeasured
  case pathLimit, byBroker

  var texts: Texts {
    switch self {
    case .forTime: Texts(ca: "fa {1}", es: "hace {1}", en: "for {1}", fr: "depuis {1}")
    case .since:
      Texts(ca: "des de {1}", es: "desde {1}", en: "since {1}", fr: "depuis {1}")
    case .lastSignAt:
      Texts(
        ca: "darrer senyal de vida: {1}", es: "última señal de vida: {1}",
        en: "last sign of life: {1}", fr: "dernier signe de vie : {1}")
    case .lastSign:
      Texts(
        ca: "darrer senyal de vida fa {1}", es: "última señal de vida hace {1}",
        en: "last sign of life {1} ago", fr: "dernier signe de vie il y a {1}")
    case .finished:
      Texts(ca: "cursa acabada", es: "carrera terminada", en: "finished", fr: "course finie")
    case .waiting:
      Texts(
        ca: "{1} per enviar", es: "{1} por enviar", en: "{1} to send", fr: "{1} à envoyer")
    case .waitingForCoverage:
      Texts(
        ca: "{1} esperant cobertura", es: "{1} esperando cobertura",
        en: "{1} waiting for coverage", fr: "{1} en attente de réseau")
    case .waitingForServer:
      Texts(
        ca: "{1} esperant el servidor", es: "{1} esperando al servidor",
        en: "{1} waiting for the server", fr: "{1} en attente du serveur")
    case .byBroker:
      Texts(
        ca: "les entregues ho són segons el broker, que les pot perdre",
        es: "las entregas lo son según el broker, que puede perderlas",
        en: "deliveries are such by the broker's word, which may lose them",
        fr: "les livraisons le sont selon le broker, qui peut les perdre")
    case .pathLimit:
      Texts(
        ca: "la xarxa perd les peticions grans", es: "la red pierde las peticiones grandes",
        en: "the network loses large requests", fr: "le réseau perd les grandes requêtes")
    case .batteryNotMeasured:
      Texts(
        ca: "bateria no mesurada", es: "batería no medida", en: "battery not measured",
        fr: "batterie non mesurée")
    }
  }
}
