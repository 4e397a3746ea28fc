import TrackerCore

/// Where a recording goes. It must never hold a tracker up for long, and never throws at it.
public protocol TraceSink {
  /// Takes whole lines of the current part.
  ///
  /// - Returns: `false` when none of them was kept. The recorder then offers, now and then, a line
  ///   that tells of the gap, until it is taken.
  mutating func write(_ lines: [UInt8], at now: Instant) -> Bool
  /// Whether the current part is as large as it may become.
  var isPartFull: Bool { get }
  /// What is written next begins a new part.
  mutating func beginPart()
  /// Nothing follows: what was taken must be safe now.
  mutating func finish()
}
