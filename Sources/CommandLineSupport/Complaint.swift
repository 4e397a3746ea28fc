import Glibc

/// Writes one line to standard error: what, where, what to do.
///
/// - Parameter program: the name of the program.
public func complain(_ message: String, program: String) {
  // Names come from outside: their control characters must not reach the terminal.
  let plain = String(
    String.UnicodeScalarView(
      message.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  let line = Array("\(program): \(plain)\n".utf8)
  // If writing to standard error fails there is nothing left to do.
  _ = write(STDERR_FILENO, line, line.count)
}
