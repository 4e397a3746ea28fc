/// Empties the queue: freshest first, then the rest from the oldest on.
///
/// A *contact* begins when a transmission is due and something can be sent or asked about; it ends
/// when nothing is left to do or there is no network. Failures within it lead to a backoff; the
/// batch size is halved at each failure that it may have caused, and doubled at each success.
///
/// Captures that a server may still apply, although their upload failed, are *held*: the host
/// reports how many and for how long. When that time is over, and the freshest others have been
/// sent, the server is asked about them; they are not sent again before.
struct Uploader: Sendable, Equatable {
  /// `nil`: there is none. `UploadStep` lists the transitions.
  var contact: UploadContact?
  /// When the next contact may begin.
  var due = Instant.start
  var queue: UploadQueue
  var batchLimit = Bounds.batchLimit
  /// Why the last contact failed; `nil` after a good one.
  var lastFailure: Reason?
  var failures: Int32 = 0
  /// In a row, 0...3.
  private(set) var failedContacts: Int32 = 0
  /// An upload had no answer: the server is asked about it before anything else is sent.
  var mustReconcile = false
  /// There was a wait since then: an answer shows that the server is back.
  var hasWaited = false
  private var lastID: UInt32 = 0
  /// When the last contact began, if it was one in the battery's reserve: the interval there counts
  /// from it. What was promised before the reserve began is kept.
  private var lastRareAt: Instant?
  /// An emergency: its captures are not kept waiting by anything else.
  var isUrgent = false
  /// A capture of it is on disk that no request has had.
  var hasUrgent = false
  /// Whether the server is asked for what people have answered.
  var answerWish = AnswerWish.none
  /// The server has a place for messages, as far as is known.
  var hasMessages = true
  /// There is something to tell with the next question, which so comes with the next contact.
  private(set) var owes = false
  private var lastFetch: Instant?
  /// In this contact the server was asked for an answer since it was asked what it has: that goes
  /// first. Else a call for help over a slow network would leave time for the one question only.
  private var asksNext = false
  private(set) var mail = MailAccount()
  var jitter: Jitter
  #if DEBUG
    /// For those who compare them with `UploadStep`.
    var taken = Transitions()
  #endif

  init(pending: UInt32, seed: UInt64) {
    queue = UploadQueue(pending: pending)
    jitter = Jitter(seed: seed)
  }

  // MARK: Questions

  /// What it is doing; `nil`: there is no contact.
  var state: UploadContact.State? { contact?.state }
  var step: UploadStep { UploadStep(state) }
  var pending: UInt32 { queue.pending }
  var held: UInt32 { queue.held }
  var isInContact: Bool { contact != nil }

  var isBackingOff: Bool { if case .backingOff = state { true } else { false } }

  /// A request is in flight.
  var isRequesting: Bool {
    switch state {
    case .sending, .reconciling, .fetching: true
    case nil, .connecting, .backingOff: false
    }
  }

  /// Not even the first request of this contact has been made.
  var hasTried: Bool { !(contact?.isFirst ?? false) }

  /// Whether the modem is needed now.
  var wantsModem: Bool {
    switch state {
    case nil: false
    case .connecting, .sending, .reconciling, .fetching: true
    case .backingOff(_, _, let keepsLink): keepsLink
    }
  }

  /// When the next contact has something to do; `nil`: nothing is pending.
  var contactDue: Instant? {
    var earliest = Earliest()
    earliest.consider(fetchDue)
    if queue.sendable > 0 {
      earliest.consider(due)
    } else if pending > 0 {
      earliest.consider(max(due, queue.askAt))
    }
    return earliest.instant
  }

  /// When the server is next asked for an answer, whatever else there is to do.
  private var fetchDue: Instant? {
    guard hasMessages, answerWish == .soon else { return nil }
    let next = lastFetch.map { $0 + Bounds.answerInterval } ?? .start
    return failedContacts > 0 ? max(next, due) : next
  }

