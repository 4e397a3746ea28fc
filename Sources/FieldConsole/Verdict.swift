import TrackerCore
import Wording

/// Whether a tracker is fit to go: the one answer that counts at a checkpoint.
public struct Verdict: Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// It reaches the finish with nobody's help.
    case go = "GO"
    /// Not yet, and by itself within a time.
    case wait = "WAIT"
    /// A person must act.
    case noGo = "NO-GO"
  }

  public var kind: Kind
  /// `nil` with GO.
  public var cause: Cause?
  /// Since when, or of what, the cause is known.
  public var finding = Cause.Finding()

  /// The first row of the table that applies decides; of several waits the longest, since only then
  /// it may be GO.
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

  /// Of `trackerctl status`.
  public var exitCode: Int32 {
    switch kind {
    case .go: 0
    case .noGo: 1
    case .wait: 3
    }
  }

  /// `GO`, `WAIT 0:45` or `NO-GO`, the same in every language: it is read over the radio.
  public var word: String {
    finding.wait.map { "WAIT \(Quantity.clock($0))" } ?? kind.rawValue
  }

  /// `receiver silent, for 3 min`; with GO, what else is worth knowing.
  public func explanation(of facts: TrackerFacts, in language: Language) -> String {
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
  public func action(in language: Language) -> String? { cause?.action[language] }

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
    if facts.sending.pathLimit != nil { remarks.append(VerdictPhrase.pathLimit.text(in: language)) }
    if !facts.battery.isMeasured && facts.session.state != .finished {
      remarks.append(VerdictPhrase.batteryNotMeasured.text(in: language))
    }
    return remarks
  }
}
