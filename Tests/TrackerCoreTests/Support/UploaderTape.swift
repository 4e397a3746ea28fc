import Testing

@testable import TrackerCore

/// A transcript of an uploader whose modem is always ready: what happens, and what it asks for.
struct UploaderTape {
  enum Event {
    /// A contact is due.
    case begin
    /// The network could not be had.
    case contactFails(Reason)
    case uploaded(UInt32, UploadOutcome, pending: UInt32)
    case reconciled(UInt32, ReconcileOutcome, pending: UInt32)
    /// The same two, with all that a host says of its queue.
    case ended(UInt32, UploadOutcome, QueueCounts)
    case asked(UInt32, ReconcileOutcome, QueueCounts)
    case stored(pending: UInt32)
    case queue(QueueCounts)
    case sendNow
    case deadline
  }

  static let interval = Milliseconds.minutes(10)

  let suite: Any.Type
  var uploader: Uploader
  var isInReserve = false

  init(_ suite: Any.Type, pending: UInt32, seed: UInt64 = 7) {
    self.suite = suite
    uploader = Uploader(pending: pending, seed: seed)
  }

  /// Plays one event. Fails the test unless exactly the expected effects come of it.
  mutating func at(
    _ seconds: Int64, _ event: Event, _ expected: Effect...,
    location: SourceLocation = #_sourceLocation
  ) {
    let effects = play(event, at: .at(seconds * 1000))
    let moment = "at \(seconds) s, now \(uploader.step);"
    #expect(effects == expected, again(suite, moment), sourceLocation: location)
  }

  mutating func play(_ event: Event, at now: Instant) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .begin:
      uploader.beginContact(interval: Self.interval, isInReserve: isInReserve, at: now)
    case .contactFails(let reason):
      uploader.contactFailed(reason, interval: Self.interval, at: now)
    case .uploaded(let id, let outcome, let pending):
      return play(.ended(id, outcome, QueueCounts(pending: pending)), at: now)
    case .ended(let id, let outcome, let queue):
      let end = uploader.finished(RequestID(id), outcome, queue: queue, at: now)
      if let aside = end?.setAside { effects.append(.setAside(aside)) }
    case .reconciled(let id, let outcome, let pending):
      return play(.asked(id, outcome, QueueCounts(pending: pending)), at: now)
    case .asked(let id, let outcome, let queue):
      _ = uploader.reconciled(RequestID(id), outcome, queue: queue, at: now)
    case .stored(let pending): uploader.take(QueueCounts(pending: pending), at: now)
    case .queue(let queue): uploader.take(queue, at: now)
    case .sendNow: uploader.sendNow(at: now)
    case .deadline: uploader.deadlineReached(at: now)
    }
    switch uploader.nextRequest(at: now) {
    case .upload(let id, let selection): effects.append(.upload(id.number, selection))
    case .reconcile(let id): effects.append(.reconcile(id))
    // Nobody has called for help.
    case .fetch, nil: break
    }
    return effects
  }

  /// Why and until when it waits; `nil` while it does not.
  var wait: (until: Instant, reason: Reason)? {
    if case .backingOff(let until, let reason, _) = uploader.state { (until, reason) } else { nil }
  }

  /// The wait is over.
  mutating func resume() -> [Effect] {
    guard let wait else { return [] }
    return play(.deadline, at: wait.until)
  }
}

extension UploadOutcome {
  static func took(_ count: UInt32) -> UploadOutcome {
    .answered(acknowledged: count, refused: 0, firstRefused: 0, code: 0)
  }
  static let badGateway = UploadOutcome.busy(status: 502, retryAfter: nil)
}

extension Selection {
  static func oldest(_ limit: UInt32) -> Selection { .oldest(limit: limit) }
  static func freshest(_ limit: UInt32) -> Selection { .freshest(limit: limit) }
}

extension Uploader {
  /// The next instant at which it wants to act where the battery is full and the modem is ready.
  var deadline: Instant? {
    let configuration = Configuration()
    let terms = ContactTerms(
      configuration, budget: EnergyBudget(), gauge: BatteryGauge(Board.bench.battery),
      isSessionRunning: true)
    return deadline(terms, connectableAt: nil)
  }
}