  private func isFetchDue(at now: Instant) -> Bool { fetchDue.map { now >= $0 } ?? false }

  /// Whether the present contact is to ask for an answer.
  var wantsFetch: Bool {
    hasMessages && answerWish != .none && !(contact?.hasFetched ?? true)
  }

  /// The same with respect to the battery: in its reserve contacts are rare.
  func contactDue(_ terms: ContactTerms) -> Instant? {
    guard let contactDue else { return nil }
    guard terms.isInReserve, let lastRareAt else { return contactDue }
    return max(contactDue, lastRareAt + Bounds.reserveTransmitInterval)
  }

  /// No contact begins earlier, whatever waits.
  func notBefore(_ terms: ContactTerms) -> Instant {
    guard terms.isInReserve, let lastRareAt else { return due }
    return max(due, lastRareAt + Bounds.reserveTransmitInterval)
  }

  /// Goes on as before the machine was halted.
  mutating func wakeUp(due: Instant, failedContacts: Int32) {
    self.due = due
    self.failedContacts = min(max(0, failedContacts), 3)
  }

  /// The next instant at which it has to act.
  ///
  /// - Parameter connectableAt: when the modem can be connected, if it is off.
  func deadline(_ terms: ContactTerms, connectableAt: Instant?) -> Instant? {
    guard let contact else { return contactDue(terms) }
    var earliest = Earliest()
    earliest.consider(contact.deadline)
    if wantsModem { earliest.consider(connectableAt) }
    return earliest.instant
  }

  /// Why nothing is being sent at this instant; `nil` while something is.
  ///
  /// - Parameter link: why nothing can be sent over the link.
  func reason(
    _ terms: ContactTerms, link: @autoclosure () -> Reason?, at now: Instant
  ) -> Reason? {
    switch state {
    case .sending, .reconciling, .fetching: return nil
    case .backingOff(_, let reason, _): return reason
    case .connecting: return link()
    case nil:
      if pending == 0 { return .nothingPending }
      if terms.isInReserve && now >= due { return .batteryReserve }
      return lastFailure ?? .notDue
    }
  }

  // MARK: Contacts

  /// The only place that changes the state; `nil`: the contact is over.
  mutating func enter(_ state: UploadContact.State?) {
    #if DEBUG
      taken.insert(from: step.rawValue, to: UploadStep(state).rawValue, by: UploadStep.table)
    #endif
    if let state {
      if contact == nil { contact = UploadContact() }
      contact?.state = state
    } else {
      contact = nil
    }
  }

  mutating func beginContact(interval: Milliseconds, isInReserve: Bool, at now: Instant) {
    guard !isInContact, let contactDue, now >= contactDue else { return }
    enter(.connecting)
    asksNext = false
    mail.contactBegins()
    due = now + interval
    contact?.previousRareAt = lastRareAt
    lastRareAt = isInReserve ? now : nil
  }

  /// There is no network. The next attempts are after a quarter to half of an interval, after half
  /// to three quarters, and then after up to a whole one: coverage may come and go with a period of
  /// its own, which attempts in step with the interval could miss for hours.
  mutating func contactFailed(_ reason: Reason, interval: Milliseconds, at now: Instant) {
    guard isInContact else { return }
    if case .sending = state { mustReconcile = true }
    hasWaited = true
    lastFailure = reason
    enter(nil)
    failedContacts = min(failedContacts + 1, 3)
    let percent = 25 * Int64(failedContacts) + Int64(jitter.next() % 26)
    let wait = Milliseconds(interval.count / 100 * percent)
    due = max(now + Bounds.attachedWait, min(due, now + wait))
  }

  /// The contact cannot begin before `instant`.
  mutating func postpone(_ reason: Reason, until instant: Instant) {
    guard let contact, contact.state == .connecting else { return }
    lastRareAt = contact.previousRareAt
    enter(nil)
    lastFailure = reason
    due = instant
  }

