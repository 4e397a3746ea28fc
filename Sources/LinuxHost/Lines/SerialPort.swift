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
  static func open(_ path: String, baud: Int) throws(LineProblem) -> SerialPort {
    guard let real = realpath(path, nil) else { throw .cannotOpen(path, errno) }
    defer { free(real) }
    let device = String(cString: real)
    var info = stat()
    guard stat(device, &info) == 0 else { throw .cannotOpen(path, errno) }
    guard info.st_mode & S_IFMT == S_IFCHR else {
      throw LineProblem(LinePhrase.notADevice.texts(path))
    }
    let port: SerialPort
    if isPseudoTerminal(info.st_rdev) {
      port = .terminal(try TerminalPort(device))
    } else {
      port = .library(try LibraryPort(device))
    }
    guard port.configure(baud: baud) else {
      throw LineProblem(LinePhrase.wrongBaud.texts(path, "\(baud)"))
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
  static func isPseudoTerminal(_ device: dev_t) -> Bool {
    (136...143).contains(device >> 8 & 0xFFF)
  }
}

extension LineProblem {
  /// The problem for an `errno` of open(2).
  static func cannotOpen(_ path: String, _ code: Int32) -> LineProblem {
    switch code {
    case ENOENT, ENODEV, ENXIO:
      var problem = LineProblem(LinePhrase.missing.texts(path))
      problem.isAbsence = true
      return problem
    case EACCES, EPERM:
      return LineProblem(LinePhrase.denied.texts(path))
    case EBUSY, EAGAIN:
      let users = PortUsers()
      var problem = LineProblem(LinePhrase.used.texts(path))
      if let user = users.users(of: path).first {
        problem = LineProblem(LinePhrase.usedBy.texts(path, "\(user)"))
      } else if let suspect = users.modemManager {
        problem = LineProblem(LinePhrase.usedPerhaps.texts(path, "\(suspect)"))
      }
      problem.isUse = true
      return problem
    case ENOTTY, EINVAL:
      return LineProblem(LinePhrase.notSerial.texts(path))
    default:
      return LineProblem(LinePhrase.cannotOpen.texts(path, SystemReason.texts(of: code)))
    }
  }
}
