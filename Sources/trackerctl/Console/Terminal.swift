import Glibc
import SystemCalls

/// A terminal that delivers each key at once, unechoed, as long as this value lives.
///
/// Speed, modem lines, character size and flow control stay as they are: they belong to whoever
/// opened the port.
struct Terminal: ~Copyable {
  /// Its own opening of the terminal, not to wait in it: the flag O_NONBLOCK of standard input
  /// would be the shell's too.
  let descriptor: Descriptor
  /// As it was found.
  let saved: termios

  /// - Throws: if it cannot be opened or set.
  init(_ terminal: Int32) throws(SystemError) {
    let path = "/proc/self/fd/\(terminal)"
    let descriptor = try Descriptor(opening: path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    var settings = termios()
    guard tcgetattr(descriptor.number, &settings) == 0 else { throw .last }
    let saved = settings
    // BREAK and bytes with errors are nothing to act on.
    settings.c_iflag |= tcflag_t(IGNBRK)
    settings.c_iflag &= ~tcflag_t(BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL)
    settings.c_oflag = tcflag_t(OPOST | ONLCR)
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    guard tcsetattr(descriptor.number, TCSANOW, &settings) == 0 else { throw .last }
    self.descriptor = descriptor
    self.saved = saved
  }

  deinit {
    var saved = saved
    // Not TCSADRAIN, which would wait for a terminal that is stopped.
    tcsetattr(descriptor.number, TCSANOW, &saved)
  }

  /// Drops what the terminal has not taken, for which closing it would wait.
  func dropOutput() { tcflush(descriptor.number, TCOFLUSH) }

  /// Rows and columns; `nil`: it does not know, as on a serial line.
  static func size(of terminal: Int32) -> (rows: Int, columns: Int)? {
    var size = winsize()
    // TIOCGWINSZ (asm-generic/ioctls.h)
    guard ioctl(terminal, 0x5413, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// `/dev/ttyS0`
  static func name(of terminal: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 128)
    guard ttyname_r(terminal, &name, name.count) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether somebody may be at its other end only later: a line, and no window.
  static func isLine(_ terminal: Int32) -> Bool {
    guard let name = name(of: terminal), size(of: terminal) != nil else { return true }
    let rest = name.hasPrefix("/dev/tty") ? name.dropFirst(8) : ""
    return !name.hasPrefix("/dev/pts/") && rest.first?.isNumber != true
  }
}
