/// Empties the queue: freshest first, then the rest from the oldest on.
///
/// A *contact* begins when a transmission is due and something is pending, and ends when the queue
/// is empty or the network could not be had. Within it, failures back off; a batch shrinks by half
/// at each failure that its size may have caused and grows again with success; one capture that
/// the server refuses is set aside, but only after the server has accepted another one since:
/// a server that refuses everything is at fault itself, and nothing is set aside then.
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
  private(set) var batchLimit = Bounds.batchLimit
  /// Why the last contact failed; `nil` after a good one.
  private(set) var lastFailure: Reason?
  private var failures: Int32 = 0
  private var failedContacts: Int64 = 0
  private var isFirstOfContact = true
  /// An upload without an answer: nothing is sent before its fate is known.
  private var mustReconcile = false
  /// A single capture that was refused; the request right after it decides whose fault that was.
  private var suspect: Suspect?
  private var lastID: UInt32 = 0
  private var jitter: Jitter

  struct Suspect: Sendable, Equatable {
    var sequence: UInt32
    var code: Int32
  }

  init(pending: UInt32, seed: UInt64) {
    self.pending = pending
    jitter = Jitter(seed: seed)
  }

  // MARK: Questions

  var isInContact: Bool { state != .idle }

  /// Whether the radio is of use now.
  func wantsModem(at now: Instant) -> Bool {
    switch state {
    case .idle: false
    case .connecting, .sending, .reconciling: true
    case .backingOff(let until, _): until - now <= Bounds.attachedWait
    }
  }

  var deadline: Instant? {
    switch state {
    case .idle: pending > 0 ? due : nil
    case .connecting: nil
    case .sending(_, let giveUpAt), .reconciling(_, let giveUpAt): giveUpAt
    case .backingOff(let until, _): until
    }
  }

  // MARK: Contacts

  mutating func beginContact(interval: Milliseconds, at now: Instant) {
    guard state == .idle, pending > 0, now >= due else { return }
    state = .connecting
    isFirstOfContact = true
    due = now + interval
  }

  /// The network could not be had. The next attempt comes after up to
  /// `Bounds.contactStretch` intervals.
  mutating func contactFailed(_ reason: Reason, interval: Milliseconds, at now: Instant) {
    guard isInContact else { return }
    if case .sending = state { mustReconcile = true }
    suspect = nil
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

  /// The next request, once the modem is ready.
  mutating func nextRequest(at now: Instant) -> Request? {
    guard state == .connecting else { return nil }
    lastID &+= 1
    let id = RequestID(lastID)
    if mustReconcile {
      state = .reconciling(id, giveUpAt: now + Bounds.uploadLimit)
      return .reconcile(id)
    }
    state = .sending(id, giveUpAt: now + Bounds.uploadLimit)
    if let suspect { return .upload(id, .oldest(limit: 1, except: suspect.sequence)) }
    let isFresh = isFirstOfContact
    isFirstOfContact = false
    return .upload(
      id, isFresh ? .freshest(limit: batchLimit) : .oldest(limit: batchLimit, except: 0))
  }

  mutating func stored(queue: QueueCounts) { pending = queue.pending }

  /// Takes in how an upload ended. Returns what is to be set aside, if anything.
  mutating func finished(
    _ id: RequestID, _ outcome: UploadOutcome, queue: QueueCounts, at now: Instant
  ) -> SetAside? {
    guard case .sending(id, _) = state else { return nil }
    pending = queue.pending
    switch outcome {
    case .answered(let acknowledged, let refused, let first, let code):
      if acknowledged > 0 { return accepted(refused: refused) }
      return refusedWhole(code: code, first: first, count: refused, at: now)
    case .refused(let code, let first, let count):
      return refusedWhole(code: code, first: first, count: count, at: now)
    case .unauthorised:
      backOff(.unauthorised, at: now)
    case .busy(let status, let retryAfter):
      shrink()
      backOff(.backingOff(status: status), atLeast: retryAfter, at: now)
    case .unreachable:
      backOff(.backingOff(status: 0), at: now)
    case .ambiguous: loseTrack()
    case .empty:
      endOrWaitForWitness(at: now)
    }
    return nil
  }

  mutating func reconciled(
    _ id: RequestID, _ outcome: ReconcileOutcome, queue: QueueCounts, at now: Instant
  ) {
    guard case .reconciling(id, _) = state else { return }
    pending = queue.pending
    switch outcome {
    case .settled(let confirmed):
      mustReconcile = false
      // A server that applied nothing and answered nothing is as good as unreachable.
      if confirmed == 0 {
        backOff(.backingOff(status: 0), at: now)
      } else {
        failures = 0
        continueOrEnd()
      }
    case .failed(let status):
      backOff(.backingOff(status: status), at: now)
    }
  }

  /// The host did not report in time, or a wait is over.
  mutating func deadlineReached(at now: Instant) {
    guard let deadline, now >= deadline else { return }
    switch state {
    case .sending: loseTrack()
    case .reconciling: backOff(.backingOff(status: 0), at: now)
    case .backingOff: state = .connecting
    case .idle, .connecting: return
    }
  }

  /// Somebody wants it sent now: waits are cut short.
  mutating func sendNow(at now: Instant) {
    due = min(due, now)
    if case .backingOff = state { state = .connecting }
  }

  // MARK: Steps

  /// At least one capture was acknowledged: the server accepts captures.
  private mutating func accepted(refused: UInt32) -> SetAside? {
    failures = 0
    batchLimit = min(batchLimit * 2, Bounds.batchLimit)
    let convicted = suspect
    suspect = nil
    // What is set aside leaves the queue with the `queueChanged` that follows.
    if let convicted {
      pending -= min(pending, 1)
      continueOrEnd()
      return .capture(sequence: convicted.sequence, code: convicted.code)
    }
    pending -= min(pending, refused)
    continueOrEnd()
    return refused > 0 ? .refusedOfLastUpload : nil
  }

  private mutating func refusedWhole(
    code: Int32, first: UInt32, count: UInt32, at now: Instant
  ) -> SetAside? {
    if count > 1 {
      batchLimit = max(1, min(batchLimit, count) / 2)
      state = .connecting
    } else if count == 0 {
      // It named no capture: nobody to suspect.
      backOff(.serverRejected(code: code), at: now)
    } else if suspect == nil {
      suspect = Suspect(sequence: first, code: code)
      state = .connecting
    } else {
      backOff(.serverRejected(code: code), at: now)
    }
    return nil
  }

  /// Nothing (else) to send. A suspect alone in the queue waits for a witness.
  private mutating func endOrWaitForWitness(at now: Instant) {
    guard let suspect else { return endContact() }
    backOff(.serverRejected(code: suspect.code), at: now)
  }

  private mutating func continueOrEnd() {
    if pending > 0 { state = .connecting } else { endContact() }
  }

  /// The fate of an upload is unknown.
  private mutating func loseTrack() {
    shrink()
    mustReconcile = true
    suspect = nil
    state = .connecting
  }

  private mutating func shrink() { batchLimit = max(1, batchLimit / 2) }

  private mutating func backOff(
    _ reason: Reason, atLeast: Milliseconds? = nil, at now: Instant
  ) {
    failures = min(failures + 1, 100)
    lastFailure = reason
    // After a wait the server may be another: whom it refused before is not guilty by that.
    suspect = nil
    var wait = jitter.around(Backoff.delay(failures: failures))
    if let atLeast { wait = max(wait, min(atLeast, Bounds.retryAfterLimit)) }
    state = .backingOff(until: now + wait, reason)
  }
}
