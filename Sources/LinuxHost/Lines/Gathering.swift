import TrackerCore

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
