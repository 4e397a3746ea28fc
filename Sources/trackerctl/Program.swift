import CaptureStore
import CommandLineSupport

/// Runs a command, and turns its errors into one line and an exit code.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    do {
      switch words.first {
      case "push": return try Push(Options(Array(words.dropFirst()), for: .push)).run()
      case "retry": return try Retry(Array(words.dropFirst())).run()
      case "captures": return try list(Options(Array(words.dropFirst()), for: .captures))
      case "export":
        return try Export(Options(Array(words.dropFirst()), for: .export)).run()
      case "import":
        return try Import(Options(Array(words.dropFirst()), for: .importing)).run()
      case "bench":
        return try Bench(Options(Array(words.dropFirst()), for: .bench)).run()
      case let word? where Ask.commands.contains(word): return try say(Ask(words).answer())
      case "--help", "-h", "help": return try say(Help.text)
      case "--version": return try say("trackerctl \(version)\n")
      case nil: throw UsageError("no command; give one, as in trackerctl status (see --help)")
      case let word?:
        throw UsageError(
          "'\(word)' is not a command; write status, push, import or export, or see --help")
      }
    } catch is HelpRequested {
      return (try? say(Help.text)) ?? 2
    } catch let error as FileProblem where error.isClosedPipe {
      // The reader of the output has closed the pipe, as `head` does.
      return 0
    } catch {
      complain("\(error)")
    }
    return 2
  }

  /// Writes to standard output.
  @discardableResult
  static func say(_ text: String) throws(FileProblem) -> Int32 {
    try printOut(text)
    return 0
  }

  /// Writes one line to standard error: what, where, what to do.
  static func complain(_ message: String) {
    CommandLineSupport.complain(message, program: "trackerctl")
  }

  /// Warns that a damaged store shows only part of its captures.
  static func complainOfDamage(_ store: CaptureStore) {
    guard case .file(let path) = store.place else { return }
    if store.damagedRows > 0 {
      complain(
        "\(path): \(counted(store.damagedRows, "damaged row")) left out; the others are intact")
    }
    if let leftover = store.leftover { complain("\(leftover)") }
    guard let damage = store.damage else { return }
    complain(
      "\(path): is damaged (\(damage)); \(store.tally.rows) captures can be read, and the tracker "
        + "salvages them when it starts")
  }

  private static func list(_ options: Options) throws -> Int32 {
    let stores = try CaptureStore.openAllForReading(options.store)
    for (index, store) in stores.enumerated() {
      complainOfDamage(store)
      if index > 0 {
        try say("\nin the second store, \(CaptureStore.second(of: options.store)):\n")
      }
      try CaptureList(store).print { (text: String) throws(FileProblem) in try say(text) }
    }
    return 0
  }
}

/// `--help` is among a command's options.
struct HelpRequested: Error {}
