import Glibc
public import TrackerCore

/// The clocks of this machine, as the core counts time: milliseconds since this object was made,
/// and the date.
///
/// CLOCK_BOOTTIME never steps and goes on while the machine is suspended.
public struct BootClock: Sendable {
  private let base: Int64
  /// How much faster than the machine's it runs: 1 but for rehearsals.
  private let speed: Int64

  public init(speed: Int64 = 1) {
    self.speed = max(1, speed)
    base = Self.milliseconds(of: CLOCK_BOOTTIME)
  }

  public var now: Instant {
    .start + Milliseconds((Self.milliseconds(of: CLOCK_BOOTTIME) - base) * speed)
  }

  /// How long the machine has to sleep for that time to pass, milliseconds; never too short.
  func sleep(_ time: Milliseconds) -> Int64 {
    let (rest, isTooLong) = max(0, time.count).addingReportingOverflow(speed - 1)
    return (isTooLong ? .max : rest) / speed
  }

  /// What this machine takes for the date: 1970 after a boot without a network.
  public static var date: UTC { UTC(milliseconds: milliseconds(of: CLOCK_REALTIME)) }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    // Cannot fail: both clocks exist on every Linux, and the address is ours.
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
