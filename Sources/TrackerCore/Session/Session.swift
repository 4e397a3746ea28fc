/// A session: the schedule of captures, and the capture that is being stored.
struct Session: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Exits: `running`, `finished`.
    case stopped
    /// Ended by itself after the finish, or not begun because the finish is past. Exits: `running`,
    /// `stopped`.
    case finished
    /// Exits: `stopped`, `finished`.
    case running
  }

  /// A capture that was passed to the store and is not confirmed yet.
  enum Storing: Sendable, Equatable {
    /// Exits: `requested`.
    case nothing
    /// A retry still counts as a failure until it succeeds. Exits: `nothing`, `failed`.
    case requested(Capture, Fix?, isRetry: Bool)
    /// Exits: `requested`.
    case failed(Capture, Fix?, retryAt: Instant)
  }

  /// `nil`: none is running. Not in `State`, out of which it would be copied for each use.
  private(set) var schedule: CaptureSchedule?
  private var isFinished = false
  /// The tracker has just started; whether the last session or stop still applies cannot be told
  /// before a date is trusted.
  var isUndecided = false
  private(set) var storing = Storing.nothing
  private(set) var nextSequence: UInt32
  /// A capture was requested, for this reason, and there is no fix for it yet.
  var wanted: Trigger?
  /// Why there is no usable fix, according to the last report.
  var missingFixReason = Reason.noFix
  /// The last slot passed at rest; until the next one this is the reason for not capturing.
  var isResting = false

  init(nextSequence: UInt32) { self.nextSequence = nextSequence }

  var isRunning: Bool { if case nil = schedule { false } else { true } }
  var state: State { isRunning ? .running : isFinished ? .finished : .stopped }

  /// Whether the capture that is being stored is a person's test.
  var isStoringTest: Bool {
    if case .requested(let capture, _, _) = storing { capture.trigger == .test } else { false }
  }

  /// Whether it belongs to an emergency.
  var isStoringEmergency: Bool {
    guard case .requested(let capture, _, _) = storing else { return false }
    return capture.trigger == .emergency || capture.trigger == .emergencyOver
  }

  /// The passage whose capture is being stored.
  var passageBeingStored: WantedPassages.One? {
    guard case .requested(let capture, _, _) = storing, let place = capture.mark?.place else {
      return nil
    }
    return WantedPassages.One(capture.trigger, place: place)
  }

  /// Why no more captures will come; none while it cannot be told whether the last session goes on.
  func silence(of ending: SessionRecord.Ending?) -> PlannedSilence {
    switch state {
    case .stopped where !isUndecided && ending == .stopped: .stoppedByPerson
    case .finished where !isUndecided: .finished
    case .stopped, .finished, .running: .none
    }
  }

  var isStoringNothing: Bool { if case .nothing = storing { true } else { false } }

  /// When the next capture is due, and the last one, where captures are due by time and there has
  /// been one.
  var slot: Instant? {
    if case nil = schedule?.last { nil } else { schedule?.slot }
  }
  var last: (at: Instant, position: Coordinate)? { schedule?.last }

  /// When the present slot has passed without a capture; `nil`: no session is running.
  func missedAt(budget: EnergyBudget) -> Instant? {
    schedule?.missedAt(budget: budget)
  }

  /// When it next has to act; `nil`: never, or not before the store answers.
  func deadline(budget: EnergyBudget, at now: Instant) -> Instant? {
    guard isStoringNothing else {
      if case .failed(_, _, let retryAt) = storing { return retryAt }
      return nil
    }
    if let slot = schedule?.slot, now < slot { return slot }
    return missedAt(budget: budget)
  }

  /// What should happen now; `nil`: no session is running.
  func judge(
    isClockTrusted: Bool, odometer: Int64, at now: Instant
  ) -> CaptureSchedule.Verdict? {
    schedule?.judge(
      missingFixReason: missingFixReason, isClockTrusted: isClockTrusted, odometer: odometer,
      at: now)
  }

  /// Why no capture is being taken at this instant; `nil` while one is.
  func reason(
    isClockTrusted: Bool, isReceiverPresent: Bool, odometer: Int64, at now: Instant
  ) -> Reason? {
    guard let verdict = judge(isClockTrusted: isClockTrusted, odometer: odometer, at: now) else {
      return isFinished ? .finished : .sessionStopped
    }
    switch storing {
    case .failed, .requested(_, _, isRetry: true): return .storeFailed
    case .requested: return nil
    case .nothing: break
    }
    switch verdict {
    case .take: return nil
    case .wait where !isReceiverPresent: return .noFix
    case .wait(.notDue): return isResting ? .atRest : .notDue
    case .wait(let reason): return reason
    }
  }
}

// Events of a session.
extension Session {
  mutating func run(_ schedule: CaptureSchedule) {
    self.schedule = schedule
    missingFixReason = .noFix
  }

  /// The session goes on where the machine was halted.
  mutating func wakeUp(
    slot: Instant, lastAt: Instant, _ position: Coordinate, budget: EnergyBudget, at now: Instant
  ) {
    guard let opportunity = schedule?.opportunity(budget: budget) else { return }
    // One that passed earlier would have been counted as missed.
    let earliest = now - max(Bounds.lateWake, opportunity)
    schedule?.wakeUp(slot: max(slot, earliest), lastAt: lastAt, position)
  }

