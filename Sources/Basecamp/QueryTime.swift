import FeatureService
import Synchronization
import SystemCalls
public import TrackerCore

extension HostTime {
  /// This machine's clocks.
  public static var now: HostTime {
    HostTime(
      utc: UTC(milliseconds: KernelTimer.date.milliseconds),
      uptime: Milliseconds(KernelTimer.monotonic.milliseconds))
  }
}

/// How long the query of this thread may still take.
struct QueryTime: Sendable {
  private let ending: Ending
  private let own: Int64
  private let all: Int64
  private let start = Self.now

  /// - Parameters:
  ///   - own: of this thread's computing, in milliseconds.
  ///   - all: in milliseconds, whatever it waits for.
  init(
    _ ending: Ending, own: Int64 = Bounds.querySeconds * 1000,
    all: Int64 = Bounds.queryPatienceSeconds * 1000
  ) {
    self.ending = ending
    self.own = own
    self.all = all
  }

  /// The computing time of this thread, and the time.
  private static var now: (own: Int64, all: Int64) {
    (KernelTimer.thread.milliseconds, KernelTimer.monotonic.milliseconds)
  }

  @Sendable func isLeft() -> Bool {
    let now = Self.now
    return now.own - start.own < own && now.all - start.all < all && !ending.isHere
  }
}

/// Whether the server is being stopped, which ends all waits.
final class Ending: Sendable {
  private let hasCome = Atomic<Bool>(false)

  var isHere: Bool { hasCome.load(ordering: .relaxed) }

  func come() { hasCome.store(true, ordering: .relaxed) }

  func wait(_ time: Milliseconds) {
    let end = HostTime.now.uptime + time
    while !hasCome.load(ordering: .relaxed) {
      let rest = end - HostTime.now.uptime
      if rest <= 0 { return }
      pause(milliseconds: min(rest, 50).count)
    }
  }
}

/// A thread that runs a closure, and that `deinit` waits for.
struct Watch: ~Copyable {
  private let thread: SmallThread

  /// - Parameter body: ends by itself.
  init(_ body: @escaping @Sendable () -> Void) {
    let thread = try? SmallThread(isDetached: false, body)
    guard let thread else {
      preconditionFailure("a program that just opened a socket can start a thread")
    }
    self.thread = thread
  }

  deinit { thread.join() }
}
