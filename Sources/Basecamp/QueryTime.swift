import Glibc
import SystemCalls
import TrackerCore

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
