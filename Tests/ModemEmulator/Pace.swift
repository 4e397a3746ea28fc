/// How much a line carries: bytes become free as time passes.
struct Pace: Sendable {
  /// Bytes per second.
  private let rate: Double
  private var free = 0.0
  private var last: Int64 = 0

  /// - Parameter baud: bits per second; 10 of them make a byte.
  init(baud: Int) { rate = Double(baud) / 10 }

  /// How many bytes it carries by now.
  ///
  /// - Parameter now: milliseconds.
  mutating func room(at now: Int64) -> Int {
    // What nobody sent in is gone: half a second's worth is kept, for a thread that came late.
    free = min(free + Double(now - last) * rate / 1000, rate / 2)
    last = now
    return Int(free)
  }

  mutating func spend(_ bytes: Int) { free -= Double(bytes) }
}

/// Sums up how long something was on.
struct RadioMeter: Sendable {
  private var since: Int64?
  private var sum: Int64 = 0

  mutating func turn(isOn: Bool, at now: Int64) {
    sum = total(at: now)
    since = isOn ? now : nil
  }

  func total(at now: Int64) -> Int64 { sum + (since.map { max(0, now - $0) } ?? 0) }
}
