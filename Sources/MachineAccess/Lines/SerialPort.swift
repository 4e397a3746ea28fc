import CSerialPort
import Glibc
import SystemCalls
import Wording

/// An open serial device: raw, non-blocking, and locked against other programs (`PortLock`, flock
/// and TIOCEXCL). Closed with its owner.
enum SerialPort: ~Copyable {
  case library(LibraryPort)
  case terminal(TerminalPort)

  /// - Parameters:
  ///   - path: a device file or a link to one.
  ///   - baud: bits per second, of `BaudRate.usual`.
  /// - Throws: if it cannot be opened, with what to do.
  static func open(_ path: String, baud: Int) throws(LineError) -> SerialPort {
    let device: String
    let status: FileStatus
    do throws(SystemError) {
      device = try resolved(path)
      status = try FileStatus(device)
    } catch {
      throw .cannotOpen(path, error.code)
    }
    guard status.kind == .characterDevice else {
      throw LineError(LinePhrase.notADevice.texts(path))
    }
    let port: SerialPort
    if isPseudoTerminal(status.device) {
      port = .terminal(try TerminalPort(device))
    } else {
      port = .library(try LibraryPort(device))
    }
    guard port.configure(baud: baud) else {
      throw LineError(LinePhrase.wrongBaud.texts(path, "\(baud)"))
    }
    return port
  }

  var descriptor: Int32 {
    switch self {
    case .library(let port): port.descriptor
    case .terminal(let port): port.descriptor
    }
  }

  /// - Returns: whether the device supports that rate.
  func configure(baud: Int) -> Bool {
    let isTaken =
      switch self {
      case .library(let port): port.configure(baud: baud)
      case .terminal(let port): port.configure(baud: baud)
      }
    guard isTaken else { return false }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    // libserialport sets IGNPAR, which drops bytes with framing errors; they indicate a wrong rate.
    settings.c_iflag &= ~tcflag_t(IGNPAR)
    // It also lets a read without data return 0, which otherwise means a hang-up.
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    return tcsetattr(descriptor, TCSANOW, &settings) == 0
  }

  /// Discards input, which was received at another rate.
  func discardInput() { tcflush(descriptor, TCIFLUSH) }

  /// Discards output that has not been sent yet.
  func discardOutput() { tcflush(descriptor, TCOFLUSH) }

  /// UNIX98_PTY_SLAVE_MAJOR and the seven after it (linux/major.h), in the bits of makedev(3),
  /// whose macros Swift does not import.
  static func isPseudoTerminal(_ device: UInt64) -> Bool {
    (136...143).contains(device >> 8 & 0xFFF)
  }
}

extension LineError {
  /// The problem for an `errno` of open(2).
  static func cannotOpen(_ path: String, _ code: Int32) -> LineError {
    switch code {
    case Errno.noSuchFile, Errno.noDevice, Errno.noDeviceOrAddress:
      var problem = LineError(LinePhrase.missing.texts(path))
      problem.isAbsence = true
      return problem
    case Errno.accessDenied, Errno.notPermitted:
      return LineError(LinePhrase.denied.texts(path))
    case Errno.busy, Errno.again:
      let users = PortUsers()
      var problem = LineError(LinePhrase.used.texts(path))
      if let user = users.users(of: path).first {
        problem = LineError(LinePhrase.usedBy.texts(path, "\(user)"))
      } else if let suspect = users.modemManager {
        problem = LineError(LinePhrase.usedPerhaps.texts(path, "\(suspect)"))
      }
      problem.isUse = true
      return problem
    case Errno.notTerminal, Errno.invalid:
      return LineError(LinePhrase.notSerial.texts(path))
    default:
      return LineError(LinePhrase.cannotOpen.texts(path, SystemReason.texts(of: code)))
    }
  }
}

/// A real serial port, opened by libserialport as non-blocking; 0.1.1 neither locks it nor sets
/// close-on-exec, so that is done here.
struct LibraryPort: ~Copyable {
  let descriptor: Int32
  private let port: OpaquePointer
  private let lock: PortLock

  /// - Parameter path: the device file itself: libserialport refuses symbolic links and anything
  ///   that is not in /sys/class/tty.
  init(_ path: String) throws(LineError) {
    let lock = try PortLock(path)
    var found: OpaquePointer?
    guard sp_get_port_by_name(path, &found) == SP_OK, let port = found else {
      throw LineError(LinePhrase.notSerial.texts(path))
    }
    errno = 0
    let result = sp_open(port, SP_MODE_READ_WRITE)
    var handle: Int32 = -1
    guard result == SP_OK, sp_get_port_handle(port, &handle) == SP_OK else {
      let code = result == SP_ERR_FAIL ? sp_last_error_code() : Errno.invalid
      sp_free_port(port)
      throw .cannotOpen(path, code)
    }
    guard flock(handle, LOCK_EX | LOCK_NB) == 0 else {
      let code = SystemError.last("flock", path).code
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

/// A pseudo-terminal. libserialport refuses these, because it reads the modem control lines, which
/// a pseudo-terminal does not have. Can be removed when that changes.
struct TerminalPort: ~Copyable {
  private let terminal: Descriptor
  private let lock: PortLock

  var descriptor: Int32 { terminal.number }

  init(_ path: String) throws(LineError) {
    let lock = try PortLock(path)
    do throws(SystemError) {
      let terminal = try Descriptor(
        opening: path, [.readWrite, .notControlling, .nonBlocking])
      // Not TIOCEXCL: the kernel keeps that until the other side closes too, and after a SIGKILL
      // only root could open the terminal again.
      guard try terminal.lock() else { throw SystemError("flock", path, code: Errno.again) }
      self.terminal = terminal
    } catch {
      throw .cannotOpen(path, error.code)
    }
    self.lock = lock
  }

  /// - Returns: whether the terminal supports that.
  func configure(baud: Int) -> Bool { makeRaw(descriptor, baud: baud) }
}
