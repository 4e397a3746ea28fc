/// One contact with the server, from requesting the modem to the end.
struct UploadContact: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Waits for the modem, then makes the next request.
    case connecting
    case sending(RequestID, Selection, giveUpAt: Instant)
    /// Asks the server which captures it has whose delivery is uncertain.
    case reconciling(RequestID, giveUpAt: Instant)
    /// Asks the server for what people have answered.
    case fetching(RequestID, giveUpAt: Instant)
    /// `keepsLink`: the wait is short enough for the modem to stay in the network.
    case backingOff(until: Instant, Reason, keepsLink: Bool)
  }

  var state = State.connecting
  /// Nothing has been sent yet: the freshest go first.
  var isFirst = true
  /// The last question about held captures was not answered: others are sent first.
  var asksLater = false
  /// The server was asked for what people have answered.
  var hasFetched = false
  /// Captures still to be sent, of those pending at its first request. Captures taken meanwhile
  /// wait for the next contact, or this one might never end.
  var remaining: UInt32 = 0
  var trial = UploadTrial()
  /// When the previous contact began, if it was one in the battery's reserve.
  var previousRareAt: Instant?

  /// When the request is given up, or the wait is over.
  var deadline: Instant? {
    switch state {
    case .connecting: nil
    case .sending(_, _, let until), .reconciling(_, let until), .fetching(_, let until),
      .backingOff(let until, _, _):
      until
    }
  }
}

/// The states of an uploader without their values.
enum UploadStep: UInt8, Sendable {
  /// No contact.
  case idle
  case connecting
  case sending
  case reconciling
  case backingOff
  case fetching

  init(_ state: UploadContact.State?) {
    switch state {
    case nil: self = .idle
    case .connecting: self = .connecting
    case .sending: self = .sending
    case .reconciling: self = .reconciling
    case .backingOff: self = .backingOff
    case .fetching: self = .fetching
    }
  }

  /// Which state (across) can follow which (down). A test compares it with the transitions taken,
  /// both ways. A contact that cannot get a network ends from any state.
  static let table = TransitionTable(
    """
                 idl con snd rec bko fet
    idle           .   x   .   .   .   .
    connecting     x   .   x   x   .   x
    sending        x   x   .   .   x   .
    reconciling    x   x   .   .   x   .
    backingOff     x   x   .   .   .   .
    fetching       x   x   .   .   .   .
    """, states: 6)
}

/// The state of the queue as last reported by the host.
struct UploadQueue: Sendable, Equatable {
  private(set) var pending: UInt32
  /// Pending captures that were sent, with an unknown outcome.
  private(set) var held: UInt32 = 0
  /// When the server may be asked about the first of the held captures.
  private(set) var askAt = Instant.start

  init(pending: UInt32) { self.pending = pending }

  /// What may be sent.
  var sendable: UInt32 { pending - min(pending, held) }

  func canAsk(at now: Instant) -> Bool { held > 0 && now >= askAt }

  mutating func take(_ counts: QueueCounts, at now: Instant) {
    pending = counts.pending
    held = counts.held
    askAt = now + counts.heldFor
  }

  /// Removes captures that are being set aside; the following `queueChanged` confirms it.
  mutating func remove(_ count: UInt32) { pending -= min(pending, count) }
}

/// Decides whether a refusal is due to a bad capture or a bad server.
///
/// One bad capture must not block the rest, and a server that refuses everything must not empty the
/// queue. So a capture is set aside only when the server accepts others: after an acceptance in the
/// same contact, it was either refused individually, or refused alone `Bounds.refusalsToSetAside`
/// times in a row. Each such decision uses up the acceptance. If there has been none, a capture
/// from the other end of the queue is sent first as a witness.
struct UploadTrial: Sendable, Equatable {
  private enum Evidence: Sendable, Equatable {
    case none
    /// The witness to send.
    case wanted(Selection)
    case sent
    /// The server has accepted a capture, and no decision has used that up.
    case accepted
  }

  private var evidence = Evidence.none
  /// The capture that was refused alone, and how often in a row.
  private var suspect = CaptureKey.none
  private var refusals: Int32 = 0

  var hasAccepted: Bool { evidence == .accepted }

