/// A call for help, from when somebody raises it until a person says that it is over.
///
/// It is remembered, so that neither a restart nor a power cut ends it.
public struct EmergencyRecord: Sendable, Equatable {
  /// What has become of it.
  public enum Stage: UInt8, Sendable, Equatable {
    /// None of its captures is on disk.
    case raised
    /// One is.
    case stored
    /// A server has acknowledged one.
    case delivered
    /// A person has read it.
    case read
    /// The team has withdrawn it, and nobody has confirmed that.
    case withdrawn
    /// A person has ended it.
    case ended
  }

  public var stage: Stage
  public var raised: Moment
  public var origin: Origin
  /// The lowest sequence number that a capture of it can have. An answer that refers to an earlier
  /// capture is to another emergency.
  public var firstSequence: UInt32
  /// Who has read or ended it, and when; empty: nobody.
  public var person: InlineText<40>
  public var answered: UTC?

  public init(
    stage: Stage = .raised, raised: Moment, origin: Origin, firstSequence: UInt32,
    person: InlineText<40> = InlineText(), answered: UTC? = nil
  ) {
    self.stage = stage
    self.raised = raised
    self.origin = origin
    self.firstSequence = firstSequence
    self.person = person
    self.answered = answered
  }

  /// Whether the team still wants help.
  public var isStanding: Bool { stage < .withdrawn }

  /// Which stage (across) can follow which (down). Raised again it is another one.
  static let table = TransitionTable(
    """
                 rai sto del rea wit end
    raised         .   x   .   x   x   .
    stored         .   .   x   x   x   x
    delivered      .   .   .   x   x   x
    read           .   .   .   .   x   x
    withdrawn      .   .   .   .   .   x
    ended          .   .   .   .   .   .
    """, states: 6)
}

extension EmergencyRecord.Stage: Comparable {
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// Its name, the same in every format and in the store.
  public var name: StaticString {
    switch self {
    case .raised: "raised"
    case .stored: "stored"
    case .delivered: "delivered"
    case .read: "read"
    case .withdrawn: "withdrawn"
    case .ended: "ended"
    }
  }
}

/// What a person has answered to an emergency.
public struct EmergencyAnswer: Sendable, Equatable {
  public enum Kind: UInt8, Sendable, Equatable {
    case read
    case ended
  }

  public var kind: Kind
  /// The sequence number of the newest capture of the emergency that the person could see.
  public var sequence: UInt32
  public var by: InlineText<40>
  public var at: UTC

  public init(kind: Kind, sequence: UInt32, by: InlineText<40>, at: UTC) {
    self.kind = kind
    self.sequence = sequence
    self.by = by
    self.at = at
  }
}

/// What an emergency still has to do. Made anew at each start of the tracker.
struct EmergencyWatch: Sendable, Equatable {
  /// When its next capture is due; `nil`: none is.
  private(set) var captureDue: Instant?
  /// Its last capture was of an old fix, or of none: the next fresh one makes another at once.
  private(set) var wantsFreshFix = false
  /// One of its captures was taken, so that what is stored next is of it.
  var hasCapture = false
  /// The capture that ends the emergency before it is to be taken first.
  private(set) var owesOver = false
  /// It is over, and the capture that says so is on disk, since this start.
  var isOverStored = false
  /// The newest capture in the queue is of it.
  var isNewest = false
  /// An upload in flight has that capture.
  var isInFlight = false
  /// The capture that says that it is over has not been delivered.
  var isClosing = false
  /// The last answer by text message whose stamp is older than the emergency, and when it was read.
  private var oldStamp: UTC?
  private var oldStampRead = Instant.start

  /// - Parameter isAnother: it follows another one. If that one's end may not be on disk it is told
  ///   first: else both would be one.
  mutating func begin(isAnother: Bool, at now: Instant) {
    let owes = isAnother && !isOverStored
    self = EmergencyWatch()
    captureDue = now
    owesOver = owes
  }

