public import CaptureStore
public import TrackerCore
public import Uplink
public import Wording

/// Performs the core's effects on the queue: stores captures, runs the dialogue with the server,
/// and stores its results.
///
/// It does no network I/O, so that daemon and simulator share it: requests come out, replies go in,
/// and each effect completes with the event that the core expects. Only one task is in progress; a
/// new one replaces it, and the host cancels its request.
///
/// A server may still apply a request after it was given up. If it would accept a second copy,
/// captures with such an upload are *held* for `mayActFor`: they are neither sent nor queried,
/// because "not there" would prove nothing yet. The store remembers them.
public struct Courier<Dialogue: UplinkDialogue> {
  public enum Step: Sendable, Equatable {
    /// Send this, then hand the reply to `receive`.
    case send(HTTPRequest)
    case done(Completion)
  }

  /// The result of a task.
  public struct Completion: Sendable, Equatable {
    /// The event for the core.
    public var event: Event
    /// Captures that left the queue, because the server confirmed them.
    public var acknowledged: [CaptureKey] = []
    /// The acknowledged ones that the server already had.
    var found: [CaptureKey] = []
    /// Captures that were given new identifiers, because the server has others under theirs.
    public var displaced: [CaptureKey] = []
    /// Captures sent now that the server may have.
    public var doubtful: [CaptureKey] = []
    /// One line for the log, free of secrets; `nil` when all went well.
    public var problem: Texts?
    /// The cause of the problem; `nil`: the server did not say.
    public var cause: FailureCause?
  }

  /// The queue. While a task is in progress nothing else may change captures in flight.
  public let store: CaptureStore
  /// The store's last error.
  public internal(set) var storeProblem: StoreError? {
    didSet { hasStoredSince = false }
  }
  /// Whether a capture was stored after the last error.
  private var hasStoredSince = false

  var dialogue: Dialogue
  private var mayActFor: Milliseconds
  var work: Work?
  /// Captures that the server refused individually in its last answer, until the core decides.
  private var refused: [Refusal] = []
  private var held: HeldCaptures
  /// Captures that the current task gave new identifiers.
  private var displaced: [CaptureKey] = []
  private var watch = PathWatch()
  var notes = NoteExchange()
  var history = HistoryExchange()
  /// Open orders of which the server knows all there is to say, the latest last.
  var toldOrders: [ToldOrder] = []
  /// What is known of the path to the server.
  public var path: PathEstimate { watch.estimate }

  enum Work {
    /// `isRepeated`: it was repeated because identifiers were taken.
    case upload(UploadRequest, isRepeated: Bool)
    /// With the captures that are asked about.
    case reconcile(RequestID, [CaptureKey])
    /// With its outcome so far.
    case fetch(RequestID, FetchOutcome)
    /// Notes, after messages were fetched with this outcome.
    case notes(RequestID, FetchOutcome)
    /// A history that was asked for, after all these.
    case history(RequestID, FetchOutcome)
  }

  /// - Parameters:
  ///   - mayActFor: how long the server may still apply a request that was given up.
  ///   - boot: identifies this boot of the machine, which `HostTime.uptime` counts from.
  public init(
    _ store: CaptureStore, _ dialogue: Dialogue, mayActFor: Milliseconds = CourierBounds.mayActFor,
    boot: String
  ) {
    self.store = store
    self.dialogue = dialogue
    self.mayActFor = mayActFor
    held = HeldCaptures(boot: boot)
  }

  /// Whether captures count as delivered by the word of a broker.
  public var isByBroker: Bool { dialogue.isByBroker }

  /// Uses another server from now on. The task with the old one must have ended.
  public mutating func use(_ dialogue: Dialogue, mayActFor: Milliseconds) {
    self.dialogue = dialogue
    self.mayActFor = mayActFor
    watch = PathWatch()
    notes = NoteExchange()
    toldOrders = []
    history.useAnotherServer()
  }

