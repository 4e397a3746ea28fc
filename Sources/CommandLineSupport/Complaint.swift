import Glibc

/// Writes one line to standard error: what, where, what to do.
///
/// - Parameter program: who complains.
public func complain(_ message: String, program: String) {
  // Names come from outside: a line feed or an escape in one must not reach the terminal.
  let plain = String(
    String.UnicodeScalarView(
      message.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  let line = Array("\(program): \(plain)\n".utf8)
  // Nothing is left to do when standard error is gone too.
  _ = write(STDERR_FILENO, line, line.count)
}
