import TrackerCore

/// Counts the promises to the server, and the broken ones.
///
/// Each upload promises the latest time of the next contact. The promise is broken if that time
/// passes without a contact.
public struct PromiseTracker: Sendable, Equatable {
  public private(set) var given: UInt32 = 0
  public private(set) var broken: UInt32 = 0
  private var open: Instant?

  public init() {}

  /// The server received a promise.
  public mutating func give(until deadline: Instant) {
    given += 1
    open = deadline
  }

  /// The server heard from the tracker.
  public mutating func kept(at now: Instant) {
    if let open, now > open { broken += 1 }
    open = nil
  }

  /// The run has ended.
  public mutating func close(at now: Instant) { kept(at: now) }
}
