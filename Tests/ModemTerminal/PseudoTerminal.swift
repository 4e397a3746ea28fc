import Glibc

/// A pseudo-terminal whose other end a program opens as a serial port.
final class PseudoTerminal: Sendable {
  let master: Int32
  let path: String
  /// Held open: without it a program that closes and reopens its end would look like a hang-up.
  private let slave: Int32

  init() throws {
    var settings = termios()
    cfmakeraw(&settings)
    // cfmakeraw only clears: the rest is what a serial port has.
    settings.c_cflag |= tcflag_t(CS8 | CREAD | CLOCAL)
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&ends.master, &ends.slave, &name, &settings, nil) == 0 else {
      throw TerminalProblem(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    (master, slave) = ends
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(slave)
    close(master)
  }

  /// The rate at which a program has opened it, bits per second; `nil`: none that modems have.
  var baud: Int64? {
    var settings = termios()
    guard tcgetattr(master, &settings) == 0 else { return nil }
    let rates: [speed_t: Int64] = [
      speed_t(B4800): 4800, speed_t(B9600): 9600, speed_t(B19200): 19_200,
      speed_t(B38400): 38_400, speed_t(B57600): 57_600, speed_t(B115200): 115_200,
      speed_t(B230400): 230_400,
    ]
    return rates[cfgetospeed(&settings)]
  }

  /// What has come; empty when there is nothing.
  func read(atMost limit: Int = 4096) -> [UInt8] {
    guard limit > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(limit, 4096))
    let count = Glibc.read(master, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : []
  }

  /// Writes what fits; returns how much that was.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    max(0, bytes.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) })
  }
}

struct TerminalProblem: Error, CustomStringConvertible { var description: String }
