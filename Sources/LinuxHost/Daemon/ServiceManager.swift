import SystemCalls
import TrackerCore

/// The service manager that has started this program, as systemd with `Type=notify`: it hears when
/// the tracker is ready, how it is, and that it is alive (sd_notify(3)).
///
/// Nothing waits for it. A message for which there is no room is sent again after the next pass.
public final class ServiceManager: PollSource {
  private let address: UnixAddress
  private let socket: Descriptor
  private var notice: ServiceNotice

  /// Removes the service manager's variables from the environment, so that no command that this
  /// program runs takes them for its own.
  ///
  /// - Returns: `nil` if there is none.
  public static func fromEnvironment() -> ServiceManager? {
    let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
    let values = names.map { environmentValue($0) }
    for name in names { removeEnvironmentValue(name) }
    guard let name = values[0] else { return nil }
    // Another process's watchdog does not count (sd_watchdog_enabled(3)).
    let isOurs = values[2].map { $0 == "\(ownProcess)" } ?? true
    return ServiceManager(name, watchdogMicroseconds: isOurs ? values[1] : nil)
  }

  /// `nil`: the address is not valid, or no descriptors are left.
  init?(_ name: String, watchdogMicroseconds: String?) {
    guard let address = UnixAddress(service: name) else { return nil }
    guard let socket = try? Descriptor.datagramSocket() else { return nil }
    self.address = address
    self.socket = socket
    let watchdog = watchdogMicroseconds.flatMap { Int64($0) }.map { $0 / 1000 }
    notice = ServiceNotice(watchdog: watchdog.flatMap { $0 > 0 ? $0 : nil })
  }

  private var now: Int64 { KernelTimer.monotonic.milliseconds }

  /// Everything that had come was handled: only such a pass is a sign of life. It is the loop's
  /// last source.
  func register(in wait: inout LoopWait, at now: Instant) {
    passed()
    wait.wake(within: timeoutMilliseconds)
  }

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
    for _ in 0..<20 where !send(message) { pause(milliseconds: 10) }
  }

  /// The program ends.
  func stops() { _ = send(ServiceNotice.stops) }

  private func send(_ message: String) -> Bool {
    address.send(Array(message.utf8), from: socket)
  }
}

/// What a service manager is told, and when (sd_notify(3)). Times are milliseconds on a clock that
/// never steps.
struct ServiceNotice {
  /// How long the service manager waits for a sign of life before it restarts the program; `nil`:
  /// for ever.
  let watchdog: Int64?
  private var stage = Stage.starting
  private var status = ""
  private var lookedAt: Int64?
  private var signAt: Int64 = 0

  private enum Stage {
    case starting
    /// There was a pass of the loop since the start, or since the store was mended.
    case ready
    /// The service manager was asked to wait longer.
    case mending
  }

  init(watchdog: Int64?) { self.watchdog = watchdog }

  /// A pass of the loop is complete: everything that had come was handled.
  ///
  /// - Returns: what to tell now; `nil`: nothing.
  mutating func passed(at now: Int64) -> String? {
    if stage == .ready {
      guard let watchdog, now - signAt >= watchdog / 4 else { return nil }
      signAt = now
      return "WATCHDOG=1"
    }
    signAt = now
    var lines = ["READY=1"]
    if let watchdog {
      if stage == .mending { lines.append("WATCHDOG_USEC=\(watchdog * 1000)") }
      lines.append("WATCHDOG=1")
    }
    stage = .ready
    return lines.joined(separator: "\n")
  }

  /// The longest sleep before the next pass, so that the next sign comes within half of the
  /// watchdog's time, or not much later if the pass itself takes long.
  func timeout(at now: Int64) -> Int64? {
    guard stage == .ready else { return HostBounds.serviceRetry.count }
    return watchdog.map { max(HostBounds.serviceRetry.count, signAt + $0 / 2 - now) }
  }

  /// Whether it is time to look for a new status line.
  func isStatusDue(at now: Int64) -> Bool {
    stage == .ready && lookedAt.map { now - $0 >= HostBounds.statusInterval.count } ?? true
  }

  /// - Returns: what to tell; `nil`: nothing has changed.
  mutating func looked(_ text: String, at now: Int64) -> String? {
    lookedAt = now
    let line = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(HostBounds.statusCharacters)
          .map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    guard line != status else { return nil }
    status = line
    return "STATUS=\(line)"
  }

  /// The last status line had no room: the next one is told even if it is the same.
  mutating func statusWasLost() { status = "" }

  /// The store is opened again, which may take long.
  mutating func mends() -> String {
    stage = .mending
    status = ""
    lookedAt = nil
    return watchdog == nil
      ? "STATUS=" : "STATUS=\nWATCHDOG_USEC=\(HostBounds.mendingLimit.count * 1000)"
  }

  /// The program ends; its last status would look like the present one.
  static let stops = "STOPPING=1\nSTATUS="
}
