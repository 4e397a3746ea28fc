import Glibc
import SystemCalls

/// An open serial device, raw, locked against others, that does not block. Closed with its owner.
enum SerialPort: ~Copyable {
  case library(LibraryPort)
  case terminal(TerminalPort)

  /// - Parameters:
  ///   - path: a device file or a link to one.
  ///   - baud: bits per second, of `BaudRate.usual`.
  /// - Throws: why it cannot be opened, and what to do.
  static func open(_ path: String, baud: Int) throws(LineProblem) -> SerialPort {
    guard let real = realpath(path, nil) else { throw .cannotOpen(path, errno) }
    defer { free(real) }
    let device = String(cString: real)
    var info = stat()
    guard stat(device, &info) == 0 else { throw .cannotOpen(path, errno) }
    guard info.st_mode & S_IFMT == S_IFCHR else {
      throw LineProblem("\(path) is no device; name one of those in /dev/serial/by-id")
    }
    let port: SerialPort
    if isPseudoTerminal(info.st_rdev) {
      port = .terminal(try TerminalPort(device))
    } else {
      port = .library(try LibraryPort(device))
    }
    guard port.configure(baud: baud) else {
      throw LineProblem("\(path) does not take \(baud) baud; write another rate after @")
    }
    return port
  }

  var descriptor: Int32 {
    switch self {
    case .library(let port): port.descriptor
    case .terminal(let port): port.descriptor
    }
  }

  /// - Returns: whether the device takes that rate.
  func configure(baud: Int) -> Bool {
    let isTaken =
      switch self {
      case .library(let port): port.configure(baud: baud)
      case .terminal(let port): port.configure(baud: baud)
      }
    guard isTaken else { return false }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    // libserialport drops bytes with framing errors: by them a wrong rate is known.
    settings.c_iflag &= ~tcflag_t(IGNPAR)
    // It also has reads of nothing return 0, which is how a hang-up reads otherwise.
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    return tcsetattr(descriptor, TCSANOW, &settings) == 0
  }

  /// What has come at another rate means nothing.
  func discardInput() { tcflush(descriptor, TCIFLUSH) }

  /// What has not left yet is not to leave any more.
  func discardOutput() { tcflush(descriptor, TCOFLUSH) }

  /// UNIX98_PTY_SLAVE_MAJOR and the seven after it (linux/major.h), in the bits where makedev(3)
  /// has them; its macro for that does not come through to Swift.
  private static func isPseudoTerminal(_ device: dev_t) -> Bool {
    (136...143).contains(device >> 8 & 0xFFF)
  }
}

extension LineProblem {
  /// What open(2) said, and what to do about it.
  static func cannotOpen(_ path: String, _ code: Int32) -> LineProblem {
    switch code {
    case ENOENT, ENODEV, ENXIO:
      var problem = LineProblem("\(path) is not there; plug it in, or correct its name")
      problem.isAbsence = true
      return problem
    case EACCES, EPERM:
      return LineProblem(
        "\(path) may not be opened; put the user into its group (ls -l \(path))")
    case EBUSY, EAGAIN:
      return LineProblem("\(path) is in use; end the program that holds it (fuser \(path))")
    case ENOTTY, EINVAL:
      return LineProblem("\(path) is no serial port; name one of those in /dev/serial/by-id")
    default:
      return LineProblem("\(path) cannot be opened: \(reason(of: code)); see dmesg")
    }
  }
}
