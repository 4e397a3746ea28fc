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
