import CaptureStore
import CommandLineSupport
import TrackerCore
import Wording

/// Runs a command.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    return CommandLineSupport.run(program: name) {
      do {
        return try run(words.first, Array(words.dropFirst()), words)
      } catch is HelpRequested {
        return try say(Help.text(of: words.first ?? "", in: .chosen(nil)))
      }
    }
  }

  private static let name = "trackerctl"

  private static func run(
    _ command: String?, _ rest: [String], _ words: [String]
  ) throws -> Int32 {
    switch command {
    case "push": return try Push(Options(rest, for: .push)).run()
    case "retry": return try Retry(rest).run()
    case "export" where rest.contains("--stick"): return try StickExport.run(rest)
    case "export": return try Export(Options(rest, for: .export)).run()
    case "import": return try Import(Options(rest, for: .importing)).run()
    case "compare": return try CompareWalks.run(rest)
    case "console": return try ConsoleDoor.run(rest)
    case "boards": return try BoardTable.run(rest)
    case "setup": return try Setup.run(rest)
    case "bench": return try Bench(Options(rest, for: .bench)).run()
    case "fleet": return try Fleet.run(rest)
    case "first-boot": return try FirstBoot.run(rest)
    case StoreReport.command: return try StoreReport.run(rest)
    case "--help", "-h": return try say(Help.text(in: .chosen(nil)))
    case "--version": return try say("\(name) \(version)\n")
    case nil: throw UsageError(CommandPhrase.noCommand.texts)
    case .some: return try ShellDoor.run(words)
    }
  }

  /// Writes one line to standard error: what, where, what to do.
  static func complain(_ message: some TextArgument) {
    CommandLineSupport.complain(message.texts[.chosen(nil)], program: name)
  }

  /// Warns that a damaged store shows only part of its captures.
  static func complainOfDamage(_ store: CaptureStore) {
    for remark in store.remarks { complain(remark) }
  }
}

/// `--help` is among a command's options.
struct HelpRequested: Error {}
