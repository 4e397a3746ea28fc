public import CaptureStore
public import TrackerCore
public import Uplink

/// Performs what the core wants done with its queue: takes captures to disk, holds the conversation
/// with the server, and takes to disk what the server said.
///
/// It does no network I/O, so that daemon and simulator share it: requests come out, replies go in,
/// and each effect completes as the event that the core waits for. One work is under way at a time;
/// a new one drops the one before, whose request the host drops too.
///
/// A server may act on a request after our patience with it has ended. Where it would take a second
/// copy, captures whose upload failed so are *held* for `mayActFor`: not sent, and not asked about
/// either, because "not there" would prove nothing. The store remembers them.
public struct Courier<Dialogue: UplinkDialogue> {
  public enum Step: Sendable, Equatable {
    /// Send this, then hand the reply to `receive`.
    case send(HTTPRequest)
    case done(Completion)
  }

  /// The end of a work.
  public struct Completion: Sendable, Equatable {
    /// What the core is to hear.
    public var event: Event
    /// What left the queue, because the server has it by its own word.
    public var acknowledged: [CaptureKey] = []
    /// Those of them that were there before they were sent now.
    public var found: [CaptureKey] = []
    /// Those under whose identifiers the server has other captures: they have new ones now.
    public var displaced: [CaptureKey] = []
    /// What was sent now and may be there.
    public var doubtful: [CaptureKey] = []
    /// One line for the log, free of secrets; `nil` when all went well.
    public var problem: String?
  }

  /// The queue. While a work is under way nobody else changes what is in flight.
  public let store: CaptureStore
  /// Why the store did not do what it was asked for the last time that it failed.
  public private(set) var storeProblem: StoreError?

  private var dialogue: Dialogue
  private var mayActFor: Milliseconds
  private var work: Work?
  /// What the server refused by name in its last answer, until the core has decided about it.
  private var refused: [Refusal] = []
  private var held: HeldCaptures
  /// What the work that is under way gave new identifiers to.
  private var displaced: [CaptureKey] = []

  private enum Work {
    /// `isRepeated`: once more, since identifiers were taken.
    case upload(RequestID, nextContactBy: UTC?, isRepeated: Bool)
    /// With what is being asked about.
    case reconcile(RequestID, [CaptureKey])
  }

  /// - Parameters:
  ///   - mayActFor: how long the server may still act after our patience has ended.
  ///   - boot: names this run of the machine, in which `HostTime.uptime` counts.
  public init(
    _ store: CaptureStore, _ dialogue: Dialogue, mayActFor: Milliseconds = CourierBounds.mayActFor,
    boot: String = ""
  ) {
    self.store = store
    self.dialogue = dialogue
    self.mayActFor = mayActFor
    held = HeldCaptures(boot: boot)
  }

  /// Speaks to another server from now on. What was under way with the old one has to have ended.
  public mutating func use(_ dialogue: Dialogue, mayActFor: Milliseconds) {
    self.dialogue = dialogue
    self.mayActFor = mayActFor
  }

  /// How the queue stands, in the words of the core.
  public mutating func counts(at now: HostTime) -> QueueCounts {
    var counts = store.counts
    do throws(StoreError) { try held.adopt(from: store, at: now) } catch { storeProblem = error }
    guard !dialogue.mayRepeat, held.count > 0 else { return counts }
    counts.held = UInt32(clamping: held.count)
    counts.heldFor = held.wait(mayActFor, at: now)
    return counts
  }

  // MARK: The disk

  /// Performs the effect `store`: `captureStored`, or `storeFailed` and nothing is on disk.
  public mutating func keep(_ capture: Capture, at now: HostTime) -> Event {
    do throws(StoreError) {
      try store.append(capture, at: now.utc)
      return .captureStored(sequence: capture.sequence, queue: counts(at: now))
    } catch {
      storeProblem = error
      return .storeFailed(sequence: capture.sequence)
    }
  }

