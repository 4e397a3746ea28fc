import Foundation

/// A receiver on a pseudo-terminal, found under a name that stays when it is replugged.
public final class ReceiverLine: @unchecked Sendable {
  public let link: String
  private let lock = NSLock()
  private var master: Int32 = -1
  private var isStopped = false
  private var dateStep: TimeInterval = 0

  public init(link: String) throws {
    self.link = link
    try plug()
  }

  /// A new terminal under the same name.
  public func plug() throws {
    lock.lock()
    defer { lock.unlock() }
    let new = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN (asm-generic/ioctls.h), macros that Swift does not see.
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    guard new >= 0, ioctl(new, 0x4004_5431, &unlocked) == 0, ioctl(new, 0x8004_5430, &number) == 0
    else { throw Problem("no pseudo-terminal can be had") }
    var settings = termios()
    tcgetattr(new, &settings)
    cfmakeraw(&settings)
    tcsetattr(new, TCSANOW, &settings)
    unlink(link)
    symlink("/dev/pts/\(number)", link)
    master = new
  }

  /// The cable is pulled.
  public func unplug() {
    lock.lock()
    defer { lock.unlock() }
    if master >= 0 { close(master) }
    master = -1
    unlink(link)
  }

  public func say(_ text: String) { say(Array(text.utf8)) }

  public func say(_ bytes: [UInt8]) {
    lock.lock()
    defer { lock.unlock() }
    // Without anybody who reads, the terminal fills up; a wire loses what nobody takes.
    if master >= 0 { _ = write(master, bytes, bytes.count) }
  }

  /// What has been sent to it, up to 4 KiB.
  public func heard() -> [UInt8] {
    lock.lock()
    defer { lock.unlock() }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = master >= 0 ? read(master, &bytes, bytes.count) : 0
    return Array(bytes.prefix(max(0, count)))
  }

  /// The rate that the other side has set: a terminal's two sides share their settings.
  public var speed: speed_t {
    lock.lock()
    defer { lock.unlock() }
    var settings = termios()
    return master >= 0 && tcgetattr(master, &settings) == 0 ? cfgetispeed(&settings) : 0
  }

  public func stop() {
    lock.lock()
    isStopped = true
    lock.unlock()
    unplug()
  }

  /// From now on its date is another one.
  public func stepDate(by seconds: TimeInterval) {
    lock.lock()
    dateStep += seconds
    lock.unlock()
  }

  private var step: TimeInterval {
    lock.lock()
    defer { lock.unlock() }
    return dateStep
  }

  private var goesOn: Bool {
    lock.lock()
    defer { lock.unlock() }
    return !isStopped
  }

  /// Says where it is once a second of its own time, `speed` times as fast as the wall's.
  public func walk(speed: Double = 1) {
    Thread.detachNewThread { [self] in
      let begun = Date()
      var second = 0
      while goesOn {
        say(Self.report(begun.addingTimeInterval(Double(second) + step), second))
        second += 1
        let due = begun.addingTimeInterval(Double(second) / speed)
        Thread.sleep(forTimeInterval: max(0, due.timeIntervalSinceNow))
      }
    }
  }

  /// Sends rubbish as fast as the line takes it.
  public func flood() {
    Thread.detachNewThread { [self] in
      let rubbish = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 73) }
      while goesOn {
        say(rubbish)
        // So that others get at the lock.
        sched_yield()
      }
    }
  }

  /// One second of a walk to the north at 1.4 m/s.
  public static func report(_ date: Date, _ second: Int) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let clock = String(format: "%02d%02d%02d.00", parts.tm_hour, parts.tm_min, parts.tm_sec)
    let day = String(
      format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    let minutes = 10.0 + Double(second % 60_000) * 0.000756
    let place = String(format: "42%08.5f,N,00229.34000,E", minutes)
    return [
      "GPRMC,\(clock),A,\(place),2.72,0.0,\(day),,,A",
      "GPGGA,\(clock),\(place),1,08,1.0,443.0,M,49.5,M,,",
    ].map { text in
      "$\(text)*" + String(format: "%02X", text.utf8.reduce(UInt8(0), ^)) + "\r\n"
    }.joined()
  }
}
