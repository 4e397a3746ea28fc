public import CaptureStore
public import TrackerCore

/// Looks whether there is room again for a store that waits, while a second one stands in for it.
public final class RoomWatch {
  private let waiting: WaitingStore
  private let interval: Milliseconds
  private(set) var lookAt: Instant
  /// There is: a new start would salvage it.
  public private(set) var hasRoom = false

  /// - Parameters:
  ///   - wait: the time before the first look. A salvage that has failed although there seemed to
  ///     be room is not to be tried again at once.
  public init(
    _ waiting: WaitingStore, from now: Instant, after wait: Milliseconds,
    interval: Milliseconds = .seconds(60)
  ) {
    self.waiting = waiting
    self.interval = interval
    lookAt = now + wait
  }

  func look(at now: Instant) {
    guard now >= lookAt else { return }
    lookAt = now + interval
    hasRoom = waiting.hasRoom
  }
}
