/// The connection to the server: through a modem, or a bearer without one.
struct Link: Sendable, Equatable {
  /// `nil`: there is a wired bearer instead. Beside that one there is a modem only as long as one
  /// that was left on is being switched off.
  var modem: Modem?
  private var wire = WiredBearer.down

  init(
    _ board: ModemBoard, _ configuration: Configuration, _ identity: Identity, at now: Instant
  ) {
    guard configuration.bearer != .none || identity.hasLeftModem else { return }
    // A machine is halted only once its modem is off.
    let memory = identity.memory
    modem = Modem(
      board, configuration, simPIN: identity.simPIN,
      mayBeOn: identity.hasLeftModem || memory.session != nil && memory.sleep == nil, at: now)
  }

  /// Whether the bearer is not the modem's.
  private var isWired: Bool { (modem?.bearer ?? Bearer.none) == .none }

  var phase: ModemPhase { isWired ? wire.phase : modem?.phase ?? .off }
  var isReady: Bool { isWired ? wire.isUp : modem?.isReady ?? false }

  /// Why nothing can be sent over it; `nil` when it can.
  func reason(at now: Instant) -> Reason? {
    isWired ? wire.reason : modem?.reason(at: now)
  }

  /// What is asked after each input.
  struct Outlook {
    var phase: ModemPhase
    var reason: Reason?
    /// The next instant at which it wants to act.
    var deadline: Instant?
    /// When the modem can be connected, if it is off.
    var connectableAt: Instant?
  }

  /// Mutating although it only looks, and one question for all: each question alone would copy the
  /// modem.
  @inline(never)
  mutating func outlook(at now: Instant) -> Outlook {
    if !isWired, let outlook = modem?.outlook(at: now) { return outlook }
    if modem?.isDoneWith ?? false { modem = nil }
    return Outlook(phase: wire.phase, reason: wire.reason, deadline: modem?.deadline)
  }

  mutating func changed(
    isUp: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if isWired { return wire.changed(isUp: isUp) }
    modem?.linkChanged(isUp: isUp, at: now, into: &sink)
  }

  mutating func setInUse(_ isInUse: Bool) {
    if isWired { wire.setInUse(isInUse) } else { modem?.setInUse(isInUse) }
  }
}

/// A bearer that the tracker does not control: Wi-Fi or Ethernet.
enum WiredBearer: Sendable, Equatable {
  case down
  case up
  case inUse

  var isUp: Bool { self != .down }
  var reason: Reason? { isUp ? nil : .noBearer }

  var phase: ModemPhase {
    switch self {
    case .down: .off
    case .up: .attached
    case .inUse: .inUse
    }
  }

  mutating func changed(isUp: Bool) {
    switch self {
    case .down where isUp: self = .up
    case .up where !isUp, .inUse where !isUp: self = .down
    case .down, .up, .inUse: return
    }
  }

  mutating func setInUse(_ isInUse: Bool) {
    switch self {
    case .up where isInUse: self = .inUse
    case .inUse where !isInUse: self = .up
    case .down, .up, .inUse: return
    }
  }
}

/// The shortest time between two connections to the network. Carriers may ban a SIM that reconnects
/// more often.
struct ReconnectFloor: Sendable, Equatable {
  var interval: Milliseconds
  /// When the network was last joined, or may have been.
  private var lastJoin: Instant? { didSet { isRemembered = false } }
  /// It was joined before the tracker started.
  private var isRemembered = false
  /// Whether the modem has answered since it was last switched on for a contact, so that it may
  /// have been in the network.
  private(set) var hasAnswered = false
  /// During an emergency nothing waits for it. What is joined then counts when it is over.
  var isSuspended = false

  init(interval: Milliseconds) { self.interval = interval }

  /// Earliest instant at which the network may be joined again.
  var end: Instant { isSuspended ? .start : lastJoin.map { $0 + interval } ?? .start }

  /// A contact begins.
  mutating func join(at now: Instant) {
    lastJoin = now
    hasAnswered = false
  }

