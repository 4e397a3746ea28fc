import TrackerCore

/// What the server was promised, and what became of it.
///
/// Each upload names the latest time of the next contact. A promise is broken when that time
/// passes; a contact that comes before it keeps the promise.
public struct PromiseTracker: Sendable, Equatable {
  public private(set) var given: UInt32 = 0
  public private(set) var broken: UInt32 = 0
  private var open: Instant?

  public init() {}

  /// The server learned of a promise.
  public mutating func give(until deadline: Instant) {
    given += 1
    open = deadline
  }

  /// The server heard from the tracker.
  public mutating func kept(at now: Instant) {
    if let open, now > open { broken += 1 }
    open = nil
  }

  /// Nothing more will come.
  public mutating func close(at now: Instant) { kept(at: now) }
}
