public import CaptureStore
public import TrackerCore

/// Knows when a new start would mend the store: one that waits can be used again, or damage was
/// found while it was in use.
public final class StoreWatch {
  /// What a new start would mend, and why it would now.
  public enum Finding: Sendable, Equatable {
    /// What could not be used at the opening can be used now.
    case usable(why: String)
    /// It was damaged, removed or replaced while it was in use.
    case damaged(why: String)

    public var why: String {
      switch self {
      case .usable(let why), .damaged(let why): why
      }
    }
  }

  private let waiting: WaitingStore?
  private let interval = Milliseconds.seconds(60)
  private let begin: Instant
  /// When it has to look; `nil`: nothing waits.
  private(set) var lookAt: Instant?

  /// - Parameters:
  ///   - waiting: what cannot be used now.
  ///   - pause: the time before it may want a new start.
  public init(_ waiting: WaitingStore?, from now: Instant, after pause: Milliseconds) {
    self.waiting = waiting
    begin = now + pause
    lookAt = waiting == nil ? nil : begin
  }

  /// - Parameter problem: why the store failed the last time that it did.
  /// - Returns: why a new start is wanted, if it is.
  func look(at now: Instant, _ problem: StoreError?) -> Finding? {
    if now >= begin {
      if problem?.kind == .damaged { return .damaged(why: "the store is damaged") }
      if problem?.kind == .gone {
        return .damaged(why: "the store was removed or replaced")
      }
    }
    guard let lookAt, now >= lookAt, let waiting else { return nil }
    self.lookAt = now + interval
    return waiting.reasonToStartAnew.map { .usable(why: $0) }
  }
}

/// How long a store is used as it was opened before a new start may mend it: a minute, and an hour
/// where the last start mended nothing, because the store still waits or was soon damaged again.
public struct MendingPause: Sendable, Equatable {
  private static let usual = Milliseconds.seconds(60)
  private static let afterVain = Milliseconds.seconds(3600)

  private var hasStartedAnew = false
  /// New starts for the sake of a damaged store, each soon after the one before.
  private var damagesInARow = 0

  public init() {}

  /// A run has ended, and another begins.
  ///
  /// - Parameter length: how long the one that has ended was.
  public mutating func startsAnew(_ finding: StoreWatch.Finding, after length: Milliseconds) {
    hasStartedAnew = true
    switch finding {
    case .usable: damagesInARow = 0
    case .damaged:
      // After the long pause the damage comes an hour later at the soonest.
      damagesInARow = length < Self.afterVain + Self.afterVain ? damagesInARow + 1 : 1
    }
  }

  /// - Parameter isWaiting: whether this opening has left a store that cannot be used yet.
  public func length(isWaiting: Bool) -> Milliseconds {
    isWaiting && hasStartedAnew || damagesInARow > 1 ? Self.afterVain : Self.usual
  }
}
