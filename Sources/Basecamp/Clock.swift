import FeatureService
import Glibc
import TrackerCore

extension ServiceTime {
  /// This machine's clocks.
  static var now: ServiceTime {
    ServiceTime(
      uptime: Milliseconds(milliseconds(CLOCK_MONOTONIC)),
      utc: UTC(milliseconds: milliseconds(CLOCK_REALTIME)))
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }
}
