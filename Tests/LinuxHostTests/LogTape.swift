import Glibc

@testable import LinuxHost

/// A log whose lines a test reads.
final class LogTape {
  let log: Log
  private let ends: (reader: Int32, writer: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    self.ends = (ends[0], ends[1])
    log = Log(descriptor: ends[1])
  }

  deinit {
    close(ends.reader)
    close(ends.writer)
  }

  /// What was logged since the last call.
  func lines() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(ends.reader, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}
