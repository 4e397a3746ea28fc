/// The search for a network, until the modem is registered.
struct NetworkSearch: Sendable, Equatable {
  /// What the network permits.
  enum Coverage: Sendable, Equatable {
    case nothing
    case texts
    case data
  }

  /// When the next question is due.
  var askAt: Instant
  private let began: Instant
  private let terms: SearchTerms
  private var questions: RegistrationQuestions
  /// The answers so far in this round: the best of each domain.
  private var circuit: Registration?
  private var packet: Registration?
  /// Since when the network has refused the modem; `nil`: it has not, or not lately.
  private var deniedSince: Instant?
  private var deniedAt: Instant?

  /// - Parameter asksByDomain: whether the modem has refused to be asked about all domains at once.
  init(_ terms: SearchTerms, asksByDomain: Bool, at now: Instant) {
    askAt = now
    began = now
    self.terms = terms
    questions = RegistrationQuestions(isSingle: asksByDomain)
  }

  /// Without a network by then, the search is given up.
  var giveUpAt: Instant {
    let usual = began + terms.limit
    return deniedSince.map { min($0 + terms.deniedLimit, usual) } ?? usual
  }

  var waitingFor: Reason { deniedSince == nil ? .searching : .registrationDenied }

  // MARK: Questions and answers

  /// The next question.
  mutating func nextQuestion(at now: Instant) -> ModemCommand {
    if questions.isFirst { (circuit, packet) = (nil, nil) }
    // A single question that is not answered is repeated at the usual pace.
    askAt = now + Bounds.pollInterval
    return questions.next
  }

  mutating func hear(_ registration: Registration, _ domain: NetworkDomain) {
    switch domain {
    case .circuit: circuit = registration
    case .packet: packet = packet?.better(than: registration) ?? registration
    }
  }

  /// The question was answered. Returns what the network permits; `nil` while other questions of
  /// the round are left.
  ///
  /// - Parameter isRefused: the modem answered with an error, or without a registration.
  mutating func answered(isRefused: Bool, at now: Instant) -> Coverage? {
    guard questions.answered(isRefused: isRefused) else {
      askAt = now
      return nil
    }
    // It cannot be asked; whether it is registered shows when a connection is made.
    if questions.areAllRefused && now - began >= Bounds.blindSearch { return .data }
    return judge(at: now)
  }

  /// All answers of a round have come.
  mutating func judge(at now: Instant) -> Coverage {
    defer { (circuit, packet) = (nil, nil) }
    // Some modems join the packet domain only when the bearer is asked for.
    let isUndecided = packet == nil || packet == .idle || packet == .unknown
    switch isUndecided ? circuit : packet {
    case .home, .roaming: return .data
    case .denied, .emergencyOnly: denied(at: now)
    case .idle, .searching, .unknown, .textsOnly, nil: notDenied(at: now)
    }
    return circuit?.takesTexts ?? false || packet?.takesTexts ?? false ? .texts : .nothing
  }

  private mutating func denied(at now: Instant) {
    if deniedSince == nil { deniedSince = now }
    deniedAt = now
  }

  /// A modem that was refused tries again at once, and is searching meanwhile.
  private mutating func notDenied(at now: Instant) {
    guard let deniedAt, now - deniedAt >= Bounds.denialPause else { return }
    (deniedSince, self.deniedAt) = (nil, nil)
  }
}

/// How a modem is asked for its registration: about all domains in one line or, if it has refused
/// that line, about one after the other.
struct RegistrationQuestions: Sendable, Equatable {
  private enum Question: Sendable, Equatable {
    case all
    case circuit
    case packet
    case eps
  }

  private var question: Question
  /// Consecutive single questions that were refused.
  private var refused: Int32 = 0

  init(isSingle: Bool) { question = isSingle ? .circuit : .all }

  /// Whether the next question begins a round.
  var isFirst: Bool { question == .all || question == .circuit }
  /// Whether it has refused the questions about all three domains, one after the other.
  var areAllRefused: Bool { refused >= 3 }

  var next: ModemCommand {
    switch question {
    case .all: .registration
    case .circuit: .circuitRegistration
    case .packet: .packetRegistration
    case .eps: .epsRegistration
    }
  }

  /// The question was answered. Returns whether the round is complete.
  mutating func answered(isRefused: Bool) -> Bool {
    switch question {
    case .all:
      if isRefused { question = .circuit }
      return !isRefused
    case .circuit: question = .packet
    case .packet: question = .eps
    case .eps: question = .circuit
    }
    refused = isRefused ? min(refused + 1, 3) : 0
    return question == .circuit
  }
}

extension Registration {
  /// The better of two registrations.
  fileprivate func better(than other: Registration) -> Registration {
    if isIn || other.isIn { return isIn ? self : other }
    if takesTexts || other.takesTexts { return .textsOnly }
    if self == .searching || other == .searching {
      return isRefused || other.isRefused ? .denied : .searching
    }
    return isRefused ? self : other
  }
}

