/// Decides when a fix becomes a capture. One exists for each session.
struct CaptureSchedule: Sendable, Equatable {
  /// What to do with the current fix, or without one.
  enum Verdict: Equatable {
    case take(Fix, Trigger)
    case wait(Reason)
  }

  private enum State: Sendable, Equatable {
    /// No capture taken yet. Exits: `running`.
    case first
    /// Exits: none before the end of the session.
    case running(lastAt: Instant, lastPosition: Coordinate)
  }

  private var policy: CapturePolicy
  let startedAt: Instant
  private var state = State.first
  /// The slot of the next capture (policies by time), or when a missing fix is counted next.
  private(set) var slot: Instant
  private var best: Fix?
  /// The last fix, because `best` may already be too old when it is needed.
  private var latest: Fix?
  private var odometerAtLast: Int64 = 0

  init(_ policy: CapturePolicy, at now: Instant) {
    self.policy = policy
    startedAt = now
    slot = now
  }

  /// Changes to another policy: earlier captures still count, and the next slot is the new
  /// policy's.
  mutating func follow(_ policy: CapturePolicy, budget: EnergyBudget?, at now: Instant) {
    guard policy != self.policy else { return }
    self.policy = policy
    guard case .running(let lastAt, _) = state else { return }
    slot = goesByTime ? max(now, lastAt + opportunity(budget: budget)) : now
  }

  /// The last capture, by time and place; `nil`: none has been taken yet, or the policy is not by
  /// time.
  var last: (at: Instant, position: Coordinate)? {
    guard goesByTime, case .running(let lastAt, let lastPosition) = state else { return nil }
    return (lastAt, lastPosition)
  }

  /// Goes on as before the machine was halted.
  mutating func wakeUp(slot: Instant, lastAt: Instant, _ position: Coordinate) {
    guard goesByTime else { return }
    state = .running(lastAt: lastAt, lastPosition: position)
    self.slot = slot
  }

  /// Whether no capture has been taken yet.
  var isBeforeFirst: Bool { state == .first }

  // MARK: Facts coming in

  /// Keeps the best fix of the last few seconds for a capture that falls due.
  mutating func offer(_ fix: Fix) {
    latest = fix
    if let best, best.isFresh(at: fix.at), let known = best.accuracyMetres,
      known < fix.accuracyMetres ?? .max
    {
      return
    }
    best = fix
  }

  /// A capture was taken; the next one counts from here.
  mutating func taken(_ fix: Fix, odometer: Int64, budget: EnergyBudget?, at now: Instant) {
    let isLate = state == .first || now - slot > Bounds.slotTolerance
    state = .running(lastAt: now, lastPosition: fix.position)
    odometerAtLast = odometer
    // The same fix is not used twice.
    best = nil
    latest = nil
    // Small delays keep the grid, so that they do not accumulate; a late capture begins a new grid,
    // so that the next transmission has a fresh capture again.
    if isLate || !goesByTime { slot = now }
    // A capture on request between two slots does not use up the next slot.
    if now >= slot { advanceSlot(budget: budget, at: now) }
  }

  /// Moves on to the next slot of the grid.
  mutating func advanceSlot(budget: EnergyBudget?, at now: Instant) {
    let step = opportunity(budget: budget)
    let missed = max(0, (now - slot).count) / step.count
    slot = slot + Milliseconds((missed &+ 1) &* step.count)
  }

  /// A slot passed without a capture; moves on by one slot.
  mutating func missSlot(budget: EnergyBudget?) { slot = missedAt(budget: budget) }

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
    case .significant, .proximity:
      return judgeMoved(
        metres: 500, after: policy.leastInterval, missingFixReason, since, lastPosition, at: now)
    case .route(let every):
      guard let fix = usable(at: now) else { return .wait(missingFixReason) }
      if odometer - odometerAtLast >= Int64(every) * 1000 { return .take(fix, .distance) }
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
    // Moving, but not far enough yet, does not count as rest.
    return .wait(moved < Bounds.restMetres ? .atRest : .notDue)
  }

  /// The best fix that is fresh enough to count as current.
  func usable(at now: Instant) -> Fix? {
    if let best, best.isFresh(at: now) { return best }
    if let latest, latest.isFresh(at: now) { return latest }
    return nil
  }

  // MARK: Times

  /// How often a capture may be expected: the grid of slots on which a missing fix is counted.
  func opportunity(budget: EnergyBudget?) -> Milliseconds {
    switch policy {
    case .standard(let interval, _, _): max(interval, .seconds(1))
    case .adaptive(let interval): max(budget?.stretchCapture(interval) ?? interval, .seconds(1))
    case .significant, .proximity: policy.leastInterval
    case .route: .minutes(10)
    }
  }

  /// When the slot has passed without a capture.
  func missedAt(budget: EnergyBudget?) -> Instant { slot + opportunity(budget: budget) }

  /// The latest time of the next capture, given a fix; promises are based on it.
  func latestNext(at now: Instant) -> Instant {
    switch policy {
    case .standard(let interval, let minimum, let heartbeat):
      minimum > 0 ? slot + max(interval, heartbeat) : slot
    case .adaptive: slot
    case .significant, .proximity, .route: now + Bounds.heartbeat
    }
  }

  /// The first slot at or after an instant; `nil` where the policy is not by time.
  func firstSlot(from instant: Instant, budget: EnergyBudget?) -> Instant? {
    guard goesByTime else { return nil }
    let step = opportunity(budget: budget).count
    let missing = max(0, (instant - slot).count)
    return slot + Milliseconds((missing &+ step &- 1) / step &* step)
  }

  /// Whether captures are due at slots, so that the receiver may sleep until shortly before the
  /// next.
  var goesByTime: Bool { policy.goesByTime }
}

extension CapturePolicy {
  /// The shortest time between two captures, as configured; a route has none.
  var leastInterval: Milliseconds {
    switch self {
    case .standard(let interval, _, _), .adaptive(let interval): interval
    case .significant: .minutes(5)
    case .proximity: .seconds(120)
    case .route: 0
    }
  }

  var goesByTime: Bool {
    switch self {
    case .standard, .adaptive: true
    case .significant, .proximity, .route: false
    }
  }
}

extension Fix {
  func isFresh(at now: Instant) -> Bool { now - at <= Bounds.fixReuse }
}
