import CommandLineSupport
import Simulation

/// Writes one line to standard error: what, where, what to do.
func complain(_ message: String, command: String = "tracker-sim") {
  complain(message, program: command)
}

/// Runs a command and turns what it throws into one line and an exit code.
///
/// - Returns: what the command returns; 2 for wrong use, unreadable input or unwritable output; 0
///   if the reader of the output has closed the pipe, as `head` does.
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
