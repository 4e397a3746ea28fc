import CaptureStore
import CommandLineSupport
import TrackerCore
import Wording

/// Runs a command.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    return CommandLineSupport.run(table, words) { arguments in
      switch arguments.command.name {
      case "push": try Push(arguments).run()
      case "retry": try Retry(arguments).run()
      case "export" where arguments.has(.stick): try StickExport.run(arguments)
      case "export": try Export(arguments).run()
      case "import": try Import(arguments).run()
      case "compare": try CompareWalks.run(arguments)
      case "console": try ConsoleDoor.run(arguments)
      case "boards": try BoardTable.run()
      case "setup": try Setup.run(arguments)
      case "bench": try Bench(arguments).run()
      case "fleet": try Fleet(arguments).write()
      case "first-boot": try FirstBoot.run(arguments)
      case StoreReport.command: try StoreReport.run(arguments)
      default: try ShellDoor.run(arguments)
      }
    }
  }

  /// Writes one line to standard error: what, where, what to do.
  static func complain(_ message: some TextArgument) {
    CommandLineSupport.complain(message.texts[.chosen(nil)], program: table.name)
  }

  /// Warns that a damaged store shows only part of its captures.
  static func complainOfDamage(_ store: CaptureStore) {
    for remark in store.remarks { complain(remark) }
  }
}
