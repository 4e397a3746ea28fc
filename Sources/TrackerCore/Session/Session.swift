/// Everything between a start and a stop: the schedule of captures and the one on its way to disk.
struct Session: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Exits: `running`.
    case stopped
    /// Ended by itself, after the finish. Exits: `running`, `stopped`.
    case finished
    /// Exits: `stopped`, `finished`.
    case running(CaptureSchedule)
  }

  /// A capture that was handed to the store and is not announced yet.
  enum Storing: Sendable, Equatable {
    /// Exits: `requested`.
    case nothing
    /// A retry goes on being a failure until the disk says otherwise. Exits: `nothing`, `failed`.
    case requested(Capture, Fix, isRetry: Bool)
    /// Exits: `requested`.
    case failed(Capture, Fix, retryAt: Instant)
  }

  var state = State.stopped
  /// The tracker has just started, and whether what it was doing before still counts takes a
  /// trusted date to tell.
  var isUndecided = false
  var storing = Storing.nothing
  var nextSequence: UInt32
  /// Somebody asked for a capture and there was no fix yet.
  var isCaptureWanted = false
  /// Why there is no usable fix, by the last report.
  var missingFixReason = Reason.noFix
  /// The last slot passed at rest; until the next one that is why there is no capture.
  var isResting = false

  init(nextSequence: UInt32) { self.nextSequence = nextSequence }

  var isRunning: Bool { if case .running = state { true } else { false } }

  var schedule: CaptureSchedule? {
    if case .running(let schedule) = state { schedule } else { nil }
  }

  /// When it next wants to act by itself; `nil`: never, or the disk answers first.
  func deadline(pace: Pace, at now: Instant) -> Instant? {
    switch storing {
    case .failed(_, _, let retryAt): return retryAt
    case .requested: return nil
    case .nothing: break
    }
    guard case .running(let schedule) = state else { return nil }
    return now < schedule.slot ? schedule.slot : schedule.slot + schedule.opportunity(pace: pace)
  }

  /// Why no capture is being taken at this instant; `nil` while one is.
  func reason(
    isClockTrusted: Bool, isReceiverPresent: Bool, odometer: Int64, at now: Instant
  ) -> Reason? {
    let schedule: CaptureSchedule
    switch state {
    case .stopped: return .sessionStopped
    case .finished: return .finished
    case .running(let running): schedule = running
    }
    switch storing {
    case .failed, .requested(_, _, isRetry: true): return .storeFailed
    case .requested: return nil
    case .nothing: break
    }
    let verdict = schedule.judge(
      missingFixReason: missingFixReason, isClockTrusted: isClockTrusted, odometer: odometer,
      at: now)
    switch verdict {
    case .take: return nil
    case .wait where !isReceiverPresent: return .noFix
    case .wait(.notDue): return isResting ? .atRest : .notDue
    case .wait(let reason): return reason
    }
  }
}
