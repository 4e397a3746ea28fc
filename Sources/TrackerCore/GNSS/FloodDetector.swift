/// Detects a line that delivers more than any receiver sends.
struct FloodDetector: Sendable, Equatable {
  private var windowStart: Instant
  private var bytes: Int64 = 0
  private var isFlooding = false

  init(at now: Instant) { windowStart = now }

  /// Counts received bytes. Returns the rate in bytes per second when a flood begins.
  mutating func count(_ count: Int, at now: Instant) -> Int32? {
    let elapsed = now - windowStart
    if elapsed >= Bounds.floodWindow || elapsed < 0 {
      if bytes <= Self.most { isFlooding = false }
      windowStart = now
      bytes = 0
    }
    bytes &+= Int64(count)
    guard bytes > Self.most && !isFlooding else { return nil }
    isFlooding = true
    let since = max(1000, (now - windowStart).count)
    return Int32(clamping: bytes / (since / 1000))
  }

  private static var most: Int64 { Bounds.receiverFlood * Bounds.floodWindow.count / 1000 }
}