  /// The state of the queue for the core.
  public mutating func counts(at now: HostTime) -> QueueCounts {
    var counts = store.counts
    do throws(StoreError) { try held.adopt(from: store, at: now) } catch { storeProblem = error }
    guard !dialogue.mayRepeat, held.count > 0 else { return counts }
    counts.held = UInt32(clamping: held.count)
    counts.heldFor = held.wait(mayActFor, at: now)
    return counts
  }

  // MARK: The disk

  /// The store's last error, unless the next capture was stored nevertheless, as when a disk has
  /// room again.
  public var standingProblem: StoreError? {
    switch storeProblem?.kind {
    // Other captures go on, but these take a restart.
    case .damaged, .gone: storeProblem
    case nil, .inUse, .notAStore, .newer, .older, .ambiguous, .outOfTurn, .storeFull, .diskFull,
      .readOnly, .inputOutput, .busy, .cannotOpen, .missing, .linked:
      hasStoredSince ? nil : storeProblem
    }
  }

  /// Performs the effect `store`. Returns `captureStored`, or `storeFailed` with nothing on disk.
  public mutating func keep(_ capture: Capture, at now: HostTime) -> Event {
    do throws(StoreError) {
      try store.append(capture, at: now.utc)
      hasStoredSince = true
      return .captureStored(sequence: capture.sequence, queue: counts(at: now))
    } catch {
      storeProblem = error
      return .storeFailed(sequence: capture.sequence)
    }
  }

  /// Performs the effect `setAside`. If it cannot be stored the captures stay in the queue, as the
  /// event's counts show.
  public mutating func setAside(_ what: SetAside, at now: HostTime) -> Event {
    do throws(StoreError) {
      switch what {
      case .refusedOfLastUpload:
        try store.setAside(refused, at: now.utc)
        refused = []
      case .capture(let key, let code):
        try store.setAside([key], code: code, at: now.utc)
      }
    } catch { storeProblem = error }
    return .queueChanged(counts(at: now))
  }

  // MARK: The server

  /// Begins the effect `upload`.
  public mutating func upload(_ request: UploadRequest, at now: HostTime) -> Step {
    do throws(StoreError) {
      try endLastWork(at: now)
      work = .upload(request, isRepeated: false)
      if dialogue.mayRepeat { try held.release(in: store, at: now) }
      let selection = watch.bounded(request.selection, at: now.instant)
      let captures = outgoing(try held.select(selection, from: store, at: now))
      watch.begin(captures: captures.count)
      if history.terms.isAllowed { history.lastCapture = try store.newest(1).last?.key }
      return try proceed(dialogue.begin(request.task(captures), at: now.utc), at: now)
    } catch {
      // Nothing was sent; the core will retry.
      work = .upload(request, isRepeated: true)
      return unusable(error, .upload(.unreachable), at: now)
    }
  }

  /// Begins the effect `reconcile`: asks about the captures in flight whose waiting time is over.
  /// If there are none it completes without a request.
  public mutating func reconcile(_ id: RequestID, at now: HostTime) -> Step {
    do throws(StoreError) {
      try endLastWork(at: now)
      var captures = try held.inFlight(in: store)
      if !dialogue.mayRepeat {
        let asked = held.askable(mayActFor, at: now)
        captures = captures.filter { asked.contains($0.key) }
      }
      captures = Array(captures.prefix(watch.questions(at: now.instant)))
      watch.begin(captures: captures.count)
      work = .reconcile(id, captures.map(\.key))
      let outgoing = captures.map(OutgoingCapture.init)
      guard !outgoing.isEmpty else {
        return .done(end(UplinkResult(outcome: .reconcile(.settled(confirmed: 0))), at: now))
      }
      return try proceed(dialogue.begin(.reconcile(outgoing), at: now.utc), at: now)
    } catch {
      work = .reconcile(id, [])
      return unusable(error, .reconcile(.failed(status: 0)), at: now)
    }
  }

