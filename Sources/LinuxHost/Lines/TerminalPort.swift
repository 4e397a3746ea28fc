import Glibc

/// A pseudo-terminal. libserialport refuses these, because it reads the modem control lines, which
/// a pseudo-terminal does not have. Can be removed when that changes.
struct TerminalPort: ~Copyable {
  let descriptor: Int32
  private let lock: PortLock

  init(_ path: String) throws(LineProblem) {
    let lock = try PortLock(path)
    let opened = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { throw .cannotOpen(path, errno) }
    // Not TIOCEXCL: the kernel keeps that until the other side closes too, and after a SIGKILL only
    // root could open the terminal again.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(opened)
      throw .cannotOpen(path, code)
    }
    descriptor = opened
    self.lock = lock
  }

  deinit { close(descriptor) }

  /// 8 data bits, no parity, one stop bit, no flow control. A pseudo-terminal stores the rate
  /// without using it.
  ///
  /// - Returns: whether the terminal supports that.
  func configure(baud: Int) -> Bool {
    var settings = termios()
    guard let speed = Self.speeds[baud], tcgetattr(descriptor, &settings) == 0 else {
      return false
    }
    cfmakeraw(&settings)
    settings.c_cflag &= ~(tcflag_t(CSTOPB) | Self.flowControl)
    settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
    settings.c_iflag &= ~tcflag_t(IXOFF | IXANY)
    cfsetspeed(&settings, speed_t(speed))
    return tcsetattr(descriptor, TCSANOW, &settings) == 0
  }

  /// CRTSCTS (asm-generic/termbits.h).
  private static let flowControl: tcflag_t = 0x8000_0000

  private static let speeds = [
    4800: B4800, 9600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600,
    115_200: B115200, 230_400: B230400, 460_800: B460800, 921_600: B921600,
  ]
}
