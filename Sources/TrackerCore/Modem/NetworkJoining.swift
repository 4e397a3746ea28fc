/// Joins the network with a modem that is on for a contact.
struct NetworkJoining: Sendable, Equatable {
  enum State: Sendable, Equatable {
    case checkingSIM(askAt: Instant, giveUpAt: Instant)
    case searching(NetworkSearch)
    /// Registered; the bearer has been requested.
    case registered(giveUpAt: Instant)
    /// Bearer up.
    case attached
    case inUse
    /// A short message is being sent, or those that came in are being read; the host is talking to
    /// the modem.
    case texting(RequestID, giveUpAt: Instant, then: Sequel)
    /// The radio is switched off and on again.
    case cyclingRadio(giveUpAt: Instant)
  }

  /// What follows a short message.
  enum Sequel: Sendable, Equatable {
    case stop
    case attach
    case search
  }

  private(set) var state: State
  private let bearer: Bearer

  init(_ bearer: Bearer, at now: Instant) {
    self.bearer = bearer
    state = .checkingSIM(askAt: now, giveUpAt: now + Bounds.simLimit)
  }

  // MARK: Questions

  var phase: ModemPhase {
    switch state {
    case .checkingSIM: .checkingSIM
    case .searching, .cyclingRadio: .searching
    case .registered, .texting: .registered
    case .attached: .attached
    case .inUse: .inUse
    }
  }

  /// Whether requests can be sent.
  var isReady: Bool { state == .attached || state == .inUse }

  var isCheckingSIM: Bool { if case .checkingSIM = state { true } else { false } }
  var isCyclingRadio: Bool { if case .cyclingRadio = state { true } else { false } }

  /// Registered or beyond: the bearer may be up or coming up.
  var isInNetwork: Bool {
    switch state {
    case .registered, .attached, .inUse, .texting: true
    case .checkingSIM, .searching, .cyclingRadio: false
    }
  }

  /// Whether the host has been told to open a bearer and not yet to close it.
  var hasLink: Bool { isInNetwork && bearer == .interface }

  /// Whether the host is talking to the modem, so that its lines may be anything.
  var isHostSpeaking: Bool {
    switch state {
    case .texting: true
    case .inUse: bearer == .modem
    case .checkingSIM, .searching, .registered, .attached, .cyclingRadio: false
    }
  }

  /// The next instant at which it has to act.
  ///
  /// - Parameters:
  ///   - isIdle: no command is in flight.
  ///   - slack: how much longer it may take until the SIM is ready.
  func deadline(isIdle: Bool, slack: Milliseconds) -> Instant? {
    switch state {
    case .checkingSIM(let askAt, let giveUpAt):
      isIdle ? min(askAt, giveUpAt + slack) : giveUpAt + slack
    case .searching(let search): isIdle ? min(search.askAt, search.giveUpAt) : search.giveUpAt
    case .registered(let giveUpAt), .texting(_, let giveUpAt, _), .cyclingRadio(let giveUpAt):
      giveUpAt
    case .attached, .inUse: nil
    }
  }

  /// Whether the time limit of the current state has passed.
  func isOver(at now: Instant, slack: Milliseconds) -> Bool {
    deadline(isIdle: false, slack: slack).map { now >= $0 } ?? false
  }

  // MARK: SIM and search

  mutating func checkSIM(at now: Instant) {
    state = .checkingSIM(askAt: now, giveUpAt: now + Bounds.simLimit)
  }

  mutating func search(_ search: NetworkSearch) { state = .searching(search) }

  /// The question that belongs to the state, when it is due.
  mutating func nextQuestion(at now: Instant) -> ModemCommand? {
    switch state {
    case .checkingSIM(let askAt, let giveUpAt) where now >= askAt:
      state = .checkingSIM(askAt: now + Bounds.pollInterval, giveUpAt: giveUpAt)
      return .simStatus
    case .searching(var search) where now >= search.askAt:
      defer { state = .searching(search) }
      return search.nextQuestion(at: now)
    case .checkingSIM, .searching, .registered, .attached, .inUse, .texting, .cyclingRadio:
      return nil
    }
  }

  /// Sets the instant of the next question.
  mutating func ask(at askAt: Instant) {
    switch state {
    case .checkingSIM(_, let giveUpAt): state = .checkingSIM(askAt: askAt, giveUpAt: giveUpAt)
    case .searching(var search):
      search.askAt = askAt
      state = .searching(search)
    case .registered, .attached, .inUse, .texting, .cyclingRadio: return
    }
  }

  mutating func hear(_ registration: Registration, _ domain: NetworkDomain) {
    guard case .searching(var search) = state else { return }
    search.hear(registration, domain)
    state = .searching(search)
  }

  /// A question about the registration was answered. Returns what the network permits; `nil` while
  /// that is not known, and unless searching.
  mutating func registrationAnswered(
    isRefused: Bool, at now: Instant
  ) -> NetworkSearch.Coverage? {
    guard case .searching(var search) = state else { return nil }
    let coverage = search.answered(isRefused: isRefused, at: now)
    state = coverage == .data ? .registered(giveUpAt: now + Bounds.linkLimit) : .searching(search)
    return coverage
  }

  // MARK: Bearer

  /// What a change of the host's bearer means.
  enum LinkChange: Sendable, Equatable {
    case nothing
    case changed
    /// The modem has to search for a network again.
    case lost
  }

  /// The host's bearer has come up or gone.
  mutating func linkChanged(isUp: Bool) -> LinkChange {
    switch state {
    case .registered where isUp && bearer == .interface: state = .attached
    case .attached where !isUp, .inUse where !isUp: return .lost
    case .texting(let id, let giveUpAt, .attach) where !isUp:
      state = .texting(id, giveUpAt: giveUpAt, then: .search)
    case .checkingSIM, .searching, .registered, .attached, .inUse, .texting, .cyclingRadio:
      return .nothing
    }
    return .changed
  }

  /// The line is free: that is all that the modem's own HTTP needs.
  mutating func lineIsFree() {
    if case .registered = state, bearer == .modem { state = .attached }
  }

  /// Returns whether the host has been talking to the modem until now.
  mutating func setInUse(_ isInUse: Bool) -> Bool {
    switch state {
    case .attached where isInUse: state = .inUse
    case .inUse where !isInUse:
      state = .attached
      return bearer == .modem
    case .checkingSIM, .searching, .registered, .attached, .inUse, .texting, .cyclingRadio: break
    }
    return false
  }

  /// Registered, but without a bearer: restarts the radio.
  mutating func cycleRadio(at now: Instant) {
    state = .cyclingRadio(giveUpAt: now + Bounds.radioLimit + Bounds.radioLimit)
  }

  // MARK: Short messages

  mutating func text(
    _ id: RequestID, within limit: Milliseconds, then sequel: Sequel, at now: Instant
  ) {
    state = .texting(id, giveUpAt: now + limit, then: sequel)
  }

  func isTexting(_ id: RequestID) -> Bool {
    if case .texting(let open, _, _) = state { open == id } else { false }
  }

  /// The host has reported on a message. Returns what follows; `nil`: it is not the current
  /// message.
  mutating func textFinished(_ id: RequestID) -> Sequel? {
    guard case .texting(let open, _, let sequel) = state, open == id else { return nil }
    if sequel == .attach { state = .attached }
    return sequel
  }

  /// No longer needed. Returns whether it can be stopped now: a message is finished first.
  mutating func release() -> Bool {
    guard case .texting(let id, let giveUpAt, _) = state else { return true }
    state = .texting(id, giveUpAt: giveUpAt, then: .stop)
    return false
  }
}