  mutating func end(_ ending: SessionRecord.Ending) {
    schedule = nil
    isFinished = ending == .finished
    wanted = nil
  }

  // MARK: The schedule

  mutating func follow(_ policy: CapturePolicy, budget: EnergyBudget, at now: Instant) {
    schedule?.follow(policy, budget: budget, at: now)
  }

  mutating func offer(_ fix: Fix) {
    schedule?.offer(fix)
  }

  mutating func advanceSlot(budget: EnergyBudget?, at now: Instant) {
    schedule?.advanceSlot(budget: budget, at: now)
  }

  mutating func missSlot(budget: EnergyBudget?) {
    schedule?.missSlot(budget: budget)
  }

  // MARK: The disk

  /// A capture is passed to the store for the first time.
  mutating func store(_ capture: Capture, of fix: Fix?) {
    storing = .requested(capture, fix, isRetry: false)
  }

  /// Returns whether it is the expected capture.
  mutating func stored(
    _ sequence: UInt32, odometer: Int64, budget: EnergyBudget?, at now: Instant
  ) -> Bool {
    guard case .requested(let capture, let fix, _) = storing, capture.sequence == sequence
    else { return false }
    storing = .nothing
    nextSequence &+= 1
    isResting = false
    if let fix { schedule?.taken(fix, odometer: odometer, budget: budget, at: now) }
    return true
  }

  /// The same capture is stored again later, so that its sequence number is not lost.
  mutating func storeFailed(_ sequence: UInt32, at now: Instant) {
    guard case .requested(let capture, let fix, _) = storing, capture.sequence == sequence
    else { return }
    storing = .failed(capture, fix, retryAt: now + Bounds.storeRetry)
  }

  /// A capture that could not be stored becomes one of an emergency, which it would keep waiting
  /// otherwise: on a full disk for ever.
  ///
  /// - Returns: whether there is one. That an earlier emergency is over is none.
  mutating func claimFailed(at now: Instant) -> Bool {
    guard case .failed(var capture, let fix, _) = storing, capture.trigger != .emergencyOver else {
      return false
    }
    if capture.trigger == .emergency { return true }
    capture.trigger = .emergency
    storing = .failed(capture, fix, retryAt: now)
    return true
  }

  /// The capture to store again now, if any.
  mutating func retry(at now: Instant) -> Capture? {
    guard !isStoringNothing, case .failed(let capture, let fix, let retryAt) = storing,
      now >= retryAt
    else { return nil }
    storing = .requested(capture, fix, isRetry: true)
    return capture
  }
}

/// When the race is over. The battery has to last until then.
public enum Finish: Sendable, Equatable {
  case at(UTC)
  /// Counts from the session's first start.
  case after(Milliseconds)
}

/// When something is due.
enum Horizon: Sendable, Equatable {
  case never
  /// Not known until a date is trusted.
  case unknown
  case at(Instant)

  var instant: Instant? { if case .at(let instant) = self { instant } else { nil } }

  static func + (a: Horizon, b: Milliseconds) -> Horizon {
    if case .at(let instant) = a { .at(instant + b) } else { a }
  }
}

/// The finish, and the end of the session after it.
struct FinishRule {
  var finish: Finish?
  /// How much longer the session lasts; `nil`: until a person ends it.
  var grace: Milliseconds?

  init(_ configuration: Configuration) {
    finish = configuration.finish
    grace = configuration.endAfterFinish
  }

  /// When the race is over.
  func finish(of session: SessionRecord?, by clock: Clock, at now: Instant) -> Horizon {
    finish(of: session, at: now, on: clock.moment(at: now).utc)
  }

  /// - Parameter date: of `now`; `nil`: none is trusted.
  func finish(of session: SessionRecord?, at now: Instant, on date: UTC?) -> Horizon {
    switch finish {
    case nil: return .never
    case .at(let utc):
      guard let date else { return .unknown }
      return .at(now + (utc - date))
    case .after(let length):
      guard case .known(let age) = session?.begun.age(at: now, on: date) else { return .unknown }
      return .at(now - age + length.bounded)
    }
  }

  /// When the session ends by itself: never if a person began it after that time.
  func end(of session: SessionRecord?, by clock: Clock, at now: Instant) -> Horizon {
    guard let grace, finish != nil else { return .never }
    let end = finish(of: session, by: clock, at: now) + grace.bounded
    guard case .at(let finish) = finish, let session, session.isOrdered,
      let date = session.begun.utc, date >= finish + grace.bounded
    else { return end }
    return .never
  }
}

extension Configuration {
  var finishRule: FinishRule { FinishRule(self) }

  /// How far the finish is; 0 or less: it is over.
  ///
  /// - Parameters:
  ///   - session: from whose first start `Finish.after` counts.
  ///   - date: of `now`; `nil`: none is trusted.
  ///   - now: on the clock of the session's instants.
  /// - Returns: `nil`: there is no finish, or it cannot be known yet.
  public func untilFinish(session: SessionRecord?, date: UTC?, now: Instant) -> Milliseconds? {
    finishRule.finish(of: session, at: now, on: date).instant.map { $0 - now }
  }
}

extension Milliseconds {
  /// Between 0 and a year, so that sums stay within the calendar.
  fileprivate var bounded: Milliseconds { min(max(0, self), .hours(8766)) }
}