  mutating func close(at now: Instant) {
    self = EmergencyWatch()
    captureDue = now
    isClosing = true
  }

  /// The capture that ends the emergency before this one is being taken.
  mutating func paidOver() { owesOver = false }

  /// Whether an answer by text message can be one to an emergency: what the network has held back
  /// since before it is none. A centre whose clock is late must not hide who answers: of several
  /// answers that come as far apart as they were sent the second one counts.
  mutating func isTimely(_ sent: UTC?, raised: UTC?, at now: Instant) -> Bool {
    guard let sent, let raised, sent < raised + (0 - Bounds.answerSlack) else { return true }
    if let oldStamp {
      let apart = now - oldStampRead
      let error = sent - oldStamp - apart
      if apart >= Bounds.stampsApart, max(error, 0 - error) <= Bounds.stampError { return true }
    }
    (oldStamp, oldStampRead) = (sent, now)
    return false
  }

  /// A capture of it was taken.
  ///
  /// - Parameter interval: until the next; `nil`: it was the last one.
  mutating func taken(isFresh: Bool, interval: Milliseconds?, at now: Instant) {
    captureDue = interval.map { now + $0 }
    wantsFreshFix = interval != nil && !isFresh
  }

  func isDue(isFresh: Bool, at now: Instant) -> Bool {
    guard let captureDue else { return false }
    return now >= captureDue || wantsFreshFix && isFresh
  }
}

// Raises emergencies, takes their captures, and hears what became of them.
extension Tracker {
  /// Whether a team wants help, or that it does not any more has not been delivered: then neither
  /// the battery's reserve nor the reconnect floor counts.
  public var isEmergency: Bool {
    (identity.memory.emergency?.isStanding ?? false) || emergency.isClosing
  }

  // None of these is inlined: their stack would otherwise be in use during all that a tracker does.

  /// Raised while one stands it is the same one.
  @inline(never)
  mutating func raiseEmergency(
    from origin: Origin, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard configuration.emergency, !(identity.memory.emergency?.isStanding ?? false) else { return }
    let isAnother = identity.memory.emergency != nil
    // The one that is being stored belongs to what was before, unless it has failed.
    let isNext = session.isStoringNothing || session.claimFailed(at: now)
    let first = isNext ? session.nextSequence : session.nextSequence &+ 1
    identity.memory.emergency = EmergencyRecord(
      raised: clock.moment(at: now), origin: origin, firstSequence: first)
    keepEmergency(into: &sink)
    emergency.begin(isAnother: isAnother, at: now)
    resumeEmergency(at: now, into: &sink)
  }

  /// The team no longer needs help. A person has to confirm that.
  @inline(never)
  mutating func withdrawEmergency(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard identity.memory.emergency?.isStanding ?? false else { return }
    advanceEmergency(to: .withdrawn, into: &sink)
    emergency.close(at: now)
    link.modem?.lastResort.emergencyOver(at: now)
  }

  /// A button was held: raises an emergency, or withdraws the one that stands.
  mutating func toggleEmergency(
    from origin: Origin, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if identity.memory.emergency?.isStanding ?? false {
      withdrawEmergency(at: now, into: &sink)
    } else {
      raiseEmergency(from: origin, at: now, into: &sink)
    }
  }

  /// Goes on with the emergency that stood before the start of the tracker.
  mutating func resumeEmergency(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard let record = identity.memory.emergency, record.stage < .ended else { return }
    if emergency.captureDue == nil {
      if record.isStanding {
        emergency.begin(isAnother: false, at: now)
      } else {
        emergency.close(at: now)
      }
      // What waits is of it: all captures are while it stands.
      emergency.isNewest = record.stage == .stored && pending > 0
      link.modem?.lastResort.emergencyResumed(
        record.stage, isDated: record.raised.utc != nil, at: now)
    } else {
      link.modem?.lastResort.emergencyRaised(at: now)
    }
    guard record.isStanding else { return }
    watch.wake(at: now, into: &sink)
    uploader.beginNow(at: now)
  }

