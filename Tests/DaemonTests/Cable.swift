import Foundation
import TestSupport

/// A cable between a test and a terminal at which a program runs; a pseudo-terminal stands for it.
final class Cable {
  private var program: RunningProgram?
  /// What has come over it so far.
  private(set) var screen = ""
  private(set) var master: Int32
  private var slave: Int32
  private let name: String

  /// - Parameter columns: as the terminal knows; `nil`: it does not, as on a serial line.
  init(columns: UInt16? = nil) throws {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 128)
    var size = winsize(
      ws_row: columns == nil ? 0 : 40, ws_col: columns ?? 0, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&ends.master, &ends.slave, &path, nil, &size) == 0 else {
      throw Problem("no pseudo-terminal can be had")
    }
    (master, slave) = ends
    name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit {
    pull()
    program?.end()
  }

  /// Runs a program at its other end.
  func run(_ words: [String], _ environment: [String: String] = ["TERM": "vt100"]) throws {
    let end = RunningProgram.Stream.file(FileHandle(fileDescriptor: slave))
    program = try RunningProgram(
      [Built.program("trackerctl").path] + words, environment: environment, input: end,
      output: end, errors: end)
    close(slave)
    slave = -1
  }

  /// Runs the command of README's drop-in for `serial-getty@`, in a session of its own.
  ///
  /// - Parameters:
  ///   - options: added to the login program's.
  ///   - shell: the words that run a command.
  func login(_ options: String, in shell: [String] = ["/bin/sh", "-c"]) throws {
    let readme = try String(
      contentsOf: Built.repository.appendingPathComponent("Sources/trackerctl/README.md"),
      encoding: .utf8)
    let start = "ExecStart=-/sbin/agetty "
    guard let line = readme.split(separator: "\n").first(where: { $0.contains(start) }),
      let words = line.components(separatedBy: start).last
    else { throw Problem("README has no line with \(start)") }
    let command =
      "exec setsid --wait agetty "
      + words
      .replacing("/usr/bin/trackerctl", with: Built.program("trackerctl").path)
      .replacing("console --serial", with: "console --serial \(options)")
      .replacing("%I", with: name.dropFirst("/dev/".count))
    program = try RunningProgram(shell + [command])
  }

  var id: Int32 { program?.id ?? 0 }
  var isRunning: Bool { program?.isRunning ?? false }
  /// The program's exit code.
  var code: Int32 { program?.code ?? -1 }

  func type(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    let limit = Date(timeIntervalSinceNow: 20)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else { read(within: 0.02) }
      guard Date() < limit else { throw Problem("nobody reads the cable") }
    }
  }

  /// Forgets what has come.
  func clear() { screen = "" }

  func read(within seconds: Double) {
    let limit = Date(timeIntervalSinceNow: seconds)
    var bytes = [UInt8](repeating: 0, count: 4096)
    repeat {
      let count = Glibc.read(master, &bytes, bytes.count)
      if count > 0 {
        screen += String(decoding: bytes[..<count], as: UTF8.self)
      } else {
        // Nothing, or nobody has opened the other end.
        Thread.sleep(forTimeInterval: 0.01)
      }
    } while Date() < limit
  }

  /// Waits until a text has come.
  func wait(_ text: String, seconds: Double = 60) throws {
    try eventually("'\(text)', got \(screen.debugDescription)", within: seconds, pause: 0) {
      if screen.contains(text) { return true }
      read(within: 0.02)
      return false
    }
  }

  /// The cable is pulled.
  func pull() {
    if master >= 0 { close(master) }
    if slave >= 0 { close(slave) }
    (master, slave) = (-1, -1)
  }

  /// - Returns: whether the program ends by itself.
  func ends(within seconds: Double) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    while isRunning && Date() < limit {
      if master >= 0 { read(within: 0.01) } else { Thread.sleep(forTimeInterval: 0.01) }
    }
    return !isRunning
  }

  /// The terminal's settings, as words that can be compared.
  var settings: [UInt32] {
    var settings = termios()
    tcgetattr(master, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }
}
