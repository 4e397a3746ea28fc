internal import Glibc

/// Makes a terminal a line of bytes: raw, 8 data bits, no parity, one stop bit, no flow control. A
/// pseudo-terminal stores the rate without using it.
///
/// - Parameter baud: bits per second.
/// - Returns: whether the terminal supports that.
public func makeRaw(_ descriptor: Int32, baud: Int) -> Bool {
  var settings = termios()
  guard let speed = speeds[baud], tcgetattr(descriptor, &settings) == 0 else { return false }
  cfmakeraw(&settings)
  settings.c_cflag &= ~(tcflag_t(CSTOPB) | flowControl)
  settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
  settings.c_iflag &= ~tcflag_t(IXOFF | IXANY)
  cfsetspeed(&settings, speed_t(speed))
  return tcsetattr(descriptor, TCSANOW, &settings) == 0
}

/// CRTSCTS (asm-generic/termbits.h).
private let flowControl: tcflag_t = 0x8000_0000

private let speeds = [
  4800: B4800, 9600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600,
  115_200: B115200, 230_400: B230400, 460_800: B460800, 921_600: B921600,
]
