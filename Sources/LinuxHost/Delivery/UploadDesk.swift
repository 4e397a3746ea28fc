public import CaptureStore
public import TrackerCore
public import Uplink

/// What the core's requests become: captures from the store, a conversation with a server, and the
/// store's new state. It performs no I/O but the store's own.
///
/// One request at a time; a new one drops the one before, as the core does.
public struct UploadDesk {
  /// What to do next for the request.
  public enum Step {
    /// Send this and hand the reply to `receive`.
    case send(HTTPRequest)
    /// It has ended; the core wants to know.
    case finished(Event)
  }

  private enum Job {
    case upload(RequestID)
    case reconcile(RequestID)
  }

  private let store: CaptureStore
  private var dialogue: any UplinkDialogue
  private var job: Job?
  private var refused: [Refusal] = []
  /// Why the last request did not end well: one line without secrets.
  public private(set) var problem: String?

  public init(_ store: CaptureStore, _ dialogue: some UplinkDialogue) {
    self.store = store
    self.dialogue = dialogue
  }

  /// Speaks to another server from now on. What was under way with the old one is dropped.
  public mutating func use(_ dialogue: some UplinkDialogue) {
    self.dialogue = dialogue
    job = nil
  }

  public mutating func begin(_ request: UploadRequest, at now: UTC) -> Step {
    job = .upload(request.id)
    refused = []
    do throws(StoreError) {
      let captures = try store.select(request.selection, at: now).map {
        OutgoingCapture($0, device: store.device)
      }
      guard !captures.isEmpty else {
        return end(.uploadFinished(request.id, .empty, queue: store.counts))
      }
      return take(
        dialogue.begin(.upload(captures, nextContactBy: request.nextContactBy), at: now), at: now)
    } catch {
      // Nothing was sent; the disk may do better after the wait that follows.
      problem = "\(error)"
      return end(.uploadFinished(request.id, .unreachable, queue: store.counts))
    }
  }

  public mutating func begin(reconcile id: RequestID, at now: UTC) -> Step {
    job = .reconcile(id)
    do throws(StoreError) {
      let captures = try store.inFlight().map { OutgoingCapture($0, device: store.device) }
      guard !captures.isEmpty, dialogue.canReconcile else {
        return end(.reconcileFinished(id, .settled(confirmed: 0), queue: store.counts))
      }
      return take(dialogue.begin(.reconcile(captures), at: now), at: now)
    } catch {
      problem = "\(error)"
      return end(.reconcileFinished(id, .failed(status: 0), queue: store.counts))
    }
  }

  /// Takes in the reply to the last request; `nil` when nobody waits for one any more.
  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> Step? {
    guard job != nil else { return nil }
    return take(dialogue.receive(reply, at: now), at: now)
  }

  /// Puts aside what the core says.
  public mutating func setAside(_ what: SetAside, at now: UTC) -> Event {
    do throws(StoreError) {
      switch what {
      case .capture(let sequence, let code): try store.setAside([sequence], code: code, at: now)
      case .refusedOfLastUpload:
        for refusal in refused {
          try store.setAside([refusal.sequence], code: refusal.code, at: now)
        }
      }
    } catch {
      // They stay in the queue, and the counts say so.
      problem = "\(error)"
    }
    refused = []
    return .queueChanged(store.counts)
  }

  private mutating func take(_ step: UplinkStep, at now: UTC) -> Step {
    switch step {
    case .send(let request): return .send(request)
    case .done(let result): return take(result, at: now)
    }
  }

  private mutating func take(_ result: UplinkResult, at now: UTC) -> Step {
    problem = result.problem
    refused = result.refused
    var isOnDisk = true
    do throws(StoreError) {
      try store.acknowledge(result.acknowledged, at: now)
    } catch {
      problem = "\(error)"
      isOnDisk = false
    }
    switch (job, result.outcome) {
    case (.upload(let id), .upload(let outcome)):
      // What the server has and the disk does not know is asked for again.
      return end(
        .uploadFinished(id, isOnDisk ? outcome : .ambiguous, queue: store.counts))
    case (.reconcile(let id), .reconcile(let outcome)):
      return end(
        .reconcileFinished(id, isOnDisk ? outcome : .failed(status: 0), queue: store.counts))
    case (.upload(let id), _): return end(.uploadFinished(id, .ambiguous, queue: store.counts))
    case (.reconcile(let id), _):
      return end(.reconcileFinished(id, .failed(status: 0), queue: store.counts))
    case (nil, _): return end(.queueChanged(store.counts))
    }
  }

  private mutating func end(_ event: Event) -> Step {
    job = nil
    return .finished(event)
  }
}
