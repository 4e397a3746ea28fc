internal import Glibc

/// The kernel's clocks.
public enum KernelTimer: Sendable {
  /// Never steps, and continues while the machine is suspended.
  case boot
  /// Never steps.
  case monotonic
  /// The machine's date.
  case date
  /// The processor time of this thread.
  case thread

  fileprivate var identifier: clockid_t {
    switch self {
    case .boot: CLOCK_BOOTTIME
    case .monotonic: CLOCK_MONOTONIC
    case .date: CLOCK_REALTIME
    case .thread: CLOCK_THREAD_CPUTIME_ID
    }
  }

  public var milliseconds: Int64 {
    var time = timespec()
    // Cannot fail: these clocks exist on every Linux, and the address is valid.
    clock_gettime(identifier, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// The machine's time zone at some time, by TZ or `/etc/localtime`. The corresponding C function is
/// `localtime_r`.
///
/// - Parameter seconds: since 1970.
/// - Returns: seconds east of UTC, and the zone's short name then: `CEST`.
public func localTime(at seconds: Int64) -> (offset: Int64, zone: String) {
  var seconds = time_t(seconds)
  var parts = tm()
  tzset()
  localtime_r(&seconds, &parts)
  return (Int64(parts.tm_gmtoff), parts.tm_zone.map { String(cString: $0) } ?? "")
}

/// Replaces the machine's date at once. The corresponding C function is `clock_settime`.
///
/// - Parameter milliseconds: since 1970.
public func setDate(_ milliseconds: Int64) throws(SystemError) {
  var time = timespec()
  time.tv_sec = time_t(milliseconds / 1000)
  time.tv_nsec = Int(milliseconds % 1000) * 1_000_000
  try systemCall("clock_settime") { clock_settime(CLOCK_REALTIME, &time) }
}

/// Makes the calling thread wait. A signal may end that sooner.
public func pause(milliseconds: Int64) { usleep(UInt32(clamping: max(0, milliseconds) * 1000)) }
