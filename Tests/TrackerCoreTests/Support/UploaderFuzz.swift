@testable import TrackerCore

/// An uploader to which everything happens at random, from a seed.
struct UploaderFuzz {
  private(set) var uploader: Uploader
  private var seeded: Seeded
  private var now: Int64 = 0
  private var open: Uploader.Request?

  init(seed: UInt64) {
    seeded = Seeded(seed)
    uploader = Uploader(pending: UInt32(seeded.next() % 300), seed: seed)
  }

  /// One thing happens, and what can be asked for is asked for.
  mutating func step() {
    if seeded.chance(30) { now += Int64(seeded.next() % 200_000) }
    let instant = Instant.at(now)
    switch seeded.next() % 16 {
    case 0: uploader.beginContact(interval: .minutes(10), isInReserve: false, at: instant)
    case 1: uploader.beginContact(interval: .minutes(10), isInReserve: true, at: instant)
    case 2:
      if seeded.chance(30) {
        uploader.contactFailed(.searching, interval: .minutes(10), at: instant)
      }
    case 3:
      if seeded.chance(30) { uploader.postpone(.searching, until: instant + .minutes(3)) }
    case 4..<10: finish(at: instant)
    case 10: uploader.take(counts(), at: instant)
    case 11: if seeded.chance(30) { uploader.sendNow(at: instant) }
    case 12:
      uploader.answerWish = seeded.one(of: [.none, .withContacts, .soon])
      uploader.isUrgent = uploader.answerWish != .none && seeded.chance(50)
    default:
      if let deadline = uploader.deadline { now = max(now, deadline.milliseconds) }
      uploader.deadlineReached(at: .at(now))
    }
    if seeded.chance(80), let request = uploader.nextRequest(at: .at(now)) { open = request }
  }

  private mutating func finish(at now: Instant) {
    switch open {
    case .upload(let id, _): _ = uploader.finished(id, outcome(), queue: counts(), at: now)
    case .reconcile(let id):
      let settled = ReconcileOutcome.settled(confirmed: seeded.one(of: [0, 1, 50]))
      let outcome = seeded.chance(70) ? settled : .failed(status: 500)
      _ = uploader.reconciled(id, outcome, queue: counts(), at: now)
    case .fetch(let id):
      let outcome: FetchOutcome = seeded.one(of: [.answered(nil), .failed(status: 500)])
      _ = uploader.fetched(id, outcome, at: now)
    case nil: break
    }
  }

  private mutating func outcome() -> UploadOutcome {
    let count: UInt32 = seeded.one(of: [0, 1, 1, 1, 2, 50])
    return seeded.one(of: [
      .answered(
        acknowledged: count, refused: seeded.one(of: [0, 0, 1, 2]), firstRefused: 1, code: 7),
      .refused(code: 9, first: CaptureKey(count), count: seeded.one(of: [0, 1, 1, 2])),
      .unauthorised, .busy(status: 503, retryAfter: .seconds(90)), .unreachable, .stalled,
      .ambiguous, .empty,
    ])
  }

  private mutating func counts() -> QueueCounts {
    let pending: UInt32 = seeded.one(of: [0, 1, 2, 5, 100, 300])
    return QueueCounts(
      pending: pending, held: seeded.one(of: [0, 0, 1, pending / 2, pending]),
      heldFor: seeded.one(of: [0, .seconds(10), .minutes(10)]))
  }
}
