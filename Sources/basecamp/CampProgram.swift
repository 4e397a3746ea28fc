import Basecamp
import CommandLineSupport
import SQL
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
      guard let camp = try open(settings, until: signals) else { return 0 }
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

  /// Waits for a database server that is away, as it would in the middle of a race.
  ///
  /// - Returns: `nil` if a signal came first.
  private static func open(
    _ settings: CampSettings, until signals: borrowing HeldSignals
  ) throws -> Camp? {
    var last = ""
    while !signals.isPending {
      do { return try Camp(settings) } catch let error as SQLError {
        guard settings.isOnServer, error.kind.isPassing else { throw error }
        let line = "\(error); basecamp waits for it"
        if line != last { complain(line, program: "basecamp") }
        last = line
        pause(milliseconds: 500)
      }
    }
    // Taken, so that it does not end the process once it is no longer held.
    _ = signals.wait()
    return nil
  }
}
