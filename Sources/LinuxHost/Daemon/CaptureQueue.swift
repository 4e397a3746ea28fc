public import CaptureStore
import Courier
public import TrackerCore
import Uplink

/// The queue of captures in the loop: its courier, what consoles are told of it, and whether a
/// restart would help its store.
final class CaptureQueue: PollSource {
  var courier: Courier<AnyDialogue>
  private(set) var news: QueueNews
  /// Captures whose identifiers belonged to others on the server.
  var displaced: Int64 = 0
  private let watch: StoreWatch?
  /// How many damaged rows have been logged.
  private var damagedRows = 0

  init(_ courier: Courier<AnyDialogue>, _ watch: StoreWatch?) {
    self.courier = courier
    self.watch = watch
    news = QueueNews(courier.store)
  }

  /// An event goes to the tracker.
  func arrived(_ event: Event) {
    switch event {
    case .captureStored: news.lookUp(courier.store)
    case .uploadFinished, .reconcileFinished, .queueChanged: news.lookUpAll(courier.store)
    case .deadlineReached, .batteryMeasured, .batteryLost, .storeFailed, .linkChanged,
      .textFinished, .textsRead, .lineChanged, .pinChanged, .commandGiven, .haltRefused,
      .fetchFinished:
      break
    }
  }

  /// Logs damaged rows once, and ends the run if a restart would repair the file.
  func tend(_ pass: inout Pass) {
    if courier.store.damagedRows > damagedRows {
      damagedRows = courier.store.damagedRows
      pass.log.write(
        .error, "damaged rows of the store were set aside",
        ["rows": "\(damagedRows)", "where": "the store's table damaged"])
    }
    guard let finding = watch?.look(at: pass.now, courier.storeProblem) else { return }
    pass.news.append(.storeCanBeMended(finding))
  }

  func register(in wait: inout LoopWait, at now: Instant) { wait.wake(at: watch?.lookAt) }
}

/// Detects when a restart would help the store: a waiting store can be used again, or the store was
/// found damaged or missing while in use.
public final class StoreWatch {
  /// What a restart would repair, and why now.
  public enum Finding: Sendable, Equatable {
    /// A store that could not be used at the opening can be used now.
    case usable(why: String)
    /// The store was damaged, removed or replaced while it was in use.
    case damaged(why: String)

    public var why: String {
      switch self {
      case .usable(let why), .damaged(let why): why
      }
    }
  }

  private let waiting: WaitingStore?
  private let begin: Instant
  /// When to look next; `nil`: no store is waiting.
  private(set) var lookAt: Instant?

  /// - Parameters:
  ///   - waiting: a store that cannot be used now.
  ///   - pause: the time before it may want a restart.
  public init(_ waiting: WaitingStore?, from now: Instant, after pause: Milliseconds) {
    self.waiting = waiting
    begin = now + pause
    lookAt = waiting == nil ? nil : begin
  }

  /// - Parameter problem: the store's last error.
  /// - Returns: why a restart is wanted, if it is.
  func look(at now: Instant, _ problem: StoreError?) -> Finding? {
    if now >= begin {
      if problem?.kind == .damaged { return .damaged(why: "the store is damaged") }
      if problem?.kind == .gone {
        return .damaged(why: "the store was removed or replaced")
      }
    }
    guard let lookAt, now >= lookAt, let waiting else { return nil }
    self.lookAt = now + HostBounds.waitingStoreLook
    return waiting.reasonToStartAnew.map { .usable(why: $0) }
  }
}

/// How long to wait before a restart that may repair the store: a minute, or an hour if the last
/// restart did not help, because the store is still waiting or was soon damaged again.
public struct MendingPause: Sendable, Equatable {
  private var hasStartedAnew = false
  /// Restarts because of a damaged store, each soon after the previous one.
  private var damagesInARow = 0

  public init() {}

  /// A run has ended, and another begins.
  ///
  /// - Parameter length: the length of the run that has ended.
  public mutating func startsAnew(_ finding: StoreWatch.Finding, after length: Milliseconds) {
    hasStartedAnew = true
    switch finding {
    case .usable: damagesInARow = 0
    case .damaged:
      // After the long pause, damage is found an hour after the start at the earliest.
      damagesInARow =
        length < HostBounds.mendingPauseAfterVain + HostBounds.mendingPauseAfterVain
        ? damagesInARow + 1 : 1
    }
  }

  /// - Parameter isWaiting: whether a store could not be used at this opening.
  public func length(isWaiting: Bool) -> Milliseconds {
    isWaiting && hasStartedAnew || damagesInARow > 1
      ? HostBounds.mendingPauseAfterVain : HostBounds.mendingPause
  }
}