  /// Handles the reply to the last request.
  public mutating func receive(_ reply: HTTPReply, at now: HostTime) -> Step {
    watch.heard(reply, at: now.instant)
    do throws(StoreError) {
      return try proceed(dialogue.receive(reply, at: now.utc), at: now)
    } catch {
      // The server has them but that could not be stored: as if the answer had been lost.
      switch work {
      case .upload: return unusable(error, .upload(.ambiguous), at: now)
      case .fetch, .notes, .history: return unusable(error, .mail(.failed(status: 0)), at: now)
      case .reconcile, nil: return unusable(error, .reconcile(.failed(status: 0)), at: now)
      }
    }
  }

  // MARK: Ends

  /// A task that is replaced, or whose result could not be stored, may have been applied.
  mutating func endLastWork(at now: HostTime) throws(StoreError) {
    refused = []
    displaced = []
    work = nil
    try held.adopt(from: store, at: now)
    if !dialogue.mayRepeat { try held.holdRest(of: store, at: now) }
  }

  mutating func proceed(_ step: UplinkStep, at now: HostTime) throws(StoreError) -> Step {
    switch step {
    case .send(let request): return .send(watch.prepare(request, at: now.instant))
    case .done(let result):
      if case .fetch(let id, _) = work, case .mail(let outcome) = result.outcome {
        let next = take(outcome, for: id, at: now)
        if let next { return try proceed(next, at: now) }
        // An answer to an emergency does not wait for notes.
        if case .fetched = outcome, case .fetch(let id, let fetched) = work,
          let next = try beginNotes(id, fetched, at: now)
        {
          return try proceed(next, at: now)
        }
        return try tellHistory(or: result, at: now)
      }
      if case .notes = work, case .notes(let outcome) = result.outcome {
        if let next = try take(outcome, at: now) { return try proceed(next, at: now) }
        return try tellHistory(or: result.withoutMissingTable, at: now)
      }
      if case .history = work {
        if case .history(let outcome) = result.outcome,
          let next = try take(outcome, at: now)
        {
          return try proceed(next, at: now)
        }
        return .done(end(result.withoutMissingTable, at: now))
      }
      if case .upload(let outcome) = result.outcome { watch.ended(outcome, at: now.instant) }
      refused = result.refused
      try store.acknowledge(result.acknowledged, at: now.utc)
      held.forget(result.acknowledged)
      try store.renew(result.displaced, at: now.utc)
      displaced += result.displaced
      if let again = try again(result) {
        return try proceed(dialogue.begin(again, at: now.utc), at: now)
      }
      try settle(result, at: now)
      return .done(end(result, at: now))
    }
  }

  /// A history goes after all else that was exchanged.
  private mutating func tellHistory(
    or result: UplinkResult, at now: HostTime
  ) throws(StoreError) -> Step {
    if let next = try beginHistory(at: now) { return try proceed(next, at: now) }
    return .done(end(result, at: now))
  }

  /// The same upload with new identifiers, if it had no other result.
  private mutating func again(_ result: UplinkResult) throws(StoreError) -> UplinkTask? {
    guard case .upload(let request, isRepeated: false) = work,
      !result.displaced.isEmpty, result.acknowledged.isEmpty, result.refused.isEmpty,
      result.doubtful.isEmpty
    else { return nil }
    work = .upload(request, isRepeated: true)
    let captures = try held.inFlight(in: store).filter { !held.contains($0.key) }
    return request.task(outgoing(captures))
  }

  /// With their marks, if the server gets them: else that would be a look-up for nothing.
  private func outgoing(_ captures: [StoredCapture]) -> [OutgoingCapture] {
    guard dialogue.sendsMarks else { return captures.map(OutgoingCapture.init) }
    var outgoing: [OutgoingCapture] = []
    for stored in captures {
      var capture = OutgoingCapture(stored)
      // One that cannot be read does not keep its capture here.
      if let mark = (try? store.mark(of: stored)) ?? nil {
        capture.capture.mark = CourseMark(doneMetres: mark.doneMetres, toGoMetres: mark.toGoMetres)
        capture.placeName = mark.place
      }
      outgoing.append(capture)
    }
    return outgoing
  }

