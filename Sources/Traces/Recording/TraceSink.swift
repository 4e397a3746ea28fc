import TrackerCore

/// Where a recording is written. It must not block the tracker for long, and reports failures by
/// its return value only.
public protocol TraceSink {
  /// Takes whole lines of the current part.
  ///
  /// - Returns: `false` if none of them was kept. The recorder then offers a line about the gap
  ///   from time to time until it is accepted.
  mutating func write(_ lines: [UInt8], at now: Instant) -> Bool
  /// Whether the current part has reached its largest size.
  var isPartFull: Bool { get }
  /// Begins a new part with the next write.
  mutating func beginPart()
  /// Ends the recording; everything accepted must then be stored safely.
  mutating func finish()
}
