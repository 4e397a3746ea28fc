public import CaptureStore
public import TrackerCore

/// Knows when a new start would mend the store: one that waits can be used again, or damage was
/// found while it was in use.
public final class StoreWatch {
  private let waiting: WaitingStore?
  private let interval = Milliseconds.seconds(60)
  private let begin: Instant
  /// When it has to look; `nil`: nothing waits.
  private(set) var lookAt: Instant?
  /// Why a new start is wanted.
  public private(set) var reason: String?

  /// - Parameters:
  ///   - waiting: what cannot be used now.
  ///   - wait: the time before it may want a new start. One that has mended nothing is not to be
  ///     repeated at once.
  public init(_ waiting: WaitingStore?, from now: Instant, after wait: Milliseconds) {
    self.waiting = waiting
    begin = now + wait
    lookAt = waiting == nil ? nil : begin
  }

  /// - Parameter problem: why the store failed the last time that it did.
  func look(at now: Instant, _ problem: StoreError?) {
    if problem?.kind == .damaged, now >= begin { reason = "the store is damaged" }
    if problem?.kind == .gone, now >= begin { reason = "the store was removed or replaced" }
    guard let lookAt, now >= lookAt, let waiting else { return }
    self.lookAt = now + interval
    if let new = waiting.reasonToStartAnew { reason = new }
  }
}
