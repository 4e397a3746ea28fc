import FeatureService
import Glibc
import Synchronization
import SystemCalls
import TrackerCore

extension HostTime {
  /// This machine's clocks.
  static var now: HostTime {
    HostTime(
      utc: UTC(milliseconds: milliseconds(of: CLOCK_REALTIME)),
      uptime: Milliseconds(milliseconds(of: CLOCK_MONOTONIC)))
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
    (milliseconds(of: CLOCK_THREAD_CPUTIME_ID), milliseconds(of: CLOCK_MONOTONIC))
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
      usleep(UInt32(min(rest, 50).count * 1000))
    }
  }
}

/// A thread that runs a closure, and that `deinit` waits for.
struct Watch: ~Copyable {
  private final class Task {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private var thread = pthread_t()

  /// - Parameter body: ends by itself.
  init(_ body: @escaping @Sendable () -> Void) {
    let task = Unmanaged.passRetained(Task(body))
    let code = pthread_create(
      &thread, nil,
      { task in
        if let task { Unmanaged<Task>.fromOpaque(task).takeRetainedValue().body() }
        return nil
      }, task.toOpaque())
    precondition(code == 0, "a program that just opened a socket can start a thread")
  }

  deinit { pthread_join(thread, nil) }
}
