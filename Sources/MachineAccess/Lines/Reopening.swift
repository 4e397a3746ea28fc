import TrackerCore
import Wording

/// When to retry a line that is down, and what to report about it.
///
/// Pauses until bytes come from the line: 250 ms, 500 ms, 1 s, 2 s, 4 s, then 5 s each.
struct Reopening {
  /// When to retry, while the line is down.
  private(set) var tryAt = Instant.start
  private var pause = MachineBounds.reopeningFirst
  /// What was reported since the line was last open.
  private var said: LineError?

  /// The line could not be opened.
  ///
  /// - Returns: the event to report; `nil` when it was reported already.
  mutating func failed(_ problem: LineError, at now: Instant) -> LineEvent? {
    plan(at: now)
    if problem == said || problem.isAbsence && said?.isAbsence == true { return nil }
    said = problem
    return .unavailable(problem)
  }

  mutating func opened() { said = nil }

  /// Bytes have come: the line works, so it is retried early after a loss.
  mutating func heard() { pause = MachineBounds.reopeningFirst }

  mutating func lost(at now: Instant) {
    plan(at: now)
    // A missing device is not reported again after it was unplugged.
    var absence = LineError("".texts)
    absence.isAbsence = true
    said = absence
  }

  private mutating func plan(at now: Instant) {
    tryAt = now + pause
    pause = min(pause + pause, MachineBounds.reopeningLongest)
  }
}

/// Lets a burst gather: after its first byte the descriptor is not polled for a while, and then
/// everything is read at once.
///
/// Sentences arrive in pieces, at 9600 baud a few bytes every few milliseconds; waking up for a
/// piece costs more than handling it.
struct Gathering {
  enum State: Equatable {
    /// Polled; nothing has come yet. To `gathering` at the first byte.
    case waiting
    /// Not polled. To `ripe` when the time is over or after `hurry`.
    case gathering(until: Instant)
    /// Polled and read at once. To `waiting` when everything is read.
    case ripe
  }

  /// How long to gather; zero: not at all.
  private let time: Milliseconds
  private(set) var state = State.waiting

  init(_ time: Milliseconds) { self.time = time }

  var isHidden: Bool { wakeAt != nil }

  var wakeAt: Instant? {
    if case .gathering(let until) = state { return until }
    return nil
  }

  /// There is something to read.
  ///
  /// - Returns: whether to read it now.
  mutating func isToRead(at now: Instant) -> Bool {
    guard case .waiting = state, time > 0 else { return true }
    state = .gathering(until: now + time)
    return false
  }

  mutating func tend(at now: Instant) {
    if let wakeAt, now >= wakeAt { state = .ripe }
  }

  /// What has gathered is needed now.
  mutating func hurry() { if time > 0 { state = .ripe } }

  /// - Parameter isAll: whether probably nothing is left to read.
  mutating func read(isAll: Bool) { if isAll { state = .waiting } }
}
