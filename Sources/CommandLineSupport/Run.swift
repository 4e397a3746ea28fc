import Glibc
import TrackerCore
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

/// Runs a program as its command line says, after what its table can answer by itself: wrong use,
/// `--help`, `--version` and `--print`.
///
/// - Parameter body: runs a command and returns the exit code.
public func run(
  _ program: ProgramTable, _ words: [String], _ body: (Arguments) throws -> Int32
) -> Int32 {
  run(program: program.name) {
    let (command, rest) = try program.command(in: words)
    let language = Language.chosen(nil)
    let request: ProgramTable.Request
    do throws(UsageError) { request = try program.request(rest, for: command) } catch {
      complain(error.texts[language], program: program.path(of: command))
      return 2
    }
    switch request {
    case .run(let arguments): return try body(arguments)
    case .help: return try say(program.help(command, in: language))
    case .version: return try say("\(program.name) \(version)\n")
    case .manual: return try say(program.manual(in: language))
    case .completion: return try say(program.completion)
    }
  }
}

/// Writes a text to standard output as the whole output of a program.
///
/// - Returns: the exit code, 0.
public func say(_ text: String) throws(FileProblem) -> Int32 {
  try printOut(text)
  return 0
}