  mutating func endContact() {
    enter(nil)
    failures = 0
    failedContacts = 0
    lastFailure = nil
  }

  // MARK: Requests

  /// The next request, once the modem is ready; `nil` while one is in flight, and when nothing is
  /// left to do: then the contact is over.
  ///
  /// - Parameter limit: for the host to report on it.
  mutating func nextRequest(
    within limit: Milliseconds = Bounds.uploadLimit, at now: Instant
  ) -> Request? {
    guard let contact, contact.state == .connecting else { return nil }
    let canAsk = queue.canAsk(at: now)
    let isTime = queue.sendable == 0 || !contact.isFirst && !contact.asksLater
    // Neither what was uncertain before nor a backlog delays an emergency.
    let goesFirst = isUrgent && queue.sendable > 0 && (contact.isFirst || hasUrgent)
    let asks = !goesFirst && (mustReconcile || canAsk && isTime)
    let wantsFetch = wantsFetch || isFetchDue(at: now)
    // What is owed goes last.
    let mayFetch = !contact.isFirst && (!owes || answerWish == .soon || contact.remaining == 0)
    let fetches = !goesFirst && wantsFetch && (mayFetch || queue.sendable == 0)
    guard asks || fetches || queue.sendable > 0 else {
      if pending == 0 { endContact() } else { enter(nil) }
      return nil
    }
    lastID &+= 1
    let id = RequestID(lastID)
    if fetches, !asks || !asksNext {
      asksNext = true
      self.contact?.hasFetched = true
      lastFetch = now
      mail.asked(at: now)
      enter(.fetching(id, giveUpAt: now + limit))
      return .fetch(id)
    }
    let waiting = canAsk ? pending : queue.sendable
    if contact.isFirst { self.contact?.remaining = waiting }
    let giveUpAt = now + limit
    if asks {
      asksNext = false
      enter(.reconciling(id, giveUpAt: giveUpAt))
      return .reconcile(id)
    }
    let freshest = goesFirst ? min(batchLimit, Bounds.urgentBatch) : batchLimit
    let usual: Selection =
      goesFirst || contact.isFirst ? .freshest(limit: freshest) : .oldest(limit: batchLimit)
    if goesFirst, hasUrgent {
      hasUrgent = false
      self.contact?.trial.forgoWitness()
    }
    let selection = self.contact?.trial.takeWitness() ?? usual
    self.contact?.isFirst = false
    enter(.sending(id, selection, giveUpAt: giveUpAt))
    return .upload(id, selection)
  }

  /// Updates the state of the queue.
  mutating func take(_ counts: QueueCounts, at now: Instant) { queue.take(counts, at: now) }

  /// Handles the outcome of an upload. Returns the result; `nil` if the upload is not the one in
  /// flight.
  mutating func finished(
    _ id: RequestID, _ outcome: UploadOutcome, queue: QueueCounts, at now: Instant
  ) -> End? {
    guard case .sending(id, let selection, _) = state else { return nil }
    take(queue, at: now)
    var end = End(outcome)
    end.setAside = judge(outcome, of: selection, at: now)
    return end
  }

  private mutating func judge(
    _ outcome: UploadOutcome, of selection: Selection, at now: Instant
  ) -> SetAside? {
    switch outcome {
    case .answered(let acknowledged, let refused, _, let code):
      if acknowledged > 0 { accepted() }
      guard refused > 0 || acknowledged == 0 else {
        continueOrEnd(done: acknowledged)
        return nil
      }
      if contact?.trial.hasAccepted ?? false, refused > 0 {
        return setAside(refused, besides: acknowledged)
      }
      callWitness(against: selection, refused: refused, code: code, at: now)
    case .refused(let code, let first, let count):
      return refusedWhole(selection, code: code, first: first, count: count, at: now)
    case .unauthorised:
      backOff(.unauthorised, at: now)
    case .busy(let status, let retryAfter):
      shrink()
      backOff(.backingOff(status: status), atLeast: retryAfter, at: now)
    case .unreachable:
      backOff(.backingOff(status: 0), at: now)
    case .ambiguous where self.queue.held == 0: loseTrack()
    // The server is asked about held captures when their time has come, not before.
    case .stalled, .ambiguous:
      shrink()
      // It may have come nevertheless, and a person may have answered: no wait before that is
      // known.
      if answerWish == .soon, isFetchDue(at: now) {
        enter(.connecting)
      } else {
        backOff(.backingOff(status: 0), at: now)
      }
    case .empty:
      endContact()
    }
    return nil
  }

