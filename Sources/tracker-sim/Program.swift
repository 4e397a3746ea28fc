import CommandLineSupport

/// Runs a command.
enum Program {
  /// - Returns: the exit code: 0; 1 if an expectation failed; 2 for wrong use, unreadable input or
  ///   unwritable output.
  static func run(_ words: [String]) -> Int32 {
    CommandLineSupport.run(table, words) { arguments in
      let name = arguments.command.name
      // Some are named in all of their errors.
      guard ["plan", "synth", "stats", "compare", "passages"].contains(name) else {
        return try run(arguments)
      }
      return CommandLineSupport.run(program: "tracker-sim \(name)") { try run(arguments) }
    }
  }

  private static func run(_ arguments: Arguments) throws -> Int32 {
    switch arguments.command.name {
    case "replay": try Replay.run(arguments)
    case "decode": try Decode.run(path: arguments.operands[0])
    case "synth": try Synth(arguments).run()
    case "stats": try Stats.run(arguments)
    case "compare": try Compare.run(arguments)
    case "plan": try Plan.run(arguments)
    case "board": try say(BoardSheet.text(of: .load(named: arguments.operands[0])))
    case "passages": try PassagesCommand.run(arguments)
    default: try Simulate.run(SimulateOptions(arguments))
    }
  }
}

/// Writes one line to standard error: what, where, what to do.
func complain(_ message: String) { complain(message, program: "tracker-sim") }
