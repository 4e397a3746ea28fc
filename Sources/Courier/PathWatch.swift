import TrackerCore
import Uplink

/// Watches what becomes of the requests of a courier, and fits those that follow to the path.
struct PathWatch {
  private(set) var estimate = PathEstimate()
  private var task = Task()
  /// When the last request was sent, and when an answer last came.
  private var sentAt = Instant.start
  private var heardAt: Instant?
  /// Of the last upload, bytes for each capture.
  private var captureBytes: Int32 = 1

  /// What the current task sends.
  private struct Task {
    var captures: Int32 = 0
    /// Its captures are in its largest body; the other requests are for tokens and the like.
    var bytes: Int32 = 0
    var lastBytes: Int32 = 0
    var isLost = false
    var isOnNewConnection = true
  }

  // MARK: What is sent

  /// A larger request may only be tried once others got through: with the oldest captures.
  func bounded(_ selection: Selection, at now: Instant) -> Selection {
    switch selection {
    case .freshest(let count): .freshest(limit: min(count, captures(mayProbe: false, at: now)))
    case .oldest(let count): .oldest(limit: min(count, captures(mayProbe: true, at: now)))
    }
  }

  private func captures(mayProbe: Bool, at now: Instant) -> UInt32 {
    guard let limit = estimate.limit(mayProbe: mayProbe, at: now) else { return .max }
    return UInt32(max(1, limit / captureBytes))
  }

  /// How many captures one question may be about.
  func questions(at now: Instant) -> Int {
    guard let limit = estimate.limit(mayProbe: false, at: now) else { return UplinkBounds.captures }
    return max(Int(limit), CourierBounds.smallRequest) / CourierBounds.questionBytes
  }

  mutating func begin(captures count: Int) { task = Task(captures: Int32(clamping: count)) }

  mutating func prepare(_ request: HTTPRequest, at now: Instant) -> HTTPRequest {
    var request = request
    task.lastBytes = Int32(clamping: request.body.count)
    task.bytes = max(task.bytes, task.lastBytes)
    request.patience = estimate.patience(bytes: task.lastBytes)
    request.needsNewConnection = estimate.wantsNewConnection(at: now)
    let isKept = heardAt.map { now - $0 <= UplinkBounds.connectionLife } ?? false
    task.isOnNewConnection = request.needsNewConnection || !isKept
    sentAt = now
    return request
  }

  // MARK: What becomes of it

  mutating func heard(_ reply: HTTPReply, at now: Instant) {
    switch reply {
    case .response:
      task.isLost = false
      heardAt = now
      estimate.answered(after: now - sentAt)
    case .lost, .stalled:
      task.isLost = true
      heardAt = nil
      estimate.lost(at: now)
    case .unreachable, .tooLarge:
      task.isLost = false
      heardAt = nil
    }
  }

  /// An upload has ended. A question says nothing about sizes.
  mutating func ended(_ outcome: UploadOutcome, at now: Instant) {
    // Captures in an address.
    guard task.captures > 0, task.bytes > 0 else { return }
    captureBytes = max(1, task.bytes / task.captures)
    switch outcome {
    case .answered, .refused(_, _, count: 1...): estimate.carried(task.bytes)
    case .ambiguous, .stalled:
      guard task.isLost, task.isOnNewConnection, task.lastBytes == task.bytes else { return }
      estimate.swallowed(task.bytes, at: now)
    case .refused, .unauthorised, .busy, .unreachable, .empty: break
    }
  }
}
