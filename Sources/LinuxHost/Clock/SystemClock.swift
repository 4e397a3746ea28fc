internal import CSystemClock
import Glibc
public import SystemCalls
public import TrackerCore

/// The machine's date, as the kernel keeps it for all programs.
public protocol SystemClock: AnyObject {
  var date: UTC { get }
  /// Whether the kernel counts its date as right: because a time service keeps it so.
  func isSynchronised() throws(SystemError) -> Bool
  /// Replaces the date at once.
  ///
  /// - Returns: `false`: it was left alone, because a time service keeps it.
  func set(_ date: UTC) throws(SystemError) -> Bool
}

/// The date of this machine. The corresponding C functions are `adjtimex`, without modes, and
/// `clock_settime`.
public final class KernelClock: SystemClock {
  public init() {}

  public var date: UTC { BootClock.date }

  public func isSynchronised() throws(SystemError) -> Bool {
    let state = csystemclock_is_synchronised()
    guard state >= 0 else { throw .last }
    return state == 1
  }

  public func set(_ date: UTC) throws(SystemError) -> Bool {
    var time = timespec()
    time.tv_sec = time_t(date.milliseconds / 1000)
    time.tv_nsec = Int(date.milliseconds % 1000) * 1_000_000
    guard clock_settime(CLOCK_REALTIME, &time) == 0 else { throw .last }
    return true
  }
}
