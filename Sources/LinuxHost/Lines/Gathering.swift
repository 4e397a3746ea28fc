import TrackerCore

/// Lets a burst gather: after its first byte the descriptor is not polled for a while, and what
/// has come by then is read at once.
///
/// Sentences come in pieces, at 9600 baud a few bytes every few milliseconds; each wake-up for a
/// piece costs more than the piece.
struct Gathering {
  enum State: Equatable {
    /// Polled; nothing has come yet. To `gathering` by the first byte.
    case waiting
    /// Not polled. To `ripe` when the time is over or somebody is in a hurry.
    case gathering(until: Instant)
    /// Polled, and to be read. To `waiting` when all is read.
    case ripe
  }

  /// How long; zero: not at all.
  private let time: Milliseconds
  private(set) var state = State.waiting

  init(_ time: Milliseconds) { self.time = time }

  var isHidden: Bool { wakeAt != nil }

  var wakeAt: Instant? {
    if case .gathering(let until) = state { return until }
    return nil
  }

  /// Something lies ready.
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

  /// What lies ready is wanted now.
  mutating func hurry() { if time > 0 { state = .ripe } }

  /// - Parameter isAll: whether nothing is left, as far as can be known.
  mutating func read(isAll: Bool) { if isAll { state = .waiting } }
}
