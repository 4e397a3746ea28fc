import TrackerCore
import Wording

/// When to retry a line that is down, and what to report about it.
///
/// Pauses until bytes come from the line: 250 ms, 500 ms, 1 s, 2 s, 4 s, then 5 s each.
struct Reopening {
  static let firstPause = Milliseconds(250)
  static let longestPause = Milliseconds.seconds(5)

  /// When to retry, while the line is down.
  private(set) var tryAt = Instant.start
  private var pause = Self.firstPause
  /// What was reported since the line was last open.
  private var said: LineProblem?

  /// The line could not be opened.
  ///
  /// - Returns: the event to report; `nil` when it was reported already.
  mutating func failed(_ problem: LineProblem, at now: Instant) -> LineEvent? {
    plan(at: now)
    if problem == said || problem.isAbsence && said?.isAbsence == true { return nil }
    said = problem
    return .unavailable(problem)
  }

  mutating func opened() { said = nil }

  /// Bytes have come: the line works, so it is retried early after a loss.
  mutating func heard() { pause = Self.firstPause }

  mutating func lost(at now: Instant) {
    plan(at: now)
    // A missing device is not reported again after it was unplugged.
    var absence = LineProblem("".texts)
    absence.isAbsence = true
    said = absence
  }

  private mutating func plan(at now: Instant) {
    tryAt = now + pause
    pause = min(pause + pause, Self.longestPause)
  }
}
