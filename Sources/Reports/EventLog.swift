import TrackerCore

/// Every event and effect as one line each, hashed, and kept if somebody wants them.
///
///     600000 < deadlineReached
///     600000 > store sequence=2 utc=1776499200000 ... team="Els Senglars"
///
/// The first number is the instant in milliseconds since the start; `<` came to the tracker, `>`
/// is what it wanted.
public struct EventLog: HostObserver {
  private var writer = LineWriter()
  private let keepsLines: Bool
  private let write: ([UInt8]) -> Void
  public private(set) var digest = Digest()

  /// How much is gathered before it is handed to `write`.
  private static let chunk = 65_536
  private var kept: [UInt8] = []

  /// - Parameter write: takes the lines in chunks; `nil` where only the digest is of interest.
  public init(write: (([UInt8]) -> Void)? = nil) {
    keepsLines = write != nil
    self.write = write ?? { _ in }
  }

  public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    writer.line(arrival, at: now)
    take()
  }

  public mutating func pushed(_ effect: Effect, at now: Instant) {
    writer.line(effect, at: now)
    take()
  }

  private mutating func take() {
    for byte in writer.bytes { digest.add(byte) }
    if keepsLines {
      kept.append(contentsOf: writer.bytes)
      if kept.count >= Self.chunk { flush() }
    }
    writer.clear()
  }

  /// Hands over what was gathered.
  public mutating func flush() {
    write(kept)
    kept.removeAll(keepingCapacity: true)
  }
}
