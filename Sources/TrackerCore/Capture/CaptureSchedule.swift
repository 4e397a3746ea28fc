/// Decides when a fix becomes a capture (DESIGN §7). It lives from a session's start to its stop.
struct CaptureSchedule: Sendable, Equatable {
  /// What to do with the present fix, or with the lack of one.
  enum Verdict: Equatable {
    case take(Fix, Trigger)
    case wait(Reason)
  }

  private enum State: Sendable, Equatable {
    /// Nothing taken yet. Exits: `running`.
    case first
    /// Since the last capture. Exits: none before the session's stop.
    case running(lastAt: Instant, lastPosition: Coordinate)
  }

  private var policy: CapturePolicy
  private let startedAt: Instant
  private var state = State.first
  /// The slot that the next capture belongs to (policies by time), or when a missing fix is next
  /// counted.
  private(set) var slot: Instant
  private var best: Fix?
  /// The last one: `best` may be too old already when it is wanted.
  private var latest: Fix?
  private var lastOdometer: Int64 = 0

  init(_ policy: CapturePolicy, at now: Instant) {
    self.policy = policy
    startedAt = now
    slot = now
  }

  /// Goes on under another policy: what was taken counts, and the next slot is the new policy's.
  mutating func follow(_ policy: CapturePolicy, pace: Pace?, at now: Instant) {
    guard policy != self.policy else { return }
    self.policy = policy
    guard case .running(let lastAt, _) = state else { return }
    slot = goesByTime ? max(now, lastAt + opportunity(pace: pace)) : now
  }

  // MARK: Facts coming in

  /// Keeps the best fix of the last few seconds: a capture that falls due takes it.
  mutating func offer(_ fix: Fix) {
    latest = fix
    if let best, best.isFresh(at: fix.at), let known = best.accuracyMetres,
      known < fix.accuracyMetres ?? .max
    {
      return
    }
    best = fix
  }

  /// A capture was announced; the next one counts from here.
  mutating func taken(_ fix: Fix, odometer: Int64, pace: Pace?, at now: Instant) {
    let isLate = state == .first || now - slot > Bounds.slotTolerance
    state = .running(lastAt: now, lastPosition: fix.position)
    lastOdometer = odometer
    // The same report does not serve twice.
    best = nil
    latest = nil
    // Small delays keep the grid, so that they do not add up; a late capture begins a new one,
    // so that the next transmission finds a fresh capture again.
    if isLate || !goesByTime { slot = now }
    // One that somebody asked for between two slots takes nothing from the next.
    if now >= slot { advanceSlot(pace: pace, at: now) }
  }

  /// Moves on to the next slot of the grid.
  mutating func advanceSlot(pace: Pace?, at now: Instant) {
    let step = opportunity(pace: pace)
    let missed = max(0, (now - slot).count) / step.count
    slot = slot + Milliseconds((missed &+ 1) &* step.count)
  }

  /// A slot passed without a capture; the next one may still be served.
  mutating func missSlot(pace: Pace?) { slot = slot + opportunity(pace: pace) }

  // MARK: Judgement

  /// What should happen now. `missingFixReason` is why there is no usable fix.
  func judge(
    missingFixReason: Reason, isClockTrusted: Bool, odometer: Int64, at now: Instant
  ) -> Verdict {
    guard case .running(let lastAt, let lastPosition) = state else {
      return judgeFirst(missingFixReason: missingFixReason, isClockTrusted: isClockTrusted, at: now)
    }
    let since = now - lastAt
    switch policy {
    case .standard(_, let minimum, let heartbeat):
      guard now >= slot else { return .wait(.notDue) }
      guard let fix = usable(at: now) else { return .wait(missingFixReason) }
      guard minimum > 0 else { return .take(fix, .interval) }
      if fix.position.distanceMetres(to: lastPosition) >= minimum { return .take(fix, .interval) }
      return since >= heartbeat ? .take(fix, .heartbeat) : .wait(.atRest)
    case .adaptive:
      guard now >= slot else { return .wait(.notDue) }
      guard let fix = usable(at: now) else { return .wait(missingFixReason) }
      return .take(fix, .interval)
    case .significant:
      return judgeMoved(
        metres: 500, after: .minutes(5), missingFixReason, since, lastPosition, at: now)
    case .proximity:
      return judgeMoved(
        metres: 500, after: .seconds(120), missingFixReason, since, lastPosition, at: now)
    case .route(let every):
      guard let fix = usable(at: now) else { return .wait(missingFixReason) }
      if odometer - lastOdometer >= Int64(every) * 1000 { return .take(fix, .distance) }
      return since >= Bounds.heartbeat ? .take(fix, .heartbeat) : .wait(.notDue)
    }
  }

  private func judgeFirst(missingFixReason: Reason, isClockTrusted: Bool, at now: Instant)
    -> Verdict
  {
    guard let fix = usable(at: now) else { return .wait(missingFixReason) }
    guard isClockTrusted || now - startedAt >= Bounds.clockPatience else {
      return .wait(.clockUntrusted)
    }
    return .take(fix, .start)
  }

  private func judgeMoved(
    metres: Int32, after: Milliseconds, _ missingFixReason: Reason, _ since: Milliseconds,
    _ lastPosition: Coordinate, at now: Instant
  ) -> Verdict {
    guard since >= after else { return .wait(.notDue) }
    guard let fix = usable(at: now) else { return .wait(missingFixReason) }
    let moved = fix.position.distanceMetres(to: lastPosition)
    if moved >= metres { return .take(fix, .distance) }
    if since >= Bounds.heartbeat { return .take(fix, .heartbeat) }
    // On the way, only not far enough yet, is no rest.
    return .wait(moved < Bounds.restMetres ? .atRest : .notDue)
  }

  /// The best fix that is fresh enough to be called the present one.
  func usable(at now: Instant) -> Fix? {
    if let best, best.isFresh(at: now) { return best }
    if let latest, latest.isFresh(at: now) { return latest }
    return nil
  }

  // MARK: Times

  /// How often a capture may be expected: the grid of slots on which a missing fix is counted.
  func opportunity(pace: Pace?) -> Milliseconds {
    switch policy {
    case .standard(let interval, _, _): max(interval, .seconds(1))
    case .adaptive(let interval): max(pace?.stretch(interval) ?? interval, .seconds(1))
    case .significant: .minutes(5)
    case .proximity: .seconds(120)
    case .route: .minutes(10)
    }
  }

  /// The latest time of the next capture while there is a fix: what a promise can build on.
  func latestNext(at now: Instant) -> Instant {
    switch policy {
    case .standard(let interval, let minimum, let heartbeat):
      minimum > 0 ? slot + max(interval, heartbeat) : slot
    case .adaptive: slot
    case .significant, .proximity, .route: now + Bounds.heartbeat
    }
  }

  /// The first slot from an instant on; `nil` where slots do not come by time.
  func firstSlot(from instant: Instant, pace: Pace?) -> Instant? {
    guard goesByTime else { return nil }
    let step = opportunity(pace: pace).count
    let missing = max(0, (instant - slot).count)
    return slot + Milliseconds((missing &+ step &- 1) / step &* step)
  }

  /// Whether the receiver may sleep until shortly before the slot.
  var goesByTime: Bool {
    switch policy {
    case .standard, .adaptive: true
    case .significant, .proximity, .route: false
    }
  }
}

extension Fix {
  func isFresh(at now: Instant) -> Bool { now - at <= Bounds.fixReuse }
}
