/// Empties the queue: freshest first, then the rest from the oldest on.
///
/// A *contact* begins when a transmission is due and something can be sent or asked about; it ends
/// when nothing is left to do or the network could not be had. Within it, failures back off; a
/// batch shrinks by half at each failure that its size may have caused and grows with success.
///
/// Captures that a server may still act on, although their upload failed, are *held*: the host says
/// how many and for how long. They are asked about when that time is over, after the freshest of
/// the others were sent, and are not sent before.
///
/// One bad capture must not block the rest, and a server that refuses everything must not empty the
/// queue. So a capture is set aside only when the server accepts others: after an acceptance in the
/// same contact, either refused by name, or refused alone `Bounds.refusalsToSetAside` times in a
/// row. Each such verdict uses the acceptance up. Where there has been none, a capture from the
/// other end of the queue is sent as a witness first.
struct Uploader: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// No contact. Exits: `connecting`.
    case idle
    /// Wants the modem. Exits: `sending`, `reconciling`, `idle`.
    case connecting
    /// Exits: `sending`, `reconciling`, `backingOff`, `idle`.
    case sending(RequestID, giveUpAt: Instant)
    /// Asks what became of an upload without an answer. Exits: `sending`, `backingOff`, `idle`.
    case reconciling(RequestID, giveUpAt: Instant)
    /// Exits: `connecting`.
    case backingOff(until: Instant, Reason)
  }

  /// What the next request is to be.
  enum Request: Equatable {
    case upload(RequestID, Selection)
    case reconcile(RequestID)
  }

  var state = State.idle
  /// From here on a contact may begin.
  var due = Instant.start
  private(set) var pending: UInt32
  /// Of the pending: sent, and of unknown fate.
  private var held: UInt32 = 0
  /// From here on the server may be asked about the first of the held.
  private var askAt = Instant.start
  /// The last question about held captures had no answer: others are sent first.
  private var asksLater = false
  private(set) var batchLimit = Bounds.batchLimit
  /// Why the last contact failed; `nil` after a good one.
  private(set) var lastFailure: Reason?
  private var failures: Int32 = 0
  private var failedContacts: Int64 = 0
  private var isFirstOfContact = true
  /// Captures that this contact still has to bring home: those that were pending at its first
  /// request. What is captured meanwhile waits for the next, or the contact might never end.
  private var remaining: UInt32 = 0
  /// An upload without an answer: the host is asked about it before anything is sent.
  private var mustReconcile = false
  /// The server has accepted a capture in this contact, and no verdict has used that up.
  private var hasAccepted = false
  private var witness = Witness.none
  private var lastSelection = Selection.freshest(limit: 0)
  /// The capture that was refused alone, and how often in a row.
  private var refusedAlone = RefusedAlone()
  private var lastID: UInt32 = 0
  private var jitter: Jitter

  /// Whether another capture is to show that the server accepts anything at all.
  private enum Witness: Sendable, Equatable {
    /// Exits: `wanted`.
    case none
    /// Exits: `sent`.
    case wanted
    /// Exits: `none`, when it was accepted, or was refused too.
    case sent
  }

  private struct RefusedAlone: Sendable, Equatable {
    var key = CaptureKey.none
    var times: Int32 = 0
  }

  init(pending: UInt32, seed: UInt64) {
    self.pending = pending
    jitter = Jitter(seed: seed)
  }

  // MARK: Questions

  var isInContact: Bool { state != .idle }

  /// Whether a request with this name is in flight.
  func isOpen(_ id: RequestID) -> Bool {
    switch state {
    case .sending(let open, _), .reconciling(let open, _): open == id
    case .idle, .connecting, .backingOff: false
    }
  }

  var isBackingOff: Bool { if case .backingOff = state { true } else { false } }

  /// Whether the radio is of use now.
  func wantsModem(at now: Instant) -> Bool {
    switch state {
    case .idle: false
    case .connecting, .sending, .reconciling: true
    case .backingOff(let until, _): until - now <= Bounds.attachedWait
    }
  }

  /// What may be sent.
  private var sendable: UInt32 { pending - min(pending, held) }

  /// When a contact has something to do; `nil`: nothing is pending.
  var contactDue: Instant? {
    if sendable > 0 { return due }
    return pending > 0 ? max(due, askAt) : nil
  }

  var deadline: Instant? {
    switch state {
    case .idle: contactDue
    case .connecting: nil
    case .sending(_, let giveUpAt), .reconciling(_, let giveUpAt): giveUpAt
    case .backingOff(let until, _): until
    }
  }

  // MARK: Contacts

  mutating func beginContact(interval: Milliseconds, at now: Instant) {
    guard state == .idle, let contactDue, now >= contactDue else { return }
    state = .connecting
    isFirstOfContact = true
    asksLater = false
    forgetTrial()
    due = now + interval
  }

  /// The network could not be had. The next attempt comes after up to
  /// `Bounds.contactStretch` intervals.
  mutating func contactFailed(_ reason: Reason, interval: Milliseconds, at now: Instant) {
    guard isInContact else { return }
    if case .sending = state { mustReconcile = true }
    failedContacts = min(failedContacts + 1, Bounds.contactStretch)
    lastFailure = reason
    state = .idle
    due = max(due, due + Milliseconds(interval.count &* (failedContacts - 1)))
    if due <= now { due = now + Bounds.attachedWait }
  }

  /// The contact cannot begin before `instant`.
  mutating func postpone(_ reason: Reason, until instant: Instant) {
    guard state == .connecting else { return }
    state = .idle
    lastFailure = reason
    due = instant
  }

  private mutating func endContact() {
    state = .idle
    failures = 0
    failedContacts = 0
    lastFailure = nil
  }

  // MARK: Requests

  /// The next request, once the modem is ready; `nil` when the contact is over.
  mutating func nextRequest(at now: Instant) -> Request? {
    guard state == .connecting else { return nil }
    let canAsk = held > 0 && now >= askAt
    let asks = mustReconcile || canAsk && (sendable == 0 || !isFirstOfContact && !asksLater)
    guard asks || sendable > 0 else {
      if pending == 0 { endContact() } else { state = .idle }
      return nil
    }
    lastID &+= 1
    let id = RequestID(lastID)
    if isFirstOfContact { remaining = canAsk ? pending : sendable }
    if asks {
      state = .reconciling(id, giveUpAt: now + Bounds.uploadLimit)
      return .reconcile(id)
    }
    state = .sending(id, giveUpAt: now + Bounds.uploadLimit)
    lastSelection = nextSelection()
    isFirstOfContact = false
    if witness == .wanted { witness = .sent }
    return .upload(id, lastSelection)
  }

  private func nextSelection() -> Selection {
    if witness == .wanted {
      switch lastSelection {
      case .freshest: return .oldest(limit: 1)
      case .oldest: return .freshest(limit: 1)
      }
    }
    return isFirstOfContact ? .freshest(limit: batchLimit) : .oldest(limit: batchLimit)
  }

  /// How the queue stands now.
  mutating func take(_ queue: QueueCounts, at now: Instant) {
    pending = queue.pending
    held = queue.held
    askAt = now + queue.heldFor
  }

  /// Takes in how an upload ended. Returns what is to be set aside, if anything.
  mutating func finished(
    _ id: RequestID, _ outcome: UploadOutcome, queue: QueueCounts, at now: Instant
  ) -> SetAside? {
    guard case .sending(id, _) = state else { return nil }
    take(queue, at: now)
    switch outcome {
    case .answered(let acknowledged, let refused, _, let code):
      return answered(acknowledged: acknowledged, refused: refused, code: code, at: now)
    case .refused(let code, let first, let count):
      return refusedWhole(code: code, first: first, count: count, at: now)
    case .unauthorised:
      backOff(.unauthorised, at: now)
    case .busy(let status, let retryAfter):
      shrink()
      backOff(.backingOff(status: status), atLeast: retryAfter, at: now)
    case .unreachable:
      backOff(.backingOff(status: 0), at: now)
    case .stalled:
      shrink()
      backOff(.backingOff(status: 0), at: now)
    // What is held is asked about when its time has come, and not before.
    case .ambiguous:
      guard held > 0 else {
        loseTrack()
        break
      }
      shrink()
      backOff(.backingOff(status: 0), at: now)
    case .empty:
      endContact()
    }
    return nil
  }

  mutating func reconciled(
    _ id: RequestID, _ outcome: ReconcileOutcome, queue: QueueCounts, at now: Instant
  ) {
    guard case .reconciling(id, _) = state else { return }
    take(queue, at: now)
    switch outcome {
    // A server that applied nothing and answered nothing is as good as unreachable.
    case .settled(confirmed: 0) where mustReconcile:
      mustReconcile = false
      backOff(.backingOff(status: 0), at: now)
    case .settled(let confirmed):
      mustReconcile = false
      failures = 0
      continueOrEnd(done: confirmed)
    case .failed(let status):
      asksLater = true
      backOff(.backingOff(status: status), at: now)
    }
  }

  /// The host did not report in time, or a wait is over.
  ///
  /// - Returns: whether a request ended so, without an answer.
  @discardableResult
  mutating func deadlineReached(at now: Instant) -> Bool {
    guard let deadline, now >= deadline else { return false }
    switch state {
    case .sending: loseTrack()
    case .reconciling: backOff(.backingOff(status: 0), at: now)
    case .backingOff:
      state = .connecting
      return false
    case .idle, .connecting: return false
    }
    return true
  }

  /// A shorter interval counts at once.
  mutating func bringForward(to instant: Instant) { due = min(due, instant) }

  /// Somebody wants it sent now: waits are cut short.
  mutating func sendNow(at now: Instant) {
    due = min(due, now)
    if case .backingOff = state { state = .connecting }
  }

  // MARK: Steps

  /// The server judged each capture by itself.
  private mutating func answered(
    acknowledged: UInt32, refused: UInt32, code: Int32, at now: Instant
  ) -> SetAside? {
    if acknowledged > 0 {
      failures = 0
      batchLimit = min(batchLimit * 2, Bounds.batchLimit)
      hasAccepted = true
      witness = .none
    }
    if refused == 0 && acknowledged > 0 {
      continueOrEnd(done: acknowledged)
      return nil
    }
    guard hasAccepted, refused > 0 else {
      callWitness(code: code, refused: refused, at: now)
      return nil
    }
    if acknowledged == 0 { hasAccepted = false }
    // They leave the queue with the `queueChanged` that follows.
    pending -= min(pending, refused)
    continueOrEnd(done: acknowledged.addingReportingOverflow(refused).partialValue)
    return .refusedOfLastUpload
  }

  /// The server will not have the request as it is; which capture is to blame, it does not say.
  private mutating func refusedWhole(
    code: Int32, first: CaptureKey, count: UInt32, at now: Instant
  ) -> SetAside? {
    if count > 1 {
      batchLimit = max(1, min(batchLimit, count) / 2)
      state = .connecting
      return nil
    }
    if count == 1 { batchLimit = 1 }
    guard hasAccepted, count == 1 else {
      callWitness(code: code, refused: count, at: now)
      return nil
    }
    if refusedAlone.key != first { refusedAlone = RefusedAlone(key: first) }
    refusedAlone.times += 1
    guard refusedAlone.times >= Bounds.refusalsToSetAside else {
      state = .connecting
      return nil
    }
    refusedAlone = RefusedAlone()
    hasAccepted = false
    pending -= min(pending, 1)
    continueOrEnd(done: 1)
    return .capture(first, code: code)
  }

  /// Nothing has been accepted yet: another capture has to tell a bad one from a bad server.
  private mutating func callWitness(code: Int32, refused: UInt32, at now: Instant) {
    // Refused is the witness itself, no capture at all, or all that there are.
    guard witness != .sent, refused > 0, sendable > refused else {
      return backOff(.serverRejected(code: code), at: now)
    }
    witness = .wanted
    state = .connecting
  }

  private mutating func continueOrEnd(done: UInt32) {
    remaining -= min(remaining, done)
    if pending > 0 && remaining > 0 { state = .connecting } else { endContact() }
  }

  /// The fate of an upload is unknown: nothing is sent before it is known.
  private mutating func loseTrack() {
    shrink()
    mustReconcile = true
    forgetTrial()
    state = .connecting
  }

  private mutating func forgetTrial() {
    hasAccepted = false
    witness = .none
    refusedAlone = RefusedAlone()
  }

  private mutating func shrink() { batchLimit = max(1, batchLimit / 2) }

  private mutating func backOff(
    _ reason: Reason, atLeast: Milliseconds? = nil, at now: Instant
  ) {
    failures = min(failures + 1, 100)
    lastFailure = reason
    forgetTrial()
    var wait = jitter.around(Backoff.delay(failures: failures))
    if let atLeast { wait = max(wait, min(atLeast, Bounds.retryAfterLimit)) }
    // Nothing could be done at its end but for captures that come meanwhile, in the next contact.
    let isAllHeld = pending > 0 && sendable == 0 && askAt > now + wait
    state = isAllHeld ? .idle : .backingOff(until: now + wait, reason)
  }
}
