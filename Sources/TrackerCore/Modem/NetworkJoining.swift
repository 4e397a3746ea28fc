/// The way into the network of a modem that is on for a contact.
struct NetworkJoining: Sendable, Equatable {
  enum State: Sendable, Equatable {
    case checkingSIM(askAt: Instant, giveUpAt: Instant)
    case searching(NetworkSearch)
    /// In the network, bearer asked for.
    case registered(giveUpAt: Instant)
    /// Bearer up.
    case attached
    case inUse
    /// A short message is on its way; the host speaks to the modem.
    case texting(RequestID, giveUpAt: Instant, then: Sequel)
    /// Radio off, and on again.
    case cyclingRadio(giveUpAt: Instant)
  }

  /// What comes after a short message.
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

  /// Registered, or further: the bearer may be up or coming.
  var isInNetwork: Bool {
    switch state {
    case .registered, .attached, .inUse, .texting: true
    case .checkingSIM, .searching, .cyclingRadio: false
    }
  }

  /// The host has been told to open a bearer, and not to close it.
  var hasLink: Bool { isInNetwork && bearer == .interface }

  /// The host speaks to the modem: its lines may hold anything.
  var isHostSpeaking: Bool {
    switch state {
    case .texting: true
    case .inUse: bearer == .modem
    case .checkingSIM, .searching, .registered, .attached, .cyclingRadio: false
    }
  }

  /// The next instant at which it wants to act. `isIdle`: nothing is being asked.
  func deadline(isIdle: Bool) -> Instant? {
    switch state {
    case .checkingSIM(let askAt, let giveUpAt): isIdle ? min(askAt, giveUpAt) : giveUpAt
    case .searching(let search): isIdle ? min(search.askAt, search.giveUpAt) : search.giveUpAt
    case .registered(let giveUpAt), .texting(_, let giveUpAt, _), .cyclingRadio(let giveUpAt):
      giveUpAt
    case .attached, .inUse: nil
    }
  }

  /// Whether the time for what it is doing is over.
  func isOver(at now: Instant) -> Bool { deadline(isIdle: false).map { now >= $0 } ?? false }

  // MARK: SIM and search

  mutating func checkSIM(at now: Instant) {
    state = .checkingSIM(askAt: now, giveUpAt: now + Bounds.simLimit)
  }

  mutating func search(at now: Instant) {
    state = .searching(NetworkSearch(at: now))
  }

  /// The state's own question, when it is time for it.
  mutating func nextQuestion(at now: Instant) -> ModemCommand? {
    switch state {
    case .checkingSIM(let askAt, let giveUpAt) where now >= askAt:
      state = .checkingSIM(askAt: now + Bounds.pollInterval, giveUpAt: giveUpAt)
      return .simStatus
    case .searching(var search) where now >= search.askAt:
      search.asked(at: now)
      state = .searching(search)
      return .registration
    case .checkingSIM, .searching, .registered, .attached, .inUse, .texting, .cyclingRadio:
      return nil
    }
  }

  /// Moves the next question to an instant.
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

  /// The question about the registration is answered. Returns what the network lets in; `nil` where
  /// nobody searches.
  mutating func registrationAnswered(at now: Instant) -> NetworkSearch.Coverage? {
    guard case .searching(var search) = state else { return nil }
    let coverage = search.judge()
    state = coverage == .data ? .registered(giveUpAt: now + Bounds.linkLimit) : .searching(search)
    return coverage
  }

  // MARK: Bearer

  /// The host's bearer has come up or gone. Returns whether that changes anything.
  mutating func linkChanged(isUp: Bool, at now: Instant) -> Bool {
    switch state {
    case .registered where isUp && bearer == .interface: state = .attached
    case .attached where !isUp, .inUse where !isUp: search(at: now)
    case .texting(let id, let giveUpAt, .attach) where !isUp:
      state = .texting(id, giveUpAt: giveUpAt, then: .search)
    case .checkingSIM, .searching, .registered, .attached, .inUse, .texting, .cyclingRadio:
      return false
    }
    return true
  }

  /// The line is free: requests that the modem sends by itself need no more than that.
  mutating func lineIsFree() {
    if case .registered = state, bearer == .modem { state = .attached }
  }

  /// Returns whether somebody else has been speaking to the modem.
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

  /// In the network, and no bearer: the radio starts anew.
  mutating func cycleRadio(at now: Instant) {
    state = .cyclingRadio(giveUpAt: now + Bounds.radioLimit + Bounds.radioLimit)
  }

  // MARK: Short messages

  mutating func text(_ id: RequestID, then sequel: Sequel, at now: Instant) {
    state = .texting(id, giveUpAt: now + Bounds.textLimit, then: sequel)
  }

  /// The host reports about a message. Returns what comes next; `nil`: it is not the one.
  mutating func textFinished(_ id: RequestID, at now: Instant) -> Sequel? {
    guard case .texting(let open, _, let sequel) = state, open == id else { return nil }
    switch sequel {
    case .stop: break
    case .attach: state = .attached
    case .search: search(at: now)
    }
    return sequel
  }

  /// Not wanted any more. Returns whether it can be stopped: a message is seen off first.
  mutating func release() -> Bool {
    guard case .texting(let id, let giveUpAt, _) = state else { return true }
    state = .texting(id, giveUpAt: giveUpAt, then: .stop)
    return false
  }
}
