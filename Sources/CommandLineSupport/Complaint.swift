import Glibc

/// Writes one line to standard error: what, where, what to do.
///
/// - Parameter program: the name of the program.
public func complain(_ message: String, program: String) {
  // Names come from outside: their control characters must not reach the terminal.
  let plain = String(
    String.UnicodeScalarView(
      message.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  // In systemd's journal it is an error, and not as much information as any other line.
  let line = Array("\(isJournal ? "<3>" : "")\(program): \(plain)\n".utf8)
  // If writing to standard error fails there is nothing left to do.
  _ = write(STDERR_FILENO, line, line.count)
}

/// Whether standard error is systemd's journal: JOURNAL_STREAM names that by device and inode
/// (systemd.exec(5)).
private var isJournal: Bool {
  var status = stat()
  guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else {
    return false
  }
  return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
}
