import TrackerCore

/// What the tracker is still to be told of its effects, in their order.
struct Completions {
  enum Completion {
    case stored(sequence: UInt32)
    case storeFailed(sequence: UInt32)
    case uploaded(RequestID)
    case reconciled(RequestID)
    case fetched(RequestID)
    case queueChanged
    case linkChanged(isUp: Bool)
    case texted(RequestID)
    case textsRead(RequestID)
    case haltRefused
  }

  private var waiting = InlineArray<16, Completion>(repeating: .queueChanged)
  private var first = 0
  private var count = 0
  private var uploadOutcome = UploadOutcome.empty

  /// The tracker has at most one request of each kind open, and one capture: there is always room.
  mutating func add(_ completion: Completion) {
    precondition(count < waiting.count)
    waiting[(first + count) % waiting.count] = completion
    count += 1
  }

  mutating func addUpload(_ id: RequestID, _ outcome: UploadOutcome) {
    uploadOutcome = outcome
    add(.uploaded(id))
  }

  /// - Parameter queue: as it is now.
  mutating func next(_ queue: QueueCounts) -> Event? {
    guard count > 0 else { return nil }
    let completion = waiting[first]
    first = (first + 1) % waiting.count
    count -= 1
    switch completion {
    case .stored(let sequence): return .captureStored(sequence: sequence, queue: queue)
    case .storeFailed(let sequence): return .storeFailed(sequence: sequence)
    case .uploaded(let id): return .uploadFinished(id, uploadOutcome, queue: queue)
    // Such a server cannot be asked.
    case .reconciled(let id):
      return .reconcileFinished(id, .settled(confirmed: 0), queue: queue)
    case .fetched(let id): return .fetchFinished(id, .unsupported)
    case .queueChanged: return .queueChanged(queue)
    case .linkChanged(let isUp): return .linkChanged(isUp: isUp)
    case .texted(let id): return .textFinished(id, wasSent: false)
    case .textsRead(let id): return .textsRead(id, .failed)
    case .haltRefused: return .haltRefused
    }
  }
}