  /// Releases captures that may be sent again and holds the others. For a server that refuses
  /// second copies nothing is held: it is asked about everything in flight, and what it does not
  /// have is sent again at once.
  private mutating func settle(_ result: UplinkResult, at now: HostTime) throws(StoreError) {
    switch (work, result.outcome) {
    // Nothing was applied.
    case (.upload, .upload(.unreachable)) where result.doubtful.isEmpty,
      (.upload, .upload(.stalled)) where result.doubtful.isEmpty:
      try held.releaseRest(of: store, at: now)
    case _ where dialogue.mayRepeat: break
    case (.upload, _):
      try held.hold(result.doubtful, in: store, at: now)
      try held.releaseRest(of: store, at: now)
    case (.reconcile(_, let asked), .reconcile(.settled)):
      try held.release(asked, in: store, at: now)
    case (.reconcile, _), (.fetch, _), (.notes, _), (.history, _), (nil, _): break
    }
  }

  mutating func unusable(
    _ error: StoreError, _ outcome: UplinkOutcome, at now: HostTime
  ) -> Step {
    storeProblem = error
    return .done(end(UplinkResult(outcome: outcome, problem: error.texts), at: now))
  }

  /// The event for the task's result. A result that does not fit the task counts as no answer.
  private mutating func end(_ result: UplinkResult, at now: HostTime) -> Completion {
    let event: Event
    let queue = counts(at: now)
    switch (work, result.outcome) {
    case (.upload(let request, _), .upload(let outcome)):
      event = .uploadFinished(request.id, outcome, queue: queue)
    case (.upload(let request, _), _):
      event = .uploadFinished(request.id, .ambiguous, queue: queue)
    case (.reconcile(let id, _), .reconcile(let outcome)):
      event = .reconcileFinished(id, outcome, queue: queue)
    case (.reconcile(let id, _), _):
      event = .reconcileFinished(id, .failed(status: 0), queue: queue)
    case (.fetch(let id, let outcome), _), (.notes(let id, let outcome), _),
      (.history(let id, let outcome), _):
      event = .fetchFinished(id, owing(outcome))
    case (nil, _): event = .queueChanged(queue)
    }
    work = nil
    return Completion(
      event: event, acknowledged: result.acknowledged, found: result.found, displaced: displaced,
      doubtful: result.doubtful, problem: result.problem, cause: result.cause)
  }
}

extension UplinkResult {
  /// That a server has no table of notes or histories is no trouble of a contact; `self-test` says
  /// it.
  fileprivate var withoutMissingTable: UplinkResult {
    var result = self
    switch outcome {
    case .notes(.unsupported), .notes(.failed(status: 400)), .notes(.failed(status: 404)),
      .history(.unsupported), .history(.failed(status: 400)), .history(.failed(status: 404)):
      (result.problem, result.cause) = (nil, nil)
    case .ready, .notReady, .upload, .reconcile, .mail, .notes, .history: break
    }
    return result
  }
}

extension HostTime {
  /// On the clock that does not step.
  fileprivate var instant: Instant { .start + uptime }
}

// Conversions between a store and a dialogue.
extension OutgoingCapture {
  /// A capture from a store. If it was handed out before it may have arrived.
  public init(_ stored: StoredCapture) {
    self.init(
      stored.capture, key: stored.key, device: stored.device, id: stored.id,
      wasSent: stored.attempts > 1)
  }
}

extension CaptureStore {
  /// Sets aside captures that a server refused individually, each with its code.
  func setAside(_ refusals: [Refusal], at now: UTC) throws(StoreError) {
    // In the order of the codes, so that the same answers give the same file.
    for code in Set(refusals.map(\.code)).sorted() {
      try setAside(refusals.filter { $0.code == code }.map(\.key), code: code, at: now)
    }
  }
}

extension UploadRequest {
  fileprivate func task(_ captures: [OutgoingCapture]) -> UplinkTask {
    .upload(captures, nextContactBy: nextContactBy, silence: silence)
  }
}