  /// The same for a question about captures whose delivery is uncertain.
  mutating func reconciled(
    _ id: RequestID, _ outcome: ReconcileOutcome, queue: QueueCounts, at now: Instant
  ) -> End? {
    guard case .reconciling(id, _) = state else { return nil }
    take(queue, at: now)
    judge(outcome, at: now)
    return End(outcome)
  }

  /// The server was asked for an answer. A question that failed keeps nothing else waiting.
  ///
  /// - Returns: whether it is the request in flight.
  mutating func fetched(_ id: RequestID, _ outcome: FetchOutcome, at now: Instant) -> Bool {
    guard case .fetching(id, _) = state else { return false }
    // However long it took, something else goes before the next.
    lastFetch = max(lastFetch ?? now, now + Bounds.answerPause - Bounds.answerInterval)
    if !owes { mail.answered(at: now) }
    switch outcome {
    case .answered: owes = false
    case .owing: owes = true
    case .failed: break
    case .unsupported: (hasMessages, owes) = (false, false)
    }
    enter(.connecting)
    return true
  }

  private mutating func judge(_ outcome: ReconcileOutcome, at now: Instant) {
    switch outcome {
    // A server that has applied nothing and did not answer counts as unreachable, unless it did not
    // answer this question before either: then it is back, and has been asked late enough.
    case .settled(confirmed: 0) where mustReconcile:
      mustReconcile = false
      if hasWaited { enter(.connecting) } else { backOff(.backingOff(status: 0), at: now) }
    case .settled(let confirmed):
      mustReconcile = false
      failures = 0
      continueOrEnd(done: confirmed)
    case .failed(let status):
      contact?.asksLater = true
      backOff(.backingOff(status: status), at: now)
    }
  }

  /// A request has timed out, or a wait is over.
  ///
  /// - Returns: whether a request has ended without an answer.
  @discardableResult
  mutating func deadlineReached(at now: Instant) -> Bool {
    guard let deadline = contact?.deadline, now >= deadline else { return false }
    switch state {
    case .sending: loseTrack()
    case .reconciling: backOff(.backingOff(status: 0), at: now)
    case .fetching: enter(.connecting)
    case .backingOff:
      enter(.connecting)
      return false
    case .connecting, nil: return false
    }
    return true
  }

  /// Applies a shorter interval at once.
  mutating func bringForward(to instant: Instant) { due = min(due, instant) }

  /// Sends as soon as possible: ends any wait.
  mutating func sendNow(at now: Instant) {
    due = min(due, now)
    if isBackingOff { enter(.connecting) }
  }

  /// A capture was stored that is not to wait for the time of the next contact: a contact that has
  /// sent nothing yet sends it too, otherwise another one follows.
  mutating func include(at now: Instant) {
    if contact?.state == .connecting, contact?.isFirst ?? false { return }
    due = min(due, now)
  }

  /// Begins a contact as soon as possible, or ends a wait in the current one.
  mutating func beginNow(at now: Instant) {
    if isBackingOff {
      enter(.connecting)
    } else if !isInContact {
      due = min(due, now)
    }
  }

  /// Lets the next contact ignore the battery's reserve.
  mutating func waiveReserve() { lastRareAt = nil }
}
