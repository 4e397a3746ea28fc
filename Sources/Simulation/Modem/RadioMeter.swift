import TrackerCore

/// Measures how long something was on in total.
struct RadioMeter: Sendable {
  private var since: Instant?
  private var sum: Milliseconds = 0

  mutating func turn(isOn: Bool, at now: Instant) {
    sum = total(at: now)
    since = isOn ? now : nil
  }

  func total(at now: Instant) -> Milliseconds {
    since.map { sum + max(0, now - $0) } ?? sum
  }
}
