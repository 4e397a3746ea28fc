public import CaptureStore
import Glibc
import SystemCalls
public import TrackerCore

/// The clocks of this machine, as the core counts time: milliseconds since this object was made,
/// and the date.
///
/// CLOCK_BOOTTIME never steps and goes on while the machine is suspended.
public struct BootClock: Sendable {
  private let base: Int64
  /// How much faster than the machine's it runs: 1 but for rehearsals.
  private let speed: Int64
  /// The kernel's name for this boot of the machine; empty where it has none.
  private let kernelBoot: String
  private let unnamedBoot = "unknown \(UInt64.random(in: 0...(.max)))"

  public init(speed: Int64 = 1) {
    self.speed = max(1, speed)
    base = milliseconds(of: CLOCK_BOOTTIME)
    kernelBoot = Self.line(of: "/proc/sys/kernel/random/boot_id")
  }

  public var now: Instant {
    .start + Milliseconds((milliseconds(of: CLOCK_BOOTTIME) - base) * speed)
  }

  /// For what has to be known after a restart.
  public var time: MachineTime {
    let sinceBoot = milliseconds(of: CLOCK_BOOTTIME)
    return MachineTime(
      boot: kernelBoot, now: .start + Milliseconds((sinceBoot - base) * speed),
      sinceBoot: Milliseconds(sinceBoot), date: Self.date, speed: speed)
  }

  /// How long the machine has to sleep for that time to pass, milliseconds; never too short.
  func sleep(_ time: Milliseconds) -> Int64 {
    let (rest, isTooLong) = max(0, time.count).addingReportingOverflow(speed - 1)
    return (isTooLong ? .max : rest) / speed
  }

  /// This moment, as it counts through a restart of the program.
  public var moment: HostTime {
    let (time, isTooLong) = milliseconds(of: CLOCK_BOOTTIME)
      .multipliedReportingOverflow(by: speed)
    return HostTime(utc: Self.date, uptime: Milliseconds(isTooLong ? .max : time))
  }

  /// Names this run of the machine, and the speed that `moment` counts at.
  public var boot: String {
    // Without a name it is taken for a run of its own.
    let name = kernelBoot.isEmpty ? unnamedBoot : kernelBoot
    return speed == 1 ? name : "\(name) times \(speed)"
  }

  /// What this machine takes for the date: 1970 after a boot without a network.
  public static var date: UTC { UTC(milliseconds: milliseconds(of: CLOCK_REALTIME)) }

  private static func line(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
