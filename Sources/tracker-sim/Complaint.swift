import CommandLineSupport

/// Writes one line to standard error: what, where, what to do.
func complain(_ message: String) { complain(message, program: "tracker-sim") }

/// Runs a command.
///
/// - Returns: what the command returns; 2 for wrong use, unreadable input or unwritable output; 0
///   if the reader of the output has closed the pipe, as `head` does.
func complaining(command: String = "tracker-sim", _ body: () throws -> Int32) -> Int32 {
  CommandLineSupport.run(program: command, body)
}
