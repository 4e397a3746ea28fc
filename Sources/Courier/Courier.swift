public import CaptureStore
public import TrackerCore
public import Uplink

/// Performs what the core wants done with its queue: takes captures to disk, holds the conversation
/// with the server, and takes to disk what the server said.
///
/// It does no network I/O, so that daemon and simulator share it: requests come out, replies go in,
/// and each effect completes as the event that the core waits for. One work is under way at a time;
/// a new one drops the one before, whose request the host drops too.
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
    /// One line for the log, free of secrets; `nil` when all went well.
    public var problem: String?
  }

  /// The queue. Change it by other ways only between two works.
  public let store: CaptureStore
  /// Why the store did not do what it was asked for the last time that it failed.
  public private(set) var storeProblem: StoreError?

  private var dialogue: Dialogue
  private var work: Work?
  /// What the server refused by name in its last answer, until the core has decided about it.
  private var refused: [Refusal] = []

  private enum Work {
    /// `isRepeated`: once more, since identifiers were taken.
    case upload(RequestID, nextContactBy: UTC?, isRepeated: Bool)
    case reconcile(RequestID)
  }

  public init(_ store: CaptureStore, _ dialogue: Dialogue) {
    self.store = store
    self.dialogue = dialogue
  }

  /// Speaks to another server from now on. What was under way with the old one has to have ended.
  public mutating func use(_ dialogue: Dialogue) { self.dialogue = dialogue }

  // MARK: The disk

  /// Performs the effect `store`: `captureStored`, or `storeFailed` and nothing is on disk.
  public mutating func keep(_ capture: Capture, at now: UTC) -> Event {
    do throws(StoreError) {
      try store.append(capture, at: now)
      return .captureStored(sequence: capture.sequence, queue: store.counts)
    } catch {
      storeProblem = error
      return .storeFailed(sequence: capture.sequence)
    }
  }

  /// Performs the effect `setAside`. What the disk does not take remains in the queue, and the
  /// counts of the event say so.
  public mutating func setAside(_ what: SetAside, at now: UTC) -> Event {
    do throws(StoreError) {
      switch what {
      case .refusedOfLastUpload:
        try store.setAside(refused, at: now)
        refused = []
      case .capture(let key, let code):
        try store.setAside([key], code: code, at: now)
      }
    } catch { storeProblem = error }
    return .queueChanged(store.counts)
  }

  // MARK: The server

  /// Begins the effect `upload`.
  public mutating func upload(_ request: UploadRequest, at now: UTC) -> Step {
    work = .upload(request.id, nextContactBy: request.nextContactBy, isRepeated: false)
    refused = []
    do throws(StoreError) {
      let captures = try store.select(request.selection, at: now).map(OutgoingCapture.init)
      return proceed(
        dialogue.begin(.upload(captures, nextContactBy: request.nextContactBy), at: now), at: now)
    } catch {
      // Nothing was sent; the core comes back to it.
      return unusable(error, .upload(.unreachable))
    }
  }

  /// Begins the effect `reconcile`: asks about all that is in flight.
  public mutating func reconcile(_ id: RequestID, at now: UTC) -> Step {
    work = .reconcile(id)
    do throws(StoreError) {
      let captures = try store.inFlight().map(OutgoingCapture.init)
      return proceed(dialogue.begin(.reconcile(captures), at: now), at: now)
    } catch {
      return unusable(error, .reconcile(.failed(status: 0)))
    }
  }

  /// Takes in the reply to the last request.
  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> Step {
    proceed(dialogue.receive(reply, at: now), at: now)
  }

  // MARK: Ends

  private mutating func proceed(_ step: UplinkStep, at now: UTC) -> Step {
    switch step {
    case .send(let request): return .send(request)
    case .done(let result):
      refused = result.refused
      do throws(StoreError) {
        try store.acknowledge(result.acknowledged, at: now)
        try store.renew(result.displaced, at: now)
        if let again = try again(result) { return proceed(dialogue.begin(again, at: now), at: now) }
        var end = end(result.outcome, result.problem)
        end.acknowledged = result.acknowledged
        return .done(end)
      } catch {
        // The server has them and the disk does not know: as if the answer had been lost.
        let isUpload = if case .upload = work { true } else { false }
        return unusable(error, isUpload ? .upload(.ambiguous) : .reconcile(.failed(status: 0)))
      }
    }
  }

  /// The same upload under new identifiers, where nothing else came of it.
  private mutating func again(_ result: UplinkResult) throws(StoreError) -> UplinkWork? {
    guard case .upload(let id, let promise, isRepeated: false) = work,
      !result.displaced.isEmpty, result.acknowledged.isEmpty, result.refused.isEmpty
    else { return nil }
    work = .upload(id, nextContactBy: promise, isRepeated: true)
    return .upload(try store.inFlight().map(OutgoingCapture.init), nextContactBy: promise)
  }

  private mutating func unusable(_ error: StoreError, _ outcome: UplinkOutcome) -> Step {
    storeProblem = error
    return .done(end(outcome, error.description))
  }

  /// The work's end in the words of the core. What the work cannot end with counts as no answer.
  private mutating func end(_ outcome: UplinkOutcome, _ problem: String?) -> Completion {
    let event: Event
    switch (work, outcome) {
    case (.upload(let id, _, _), .upload(let outcome)):
      event = .uploadFinished(id, outcome, queue: store.counts)
    case (.upload(let id, _, _), _):
      event = .uploadFinished(id, .ambiguous, queue: store.counts)
    case (.reconcile(let id), .reconcile(let outcome)):
      event = .reconcileFinished(id, outcome, queue: store.counts)
    case (.reconcile(let id), _):
      event = .reconcileFinished(id, .failed(status: 0), queue: store.counts)
    case (nil, _): event = .queueChanged(store.counts)
    }
    work = nil
    return Completion(event: event, problem: problem)
  }
}
