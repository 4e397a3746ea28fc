import CaptureStore
import CommandLineWords
import Glibc
import LinuxHost
import TrackerCore
import Uplink

/// From words to a command, and from what goes wrong to one line and an exit code.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    do {
      switch words.first {
      case "push": return try Push(Options(Array(words.dropFirst()), for: .push)).run()
      case "captures": return try list(Options(Array(words.dropFirst()), for: .captures))
      case "export":
        return try say(Export(Options(Array(words.dropFirst()), for: .export)).bytes())
      case let word? where Ask.commands.contains(word): return try say(Ask(words).answer())
      case "--help", "-h", "help": return try say(Help.text)
      case "--version": return try say("trackerctl \(Help.version)\n")
      case nil: throw UsageError("no command; give one, as in trackerctl status (see --help)")
      case let word?:
        throw UsageError(
          "'\(word)' is no command; there are status, push, captures, export and more (see --help)")
      }
    } catch is HelpWanted {
      return (try? say(Help.text)) ?? 2
    } catch let error as OutputError {
      // A reader that has gone wants to hear no more.
      if error.code == EPIPE { return 0 }
      complain("cannot write standard output: \(String(cString: strerror(error.code)))")
    } catch {
      complain("\(error)")
    }
    return 2
  }

  /// Writes to standard output.
  @discardableResult
  static func say(_ text: String) throws(OutputError) -> Int32 { try say(Array(text.utf8)) }

  private static func say(_ bytes: [UInt8]) throws(OutputError) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count >= 0 { written += count } else if errno != EINTR { throw OutputError(code: errno) }
    }
    return 0
  }

  /// Writes one line to standard error: what, where, what to do.
  static func complain(_ message: String) {
    // Names come from outside: a line feed or an escape in one must not reach the terminal.
    let plain = String(
      String.UnicodeScalarView(
        message.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    let line = Array("trackerctl: \(plain)\n".utf8)
    // Nothing is left to do when standard error is gone too.
    _ = write(STDERR_FILENO, line, line.count)
  }

  private static func list(_ options: Options) throws -> Int32 {
    let store = try CaptureStore.openForReading(options.store)
    try CaptureList(store).print { (text: String) throws(OutputError) in try say(text) }
    return 0
  }
}

/// Standard output could not be written.
struct OutputError: Error {
  var code: Int32
}

/// `--help` stands among the options of a command.
struct HelpWanted: Error {}
