import SystemCalls
import TrackerCore
public import Wording

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
  ignoreBrokenPipes()
  do {
    return try body()
  } catch let error as FileAccessError where error.isClosedPipe {
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
public func say(_ text: String) throws(FileAccessError) -> Int32 {
  try printOut(text)
  return 0
}

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
  try? writeAll(line, to: StandardStream.error)
}

/// Whether standard error is systemd's journal: JOURNAL_STREAM names that by device and inode
/// (systemd.exec(5)).
private var isJournal: Bool {
  guard let stream = environmentValue("JOURNAL_STREAM"),
    let status = try? FileStatus(number: StandardStream.error)
  else { return false }
  return stream == "\(status.fileSystem):\(status.number)"
}

/// Prevents this program's passwords and keys from being written to core dumps or TLS key logs.
/// Call it before reading any of them.
public func guardSecrets() {
  // A core dump would contain them.
  forbidCoreDumps()
  // TLS libraries write the keys of connections to the file that it names.
  removeEnvironmentValue("SSLKEYLOGFILE")
}

/// A command line that is not valid. One line: what is wrong, and what to do.
public struct UsageError: Error, Sendable, Equatable, Worded {
  public let texts: Texts
  public init(_ texts: Texts) { self.texts = texts }
  /// With a text that is the same in each language, or exists only in one.
  public init(_ text: String) { texts = text.texts }
}

extension Language {
  /// The language of this process's environment; `nil`: none of ours.
  public static var ofEnvironment: Language? {
    .of { environmentValue($0) }
  }

  /// The language in which a program talks to its user.
  ///
  /// - Parameters:
  ///   - option: of the command line; it comes first.
  ///   - configured: of a configuration file; it comes before the environment's. Without any it is
  ///     English.
  public static func chosen(_ option: Language?, configured: Language? = nil) -> Language {
    option ?? configured ?? ofEnvironment ?? .english
  }
}
