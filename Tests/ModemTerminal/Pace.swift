import TrackerCore

/// How much a line carries: bytes become free as time passes.
struct Pace: Sendable {
  /// Bytes per second.
  private let rate: Double
  private var free = 0.0
  private var last = Instant.start

  /// - Parameter baud: bits per second; 10 of them make a byte.
  init(baud: Int) { rate = Double(baud) / 10 }

  /// How many bytes it carries by now.
  mutating func room(at now: Instant) -> Int {
    // What nobody sent in is gone: half a second's worth is kept, for a thread that came late.
    free = min(free + Double((now - last).count) * rate / 1000, rate / 2)
    last = now
    return Int(free)
  }

  mutating func spend(_ bytes: Int) { free -= Double(bytes) }
}