  /// The network was joined before the tracker started. What was joined since then counts.
  mutating func resume(until end: Instant) {
    guard lastJoin == nil || isRemembered else { return }
    (lastJoin, isRemembered) = (end - interval, true)
  }

  /// A person takes the responsibility for joining earlier, once.
  mutating func waive() { lastJoin = nil }

  mutating func answered() { hasAnswered = true }

  /// The modem is switched on again. If it was in the network it joins it again; if not, it joins
  /// it now.
  ///
  /// - Parameter joins: it is switched on for the network.
  mutating func restart(joins: Bool, at now: Instant) {
    if hasAnswered || joins { lastJoin = now }
    hasAnswered = false
  }

  /// Its radio is switched on again.
  mutating func rejoin(at now: Instant) { lastJoin = now }
}

/// One short message with the freshest position when nothing else gets through.
///
/// The organiser has to enable it: a message costs money, and tells whoever holds the telephone
/// where a team is.
///
/// An emergency sends one at once, another every few minutes until a server has it, and one when it
/// is over. A person can answer by such a message: until somebody has, those that came in are read
/// every minute in which the modem is in the network, and then at times, as the end may come so,
/// too. Those that were there before the first one went out answer something else, so they are read
/// before it.
struct LastResort: Sendable, Equatable {
  private enum Emergency: Sendable, Equatable {
    case none
    /// No server has it.
    case unheard
    case heard
    case over
  }

  /// What is done by short messages.
  enum Errand: Sendable, Equatable {
    case send(RequestID)
    case read(RequestID)
  }

  private enum Reading: Sendable, Equatable {
    case none
    /// What is there before the first message goes out.
    case old
    case answers
    /// An answer was found: once more, so that it is deleted.
    case last
    /// A server has told of a reader: what a telephone has answered beside that is deleted.
    case rest
    /// Where a person has answered by a message, that it is over comes by one, too.
    case end
  }

  /// Time without a delivery; `nil`: never.
  private let after: Milliseconds?
  private let hasNumber: Bool
  private var emergency = Emergency.none
  /// One more message is to be sent for it, whatever has become of it.
  private var isOwed = false
  /// Whoever holds the telephone knows of it.
  private var isTold = false
  private var reading = Reading.none
  private var readAt = Instant.start
  /// Messages are being read, not sent.
  private(set) var isReading = false
  /// The earliest next message; postponed by each delivery and each message.
  private var notBefore: Instant
  /// A contact has been asked for.
  private var hasCalled = false
  private var lastID: UInt32 = 0

  init(after: Milliseconds?, hasNumber: Bool = true, at now: Instant) {
    self.after = hasNumber ? after : nil
    self.hasNumber = hasNumber
    notBefore = now + (after ?? 0)
  }

  /// There may be messages to send or to read for an emergency.
  var isCalling: Bool { isUrgent || reading != .none }
  var isUrgent: Bool { emergency == .unheard || isOwed }

  /// An emergency was raised.
  mutating func emergencyRaised(at now: Instant) {
    guard hasNumber else { return }
    (emergency, isOwed, isTold) = (.unheard, true, false)
    (reading, readAt) = (.old, now)
    postpone(until: now)
  }

  /// One goes on that stood before the start of the tracker. Its first message goes out before any
  /// data does, so whoever holds the telephone is taken to know of it: what had come in may answer
  /// it, and they hear that it is over.
  ///
  /// - Parameter isDated: without a date what answers an earlier one cannot be told apart.
  mutating func emergencyResumed(
    _ stage: EmergencyRecord.Stage, isDated: Bool, at now: Instant
  ) {
    emergencyRaised(at: now)
    guard hasNumber else { return }
    isTold = true
    switch stage {
    case .raised, .stored: if isDated { reading = .answers }
    case .delivered: (emergency, isOwed, reading) = (.heard, false, .answers)
    case .read: (emergency, isOwed, reading) = (.heard, false, .end)
    case .withdrawn, .ended: emergencyOver(at: now)
    }
    if emergency == .heard { postpone(until: now + (after ?? 0)) }
  }

