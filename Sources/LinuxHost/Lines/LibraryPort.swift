import CSerialPort
import Glibc
import Wording

/// A real serial port, opened by libserialport as non-blocking; 0.1.1 neither locks it nor sets
/// close-on-exec, so that is done here.
struct LibraryPort: ~Copyable {
  let descriptor: Int32
  private let port: OpaquePointer
  private let lock: PortLock

  /// - Parameter path: the device file itself: libserialport refuses symbolic links and anything
  ///   that is not in /sys/class/tty.
  init(_ path: String) throws(LineProblem) {
    let lock = try PortLock(path)
    var found: OpaquePointer?
    guard sp_get_port_by_name(path, &found) == SP_OK, let port = found else {
      throw LineProblem(LinePhrase.notSerial.texts(path))
    }
    errno = 0
    let result = sp_open(port, SP_MODE_READ_WRITE)
    var handle: Int32 = -1
    guard result == SP_OK, sp_get_port_handle(port, &handle) == SP_OK else {
      let code = result == SP_ERR_FAIL ? sp_last_error_code() : EINVAL
      sp_free_port(port)
      throw .cannotOpen(path, code)
    }
    guard flock(handle, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      sp_close(port)
      sp_free_port(port)
      throw .cannotOpen(path, code)
    }
    // Also excludes programs that do not use flock, except root's.
    _ = ioctl(handle, UInt(TIOCEXCL))
    _ = fcntl(handle, F_SETFD, FD_CLOEXEC)
    self.port = port
    descriptor = handle
    self.lock = lock
  }

  deinit {
    // Otherwise close waits up to 30 s for a port that accepts no output (closing_wait).
    tcflush(descriptor, TCOFLUSH)
    _ = ioctl(descriptor, UInt(TIOCNXCL))
    sp_close(port)
    sp_free_port(port)
  }

  /// 8 data bits, no parity, one stop bit, no flow control.
  ///
  /// - Returns: whether the port supports that rate.
  func configure(baud: Int) -> Bool {
    var made: OpaquePointer?
    guard sp_new_config(&made) == SP_OK, let configuration = made else { return false }
    defer { sp_free_config(configuration) }
    sp_set_config_baudrate(configuration, Int32(clamping: baud))
    sp_set_config_bits(configuration, 8)
    sp_set_config_parity(configuration, SP_PARITY_NONE)
    sp_set_config_stopbits(configuration, 1)
    sp_set_config_flowcontrol(configuration, SP_FLOWCONTROL_NONE)
    return sp_set_config(port, configuration) == SP_OK
  }
}
