import Glibc
import SystemCalls

/// The service manager that has started this program, as systemd with `Type=notify`: it hears when
/// the tracker is ready, how it is, and that it is alive (sd_notify(3)).
///
/// Nothing waits for it. A message for which there is no room is sent again after the next pass.
public final class ServiceManager {
  private let address: UnixAddress
  private let socket: Descriptor
  private var notice: ServiceNotice

  /// Removes the service manager's variables from the environment, so that no command that this
  /// program runs takes them for its own.
  ///
  /// - Returns: `nil` if there is none.
  public static func fromEnvironment() -> ServiceManager? {
    let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
    let values = names.map { name in getenv(name).map { String(cString: $0) } }
    for name in names { unsetenv(name) }
    guard let name = values[0] else { return nil }
    // Another process's watchdog does not count (sd_watchdog_enabled(3)).
    let isOurs = values[2].map { $0 == "\(getpid())" } ?? true
    return ServiceManager(name, watchdogMicroseconds: isOurs ? values[1] : nil)
  }

  /// `nil`: the address is not valid, or no descriptors are left.
  init?(_ name: String, watchdogMicroseconds: String?) {
    guard let address = UnixAddress(service: name) else { return nil }
    let number = Glibc.socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return nil }
    self.address = address
    socket = Descriptor(owning: number)
    let watchdog = watchdogMicroseconds.flatMap { Int64($0) }.map { $0 / 1000 }
    notice = ServiceNotice(watchdog: watchdog.flatMap { $0 > 0 ? $0 : nil })
  }

  private var now: Int64 { milliseconds(of: CLOCK_MONOTONIC) }

  /// A pass of the loop is complete.
  func passed() {
    var new = notice
    if let message = new.passed(at: now), send(message) { notice = new }
  }

  /// The longest sleep before the next pass; `nil`: any.
  var timeoutMilliseconds: Int64? { notice.timeout(at: now) }

  /// Whether it is time to look for a new status line.
  var isStatusDue: Bool { notice.isStatusDue(at: now) }

  /// - Parameter text: one line about how the tracker is.
  func tell(status text: String) {
    guard let message = notice.looked(text, at: now) else { return }
    if !send(message) { notice.statusWasLost() }
  }

  /// The loop has ended, and starts again once the store is repaired.
  public func mends() {
    let message = notice.mends()
    // The loop has ended, so that waiting harms nobody, and nothing else would ask for the time.
    for _ in 0..<20 where !send(message) { usleep(10_000) }
  }

  /// The program ends.
  func stops() { _ = send(ServiceNotice.stops) }

  private func send(_ message: String) -> Bool {
    address.send(Array(message.utf8), from: socket.number)
  }
}
