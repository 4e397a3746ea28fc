import Glibc
import Wording

/// Runs a program, or one of its commands, and turns an error into one line on standard error, in
/// the language of the environment, and an exit code.
///
/// SIGPIPE is ignored, so that a closed pipe is an error of the next write and does not kill the
/// process. The reader of the output has gone away then, like `head`, which is not a failure.
///
/// - Parameters:
///   - program: the name in front of the line.
///   - body: returns the exit code.
/// - Returns: what `body` returns; 2 if it throws (wrong use, unreadable input or unwritable
///   output); 0 if the reader of the output has gone away.
public func run(program: String, _ body: () throws -> Int32) -> Int32 {
  signal(SIGPIPE, SIG_IGN)
  do {
    return try body()
  } catch let error as FileProblem where error.isClosedPipe {
    return 0
  } catch {
    complain(Texts(of: error)[.chosen(nil)], program: program)
    return 2
  }
}

/// Writes a text to standard output as the whole output of a program.
///
/// - Returns: the exit code, 0.
public func say(_ text: String) throws(FileProblem) -> Int32 {
  try printOut(text)
  return 0
}