  mutating func accepted() { evidence = .accepted }

  /// A decision has used up the acceptance.
  mutating func useUp() { evidence = .none }

  /// The witness to send now, if one is wanted.
  mutating func takeWitness() -> Selection? {
    guard case .wanted(let witness) = evidence else { return nil }
    evidence = .sent
    return witness
  }

  /// What is sent now does not wait for a witness.
  mutating func forgoWitness() {
    if case .wanted = evidence { evidence = .none }
  }

  /// Nothing has been accepted yet: another capture is to show whether the server accepts any.
  /// Returns `false` if the witness itself has been refused.
  mutating func callWitness(against refused: Selection) -> Bool {
    guard evidence != .sent else { return false }
    switch refused {
    case .freshest: evidence = .wanted(.oldest(limit: 1))
    case .oldest: evidence = .wanted(.freshest(limit: 1))
    }
    return true
  }

  /// A server that accepts others has refused this one alone. Returns whether to set it aside.
  mutating func refusedAlone(_ key: CaptureKey) -> Bool {
    refusals = key == suspect ? refusals + 1 : 1
    suspect = key
    guard refusals >= Bounds.refusalsToSetAside else { return false }
    self = UploadTrial()
    return true
  }
}

// What an uploader asks for, and what comes of it.
extension Uploader {
  /// The next request.
  enum Request: Equatable {
    case upload(RequestID, Selection)
    case reconcile(RequestID)
    case fetch(RequestID)
  }

  /// The result of a request, for the rest of the tracker.
  struct End: Equatable {
    /// The server has confirmed captures.
    var isDelivered = false
    /// No answer came.
    var isUnanswered = false
    /// What to set aside.
    var setAside: SetAside?

    init(_ outcome: UploadOutcome) {
      switch outcome {
      case .answered(let acknowledged, _, _, _): isDelivered = acknowledged > 0
      case .unreachable, .stalled, .ambiguous: isUnanswered = true
      case .refused, .unauthorised, .busy, .empty: break
      }
    }

    init(_ outcome: ReconcileOutcome) {
      switch outcome {
      case .settled(let confirmed): isDelivered = confirmed > 0
      case .failed(let status): isUnanswered = status == 0
      }
    }
  }
}

/// How often the server is asked for what people have answered.
enum AnswerWish: Sendable, Equatable {
  case none
  /// With each contact.
  case withContacts
  /// Also between them.
  case soon
}

/// How often the server is asked for messages while no emergency stands: as often as costs at most
/// `Bounds.questionPercent` of what the modem takes.
struct MailAccount: Sendable, Equatable {
  /// Since the last question, with the present one.
  private var contacts: Int64 = 0
  /// When the server was last asked; `nil`: never, and then the first contact asks.
  private var askedAt: Instant?
  /// What a question takes, by the last ones.
  private var length = Bounds.usualQuestion

  mutating func contactBegins() { contacts = min(contacts + 1, 10_000) }

  mutating func asked(at now: Instant) {
    askedAt = now
    contacts = 0
  }

  mutating func answered(at now: Instant) {
    guard let askedAt else { return }
    let taken = min(max(0, now - askedAt), Bounds.uploadLimit)
    length = Milliseconds((length.count + taken.count) / 2)
  }

  /// - Parameter isAttached: the modem stays in the network between contacts.
  func mayAsk(_ board: Board, isAttached: Bool, _ bearer: Bearer, at now: Instant) -> Bool {
    guard let askedAt, bearer != .none else { return true }
    let loads = board.loads
    func charge(_ microamps: Int32, _ time: Milliseconds) -> Int64 {
      Int64(max(0, microamps)) * time.count
    }
    let contact =
      isAttached
      ? charge(loads.modemTransmittingMicroamps, Bounds.attachedContact)
      : charge(loads.modemSearchingMicroamps, Bounds.usualContact)
    let rest = isAttached ? loads.modemIdleMicroamps : board.restingModemMicroamps(bearer)
    let between = charge(rest, min(max(0, now - askedAt), .hours(48)))
    return (contact * contacts + between) / 100 * Bounds.questionPercent
      >= charge(loads.modemTransmittingMicroamps, length)
  }
}