  private mutating func advanceEmergency(
    to stage: EmergencyRecord.Stage, into sink: inout some EffectSink & ~Copyable
  ) {
    guard let record = identity.memory.emergency,
      EmergencyRecord.table.allows(from: record.stage.rawValue, to: stage.rawValue)
    else { return }
    identity.memory.emergency?.stage = stage
    keepEmergency(into: &sink)
  }

  /// Remembers it before anything shows it.
  private mutating func keepEmergency(into sink: inout some EffectSink & ~Copyable) {
    isMemoryDue = false
    sink.remember(identity.memory)
    if let record = identity.memory.emergency { sink.note(.emergency(record.stage)) }
  }

  // MARK: Its captures

  /// Takes its next capture if that is due: of the present fix, or else of the last one, with the
  /// time of that, or without a position. No filter of ordinary captures applies.
  @inline(never)
  mutating func considerEmergency(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if identity.memory.emergency?.isStanding ?? false, session.claimFailed(at: now) {
      emergency.hasCapture = true
      retryStore(at: now, into: &sink)
    }
    guard session.isStoringNothing else { return }
    if emergency.isClosing, emergency.captureDue == nil, pending == 0 {
      emergency.isClosing = false
    }
    let isFresh = filter.last?.isFresh(at: now) ?? false
    guard emergency.isDue(isFresh: isFresh, at: now), let record = identity.memory.emergency else {
      return
    }
    if emergency.owesOver {
      emergency.paidOver()
      return takeEmergency(.emergencyOver, at: now, into: &sink)
    }
    emergency.taken(
      isFresh: isFresh, interval: record.isStanding ? configuration.emergencyInterval : nil,
      at: now)
    takeEmergency(record.isStanding ? .emergency : .emergencyOver, at: now, into: &sink)
  }

  /// Where no position is known the capture has none: whoever helps has to hear of it all the same.
  private mutating func takeEmergency(
    _ trigger: Trigger, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if let fix = filter.last { return take(fix, trigger, into: &sink) }
    var capture = Capture(
      sequence: session.nextSequence, utc: clock.moment(at: now).utc,
      isTimeTrusted: clock.isTrusted, position: nil, team: identity.teamInForce, trigger: trigger)
    capture.batteryPercent = gauge.percent
    capture.batteryMillivolts = gauge.millivolts
    emergency.hasCapture = true
    session.store(capture, of: nil)
    sink.store(capture)
  }

  /// When its next capture is due.
  var emergencyDeadline: Instant? { session.isStoringNothing ? emergency.captureDue : nil }

  /// A capture was stored: one of an emergency is sent at once, whatever else waits.
  @inline(never)
  mutating func emergencyStored(
    isOfIt: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    emergency.isNewest = isOfIt && emergency.hasCapture
    guard isOfIt else { return }
    if identity.memory.emergency?.stage == .raised, emergency.hasCapture {
      advanceEmergency(to: .stored, into: &sink)
    }
    emergency.isOverStored = emergency.isClosing
    uploader.hasUrgent = true
    uploader.sendNow(at: now)
    uploader.waiveReserve()
    guard emergency.isClosing, !session.isRunning, board.receiver.canSleep else { return }
    watch.sleep(until: nil, into: &sink)
  }

  // MARK: What becomes of it

  /// An upload has ended.
  @inline(never)
  mutating func emergencyUploaded(
    _ outcome: UploadOutcome, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let hadNewest = emergency.isInFlight
    emergency.isInFlight = false
    guard case .answered(let acknowledged, refused: 0, _, _) = outcome else {
      // It may be among those of which nobody knows.
      if uploader.held > 0 { emergency.isNewest = false }
      return
    }
    guard acknowledged > 0, hadNewest || emergency.isNewest && uploader.pending == 0 else { return }
    emergencyReached(at: now, into: &sink)
  }

