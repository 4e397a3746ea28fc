import Glibc
import Simulation

/// Writes one line to standard error: what, where, what to do.
func complain(_ message: String, command: String = "tracker-sim") {
  // Names come from outside: a line feed or an escape in one must not reach the terminal.
  let plain = String(
    String.UnicodeScalarView(
      message.unicodeScalars.map { $0.value < 32 || (127...159).contains($0.value) ? "?" : $0 }))
  let line = Array("\(command): \(plain)\n".utf8)
  // Nothing is left to do when standard error is gone too.
  _ = write(STDERR_FILENO, line, line.count)
}

/// Runs a command and turns what it throws into one line and an exit code.
///
/// - Returns: what the command returns; 2 for wrong use, unreadable input or unwritable output; 0
///   when the reader of our output has gone away, as `head` does.
func complaining(command: String = "tracker-sim", _ body: () throws -> Int32) -> Int32 {
  do {
    return try body()
  } catch let error as TraceError {
    complain(error.message, command: command)
  } catch let error as FileProblem {
    if error.isClosedPipe { return 0 }
    complain("\(error)", command: command)
  } catch {
    complain("\(error)", command: command)
  }
  return 2
}
