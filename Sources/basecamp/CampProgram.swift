import Basecamp
import CommandLineSupport
import SystemCalls

/// Starts the server and waits for a signal to stop it.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    // Who walks where, and telephone numbers: also in SQLite's logs.
    _ = setFileModeMask(0o077)
    return CommandLineSupport.run(table, words) { arguments in
      switch arguments.command.name {
      case StaffCommand.table.name: return try StaffCommand.run(arguments)
      case TeamDataCommands.exportTable.name: return try TeamDataCommands.export(arguments)
      case TeamDataCommands.eraseTable.name: return try TeamDataCommands.erase(arguments)
      case WatchCommand.table.name: return try WatchCommand.run(arguments)
      default: break
      }
      let settings = try CampSettings(arguments)
      // Held before any thread exists, so that only `wait` below receives them.
      let signals = HeldSignals([.interrupt, .terminate])
      let camp = try Camp(settings)
      do throws(FileAccessError) {
        try printOut("basecamp: \(camp.address)\nbasecamp: \(camp.room)\n")
      } catch {
        // Nobody reads the address, but trackers may know it.
        guard error.isClosedPipe else { throw error }
      }
      _ = signals.wait()
      return 0
    }
  }
}