  /// A server has it.
  mutating func emergencyHeard(at now: Instant) {
    guard emergency == .unheard else { return }
    emergency = .heard
    if !isOwed { postpone(until: now + (after ?? 0)) }
  }

  /// A person has read it. An answer by message may be on its way, too: it is deleted, so that it
  /// does not answer the next emergency.
  mutating func emergencyRead(at now: Instant) {
    if reading != .last { reading = isTold && reading == .answers ? .rest : .none }
    emergencyHeard(at: now)
  }

  mutating func emergencyOver(at now: Instant) {
    if reading != .last { reading = .none }
    guard emergency == .unheard || emergency == .heard else { return }
    (emergency, isOwed) = (.over, isTold)
    postpone(until: isOwed ? now : now + (after ?? 0))
  }

  /// A server has acknowledged something.
  mutating func delivered(at now: Instant) {
    if let after, !isUrgent { postpone(until: now + after) }
  }

  private mutating func postpone(until instant: Instant) {
    notBefore = instant
    hasCalled = false
  }

  /// When it asks for a contact.
  var deadline: Instant? { isEver && !hasCalled ? notBefore : nil }

  private var isEver: Bool { after != nil || isUrgent }

  /// Whether a contact is needed now to send a message; said once for each message.
  mutating func callsForContact(at now: Instant) -> Bool {
    guard let deadline, now >= deadline else { return false }
    hasCalled = true
    return true
  }

  func isUrgentAndDue(at now: Instant) -> Bool { isUrgent && now >= notBefore }

  func isDue(at now: Instant) -> Bool { isEver && now >= notBefore }

  func isReadingDue(at now: Instant) -> Bool {
    guard now >= readAt else { return false }
    switch reading {
    case .none: return false
    case .old: return isTold || isUrgentAndDue(at: now)
    // Who has not been asked does not answer.
    case .answers, .rest, .end: return isTold
    case .last: return true
    }
  }

  /// What is due now, if anything.
  mutating func begin(at now: Instant) -> Errand? {
    isReading = isReadingDue(at: now)
    guard isReading || isDue(at: now) else { return nil }
    lastID &+= 1
    return isReading ? .read(RequestID(lastID)) : .send(RequestID(lastID))
  }

  /// The same of an emergency's.
  mutating func beginUrgent(at now: Instant) -> Errand? {
    isUrgentAndDue(at: now) || isReadingDue(at: now) ? begin(at: now) : nil
  }

  /// The messages that came in were read. Returns whether what they say of it counts.
  mutating func texted(_ outcome: TextsOutcome) -> Bool {
    switch (reading, outcome) {
    case (_, .failed), (.none, _), (.answers, .nothing), (.end, .nothing), (.end, .answered):
      return false
    case (.old, _):
      reading = .answers
      return false
    case (.rest, .nothing), (.rest, .answered):
      reading = .none
      return false
    case (.last, .nothing), (.last, .answered):
      reading = emergency == .over ? .none : .end
      return false
    case (.answers, .answered), (.answers, .ended), (.last, .ended), (.rest, .ended),
      (.end, .ended):
      reading = .last
      return true
    }
  }

  /// A message that was not sent is retried, but not with every contact.
  mutating func ended(wasSent: Bool, at now: Instant) {
    if isReading {
      isReading = false
      switch reading {
      case .last: readAt = now
      case .end: readAt = now + Bounds.endTexts
      case .none, .old, .answers, .rest: readAt = now + Bounds.answerTexts
      }
      return
    }
    if isUrgent {
      guard wasSent else {
        let retry = emergency == .unheard ? Bounds.emergencyTextRetry : Bounds.textRetry
        return postpone(until: now + retry)
      }
      (isOwed, isTold) = (false, emergency != .over)
      if emergency == .unheard { return postpone(until: now + Bounds.emergencyText) }
    }
    guard let after else { return }
    postpone(until: now + (wasSent ? after : min(after, Bounds.textRetry)))
  }
}
