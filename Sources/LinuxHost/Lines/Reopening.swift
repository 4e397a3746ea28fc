import TrackerCore

/// When a line that is down is tried again, and what is said about it.
///
/// Pauses while nothing comes from the line: 250 ms, 500 ms, 1 s, 2 s, 4 s, then 5 s each.
struct Reopening {
  static let firstPause = Milliseconds(250)
  static let longestPause = Milliseconds.seconds(5)

  /// When to try, while the line is down.
  private(set) var tryAt = Instant.start
  private var pause = Self.firstPause
  /// What was said since the line last stood.
  private var said: LineProblem?

  /// The line could not be opened.
  ///
  /// - Returns: what is to be said; `nil` when it was said already.
  mutating func failed(_ problem: LineProblem, at now: Instant) -> LineEvent? {
    plan(at: now)
    if problem == said || problem.isAbsence && said?.isAbsence == true { return nil }
    said = problem
    return .unavailable(problem)
  }

  mutating func opened() { said = nil }

  /// Bytes have come: it works, and is worth an early try when it goes.
  mutating func heard() { pause = Self.firstPause }

  mutating func lost(at now: Instant) {
    plan(at: now)
    // That the device of a pulled plug is not there is no news.
    var absence = LineProblem("")
    absence.isAbsence = true
    said = absence
  }

  private mutating func plan(at now: Instant) {
    tryAt = now + pause
    pause = min(pause + pause, Self.longestPause)
  }
}