/// How long one search may last.
struct SearchTerms: Sendable, Equatable {
  var limit = Bounds.searchLimit
  /// How long the network may refuse the modem.
  var deniedLimit = Bounds.deniedLimit
}

/// Decides how long to search for a network, from how the searches before ended.
///
/// Usually that is `Bounds.searchLimit`. A search that found nothing doubles the limit of the next
/// one, as some networks are only found in one long search; if one was found late, the next search
/// has half as long again. The time beyond the usual limit comes out of a budget, which fills up
/// slowly: most places where no network is found have none.
struct SearchPatience: Sendable, Equatable {
  /// Searches in a row that found nothing.
  private var failures: Int32 = 0
  /// Contacts in a row that the network refused, modulo `Bounds.deniedCycle`.
  private var denials: Int32 = 0
  /// How long the search that found a network took, in the last contact with one.
  private var needed = Milliseconds(0)
  /// The current contact has found a network before.
  private var hasFound = false
  /// What was left of the budget at `budgetAt`.
  private var budget = Bounds.searchBudget
  private var budgetAt: Instant
  /// When the search that is going on began.
  private var began: Instant?
  /// The battery does not pay for more than the usual search.
  var isSparing = false

  init(at now: Instant) { budgetAt = now }

  /// What holds for a search that begins now.
  func terms(at now: Instant) -> SearchTerms {
    var terms = SearchTerms()
    if !isSparing { terms.limit = limit(upTo: Bounds.searchLimit + remaining(at: now)) }
    if denials > 0 { terms.deniedLimit = Bounds.deniedAgainLimit }
    return terms
  }

  /// - Parameter longest: what the budget pays for.
  private func limit(upTo longest: Milliseconds) -> Milliseconds {
    let usual = Bounds.searchLimit
    guard needed > usual else {
      return min(Milliseconds(usual.count << Int64(failures)), longest)
    }
    // A shorter search than the last one needed would probably fail.
    return longest < needed ? usual : min(Milliseconds(needed.count + needed.count / 2), longest)
  }

  private func remaining(at now: Instant) -> Milliseconds {
    let gained = Milliseconds((now - budgetAt).count / Bounds.searchShare)
    return min(budget + gained, Bounds.searchBudget)
  }

  mutating func contactBegins() { hasFound = false }

  mutating func searchBegins(at now: Instant) { began = now }

  /// The modem has registered.
  mutating func found(at now: Instant) {
    guard let took = ends(at: now) else { return }
    needed = hasFound ? max(needed, took) : took
    hasFound = true
    failures = 0
    denials = 0
  }

  /// The search was given up.
  mutating func failed(isDenied: Bool, at now: Instant) {
    guard let took = ends(at: now) else { return }
    if took >= needed { needed = 0 }
    if isDenied {
      denials = (denials + 1) % Bounds.deniedCycle
    } else {
      denials = 0
      failures = min(failures + 1, Bounds.searchDoublings)
    }
  }

  /// A search, if one is going on, ends without a result.
  mutating func abandoned(at now: Instant) { _ = ends(at: now) }

  /// Returns how long the search took; `nil`: none was going on.
  private mutating func ends(at now: Instant) -> Milliseconds? {
    guard let began else { return nil }
    self.began = nil
    let took = now - began
    budget = max(0, remaining(at: now) - max(0, took - Bounds.searchLimit))
    budgetAt = now
    return took
  }
}

/// The name of a network's operator, as the modem writes it: `Movistar`, or `21407`. Printable
/// ASCII; empty: unknown.
///
/// 3GPP TS 27.007 §7.3 allows 16 characters, and 5 or 6 digits for a number; some modems write
/// longer names, which are cut.
public typealias OperatorName = InlineText<24>

extension ModemLineBuffer {
  /// The operator in `+COPS: 0,0,"Movistar",7`, with or without quotation marks. Without a network
  /// the line is `+COPS: 0`.
  var operatorName: OperatorName {
    var name = OperatorName()
    guard let format = firstComma(after: 6), let comma = firstComma(after: format + 1) else {
      return name
    }
    var index = comma + 1
    while self[index] == 0x20 { index += 1 }
    let isQuoted = self[index] == 0x22
    if isQuoted { index += 1 }
    let start = index
    var isHexadecimal = true
    while index < count && self[index] != (isQuoted ? 0x22 : 0x2C) {
      name.append(self[index])
      if !self[index].isHexadecimal { isHexadecimal = false }
      index += 1
    }
    // UCS2 in hexadecimal digits, if somebody has set the modem so (AT+CSCS, §5.5): nothing that a
    // person could read.
    let length = index - start
    return isHexadecimal && length >= 8 && length % 4 == 0 ? OperatorName() : name
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool {
    isDigit || (self | 0x20) >= 0x61 && (self | 0x20) <= 0x66
  }
}
