public import CaptureStore
import SystemCalls
public import TrackerCore

/// The clocks of this machine for the core: milliseconds since this value was created, and the
/// date.
///
/// CLOCK_BOOTTIME never steps and continues while the machine is suspended.
public struct BootClock: Sendable {
  private let base: Int64
  /// How much faster than real time it runs: 1 except for rehearsals.
  private let speed: Int64
  /// The kernel's identifier of this boot; empty if unknown.
  private let kernelBoot: String
  private let unnamedBoot = "unknown \(UInt64.random(in: 0...(.max)))"

  public init(speed: Int64 = 1) {
    self.speed = max(1, speed)
    base = KernelTimer.boot.milliseconds
    kernelBoot = Self.line(of: "/proc/sys/kernel/random/boot_id")
  }

  public var now: Instant {
    .start + Milliseconds((KernelTimer.boot.milliseconds - base) * speed)
  }

  /// Whether it runs faster than real time.
  public var isRehearsal: Bool { speed != 1 }

  /// The current time in a form that can be kept across restarts.
  public var machineTime: MachineTime {
    let sinceBoot = KernelTimer.boot.milliseconds
    return MachineTime(
      boot: kernelBoot, now: .start + Milliseconds((sinceBoot - base) * speed),
      sinceBoot: Milliseconds(sinceBoot), date: Self.date, speed: speed)
  }

  /// The real time in milliseconds for a time of this clock, rounded up.
  public func sleep(_ time: Milliseconds) -> Int64 {
    let (rest, isTooLong) = max(0, time.count).addingReportingOverflow(speed - 1)
    return (isTooLong ? .max : rest) / speed
  }

  /// The time of this clock for a real one in milliseconds.
  public func time(ofReal milliseconds: Int64) -> Milliseconds {
    let (time, isTooLong) = milliseconds.multipliedReportingOverflow(by: speed)
    return Milliseconds(isTooLong ? .max : time)
  }

  /// The current time, which continues through a restart of the program.
  public var hostTime: HostTime {
    let (time, isTooLong) = KernelTimer.boot.milliseconds
      .multipliedReportingOverflow(by: speed)
    return HostTime(utc: Self.date, uptime: Milliseconds(isTooLong ? .max : time))
  }

  /// Identifies this boot of the machine, and the speed that `hostTime` runs at.
  public var boot: String {
    // Without an identifier each run of the program counts as a boot.
    let name = kernelBoot.isEmpty ? unnamedBoot : kernelBoot
    return speed == 1 ? name : "\(name) times \(speed)"
  }

  /// This machine's date: 1970 after a boot without a network.
  public static var date: UTC { UTC(milliseconds: KernelTimer.date.milliseconds) }

  private static func line(of path: String) -> String {
    guard let file = try? Descriptor(opening: path, .read),
      let bytes = try? file.firstBytes(atMost: 64)
    else { return "" }
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
