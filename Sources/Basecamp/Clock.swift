import FeatureService
import Glibc
import SystemCalls
import TrackerCore

extension ServiceTime {
  /// This machine's clocks.
  static var now: ServiceTime {
    ServiceTime(
      uptime: Milliseconds(milliseconds(of: CLOCK_MONOTONIC)),
      utc: UTC(milliseconds: milliseconds(of: CLOCK_REALTIME)))
  }
}