  /// The server was asked about captures whose delivery was uncertain.
  @inline(never)
  mutating func emergencyReconciled(
    _ outcome: ReconcileOutcome, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard case .settled(let confirmed) = outcome, confirmed > 0, emergency.isNewest,
      uploader.pending == 0
    else { return }
    emergencyReached(at: now, into: &sink)
  }

  /// A server has its newest capture.
  private mutating func emergencyReached(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    emergency.isClosing = false
    guard identity.memory.emergency?.isStanding ?? false else { return }
    advanceEmergency(to: .delivered, into: &sink)
    link.modem?.lastResort.emergencyHeard(at: now)
  }

  /// The server was asked whether a person has answered.
  @inline(never)
  mutating func emergencyAnswered(
    _ answer: EmergencyAnswer, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard let record = identity.memory.emergency, answer.sequence >= record.firstSequence else {
      return
    }
    // Sequence numbers begin anew on another board with the same code: what was answered to the
    // one before it is no answer to this emergency.
    if let raised = record.raised.utc, answer.at < raised + (0 - Bounds.answerSlack) { return }
    guard answer.kind == .read else {
      return end(by: answer.by, on: answer.at, at: now, into: &sink)
    }
    guard told(.read, by: answer.by, on: answer.at, into: &sink) else { return }
    link.modem?.lastResort.emergencyRead(at: now)
  }

  /// The text messages that came in were read: only a person at the configured number can have
  /// answered in them.
  @inline(never)
  mutating func textsRead(
    _ id: RequestID, _ outcome: TextsOutcome, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    var outcome = outcome
    if case .answered(_, let sent) = outcome,
      !emergency.isTimely(sent, raised: identity.memory.emergency?.raised.utc, at: now)
    {
      outcome = .nothing
    }
    guard link.modem?.textsRead(id, outcome, at: now, into: &sink) ?? false else { return }
    let date = clock.moment(at: now).utc
    switch outcome {
    case .answered(let person, _):
      _ = told(.read, by: person, on: date, into: &sink)
      link.modem?.lastResort.emergencyRead(at: now)
    case .ended(let person): end(by: person, on: date, at: now, into: &sink)
    case .nothing, .failed: return
    }
  }

  /// A person has ended it.
  private mutating func end(
    by person: InlineText<40>, on date: UTC?, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    let isStanding = identity.memory.emergency?.isStanding ?? false
    guard told(.ended, by: person, on: date, into: &sink) else { return }
    // What was withdrawn has had its last capture.
    if isStanding { emergency.close(at: now) }
    link.modem?.lastResort.emergencyOver(at: now)
  }

  /// A person has read or ended it. Returns whether that is news.
  private mutating func told(
    _ stage: EmergencyRecord.Stage, by person: InlineText<40>, on date: UTC?,
    into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    guard let record = identity.memory.emergency,
      EmergencyRecord.table.allows(from: record.stage.rawValue, to: stage.rawValue)
    else { return false }
    identity.memory.emergency?.person = person
    identity.memory.emergency?.answered = date
    advanceEmergency(to: stage, into: &sink)
    return true
  }

  /// How often the server is asked what people have answered. Mutating although it only looks, as
  /// the tracker would be copied otherwise.
  ///
  /// - Parameter isAttached: the modem stays in the network between contacts.
  @inline(never)
  mutating func answerWish(isAttached: Bool, at now: Instant) -> AnswerWish {
    switch identity.memory.emergency?.stage {
    case nil, .ended:
      guard configuration.fetchesMessages else { return .none }
      if uploader.owes { return .withContacts }
      let mayAsk = uploader.mail.mayAsk(
        board, isAttached: isAttached, configuration.bearer, at: now)
      return mayAsk ? .withContacts : .none
    case .raised: return .none
    case .withdrawn: return .withContacts
    // While the disk takes none there is nothing to send, and no contact for that.
    case .stored, .read: return emergencyDeadline == nil ? .soon : .withContacts
    case .delivered: return .soon
    }
  }
}