  /// Performs the effect `setAside`. What the disk does not take remains in the queue, and the
  /// counts of the event say so.
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
      work = .upload(request.id, nextContactBy: request.nextContactBy, isRepeated: false)
      if dialogue.mayRepeat { try held.release(in: store, at: now) }
      let captures = try store.select(request.selection, at: now.utc).map(OutgoingCapture.init)
      return try proceed(
        dialogue.begin(.upload(captures, nextContactBy: request.nextContactBy), at: now.utc),
        at: now)
    } catch {
      // Nothing was sent; the core comes back to it.
      work = .upload(request.id, nextContactBy: request.nextContactBy, isRepeated: true)
      return unusable(error, .upload(.unreachable), at: now)
    }
  }

  /// Begins the effect `reconcile`: asks about what is in flight, as far as the server's answer can
  /// be believed by now. Where it can be of nothing, it ends without a request.
  public mutating func reconcile(_ id: RequestID, at now: HostTime) -> Step {
    do throws(StoreError) {
      try endLastWork(at: now)
      var captures = try held.inFlight(in: store)
      if !dialogue.mayRepeat {
        let asked = held.askable(mayActFor, at: now)
        captures = captures.filter { asked.contains($0.key) }
      }
      captures = Array(captures.prefix(UplinkBounds.captures))
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

  /// Takes in the reply to the last request.
  public mutating func receive(_ reply: HTTPReply, at now: HostTime) -> Step {
    do throws(StoreError) {
      return try proceed(dialogue.receive(reply, at: now.utc), at: now)
    } catch {
      // The server has them and the disk does not know: as if the answer had been lost.
      let isUpload = if case .upload = work { true } else { false }
      return unusable(
        error, isUpload ? .upload(.ambiguous) : .reconcile(.failed(status: 0)), at: now)
    }
  }

  // MARK: Ends

  /// A work that a new one drops may have been carried out, and so may one whose end did not get to
  /// the disk.
  private mutating func endLastWork(at now: HostTime) throws(StoreError) {
    refused = []
    displaced = []
    work = nil
    try held.adopt(from: store, at: now)
    if !dialogue.mayRepeat { try held.holdRest(of: store, at: now) }
  }

  private mutating func proceed(_ step: UplinkStep, at now: HostTime) throws(StoreError) -> Step
  {
    switch step {
    case .send(let request): return .send(request)
    case .done(let result):
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

  /// The same upload under new identifiers, where nothing else came of it.
  private mutating func again(_ result: UplinkResult) throws(StoreError) -> UplinkTask? {
    guard case .upload(let id, let promise, isRepeated: false) = work,
      !result.displaced.isEmpty, result.acknowledged.isEmpty, result.refused.isEmpty,
      result.doubtful.isEmpty
    else { return nil }
    work = .upload(id, nextContactBy: promise, isRepeated: true)
    let captures = try held.inFlight(in: store).filter { !held.contains($0.key) }
    return .upload(captures.map(OutgoingCapture.init), nextContactBy: promise)
  }

  /// Lets go of what may be sent again, and holds what may not. A server that takes no second copy
  /// is asked about all that is in flight, and what it then does not know is sent again at once.
  private mutating func settle(_ result: UplinkResult, at now: HostTime) throws(StoreError) {
    guard !dialogue.mayRepeat else { return }
    switch (work, result.outcome) {
    case (.upload, _):
      try held.hold(result.doubtful, in: store, at: now)
      try held.releaseRest(of: store, at: now)
    case (.reconcile(_, let asked), .reconcile(.settled)):
      try held.release(asked, in: store, at: now)
    case (.reconcile, _), (nil, _): break
    }
  }

  private mutating func unusable(
    _ error: StoreError, _ outcome: UplinkOutcome, at now: HostTime
  ) -> Step {
    storeProblem = error
    return .done(end(UplinkResult(outcome: outcome, problem: error.description), at: now))
  }

  /// The work's end in the words of the core. What the work cannot end with counts as no answer.
  private mutating func end(_ result: UplinkResult, at now: HostTime) -> Completion {
    let event: Event
    let queue = counts(at: now)
    switch (work, result.outcome) {
    case (.upload(let id, _, _), .upload(let outcome)):
      event = .uploadFinished(id, outcome, queue: queue)
    case (.upload(let id, _, _), _):
      event = .uploadFinished(id, .ambiguous, queue: queue)
    case (.reconcile(let id, _), .reconcile(let outcome)):
      event = .reconcileFinished(id, outcome, queue: queue)
    case (.reconcile(let id, _), _):
      event = .reconcileFinished(id, .failed(status: 0), queue: queue)
    case (nil, _): event = .queueChanged(queue)
    }
    work = nil
    return Completion(
      event: event, acknowledged: result.acknowledged, found: result.found, displaced: displaced,
      doubtful: result.doubtful, problem: result.problem)
  }
}
