import CaptureStore
import CommandLineSupport

/// From words to a command, and from what goes wrong to one line and an exit code.
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
          "'\(word)' is no command; there are status, push, import, export and more (see --help)")
      }
    } catch is HelpRequested {
      return (try? say(Help.text)) ?? 2
    } catch let error as FileProblem where error.isClosedPipe {
      // A reader that has gone wants to hear no more.
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

  /// That what is shown is not all that there was.
  static func complainOfDamage(_ store: CaptureStore) {
    guard case .file(let path) = store.place else { return }
    if store.damagedRows > 0 {
      complain(
        "\(path): \(counted(store.damagedRows, "damaged row")) left out; the others are whole")
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

/// `--help` stands among the options of a command.
struct HelpRequested: Error {}
