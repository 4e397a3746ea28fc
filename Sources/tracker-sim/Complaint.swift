import Glibc

/// Writes one line to standard error: what, where, what to do.
func complain(_ message: String, command: String = "tracker-sim") {
  let line = Array("\(command): \(message)\n".utf8)
  // Nothing is left to do when standard error is gone too.
  _ = write(STDERR_FILENO, line, line.count)
}
