internal import CSystemClock
import MachineAccess
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
    guard state >= 0 else { throw .last("adjtimex") }
    return state == 1
  }

  public func set(_ date: UTC) throws(SystemError) -> Bool {
    try setDate(date.milliseconds)
    return true
  }
}

/// Sets one of the kernel's clocks that run while the machine is off. The corresponding C function
/// is `ioctl` with `RTC_SET_TIME`.
///
/// - Parameter seconds: since 1970.
func setClock(_ device: borrowing Descriptor, to seconds: Int64) throws(SystemError) {
  guard csystemclock_set_rtc(device.number, seconds) == 0 else { throw .last("ioctl") }
}

/// Takes the receiver's time, to keep the machine's date by it.
public protocol TimeFeed: AnyObject {
  /// - Parameters:
  ///   - time: the receiver's.
  ///   - received: the machine's date when that arrived. Neither is before 1970.
  func feed(_ time: UTC, received: UTC) throws(SystemError)
}

/// A reference clock in shared memory for chrony or ntpd (`refclock SHM 0`).
///
/// chronyd makes the segment. One that the tracker made would go with the tracker's service, and
/// chronyd would go on reading it.
///
/// Source: docs.ntpsec.org/latest/driver_shm.html, operation mode 1.
public final class SharedMemoryClock: TimeFeed {
  /// `NTP0`: unit 0; unit 1 has the next key.
  public static let unit0: Int32 = 0x4E54_5030
  /// A power of two, seconds: a receiver's sentences come within half a second of their time.
  static let precision: Int32 = -1

  private let key: Int32
  /// The segment's number; `nil` before it is attached.
  private(set) var identifier: Int32?
  private var segment: UnsafeMutablePointer<csystemclock_segment>?

  /// - Parameter key: `IPC_PRIVATE` makes a segment that only tests find.
  public init(key: Int32 = unit0) { self.key = key }

  deinit { if let segment { csystemclock_detach(segment) } }

  public func feed(_ time: UTC, received: UTC) throws(SystemError) {
    let segment = try attached()
    guard time.milliseconds >= 0, received.milliseconds >= 0 else { return }
    csystemclock_write(
      segment, time.milliseconds * 1_000_000, received.milliseconds * 1_000_000, Self.precision)
  }

  private func attached() throws(SystemError) -> UnsafeMutablePointer<csystemclock_segment> {
    if let segment { return segment }
    let found = csystemclock_find(key)
    guard found >= 0, let address = csystemclock_attach(found) else { throw .last("shmget") }
    identifier = found
    segment = address
    return address
  }
}
