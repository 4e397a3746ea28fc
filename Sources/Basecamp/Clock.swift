import FeatureService
import Glibc
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
