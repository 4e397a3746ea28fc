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
}
