import BoardSupport
import CommandLineSupport

/// `tracker-sim board NAME`: shows a board and checks it.
enum BoardCommand {
  /// - Parameter words: the arguments after `board`: one board, as for `--board`.
  /// - Returns: the exit code: 0, or 2 if the board cannot be used.
  static func run(_ words: [String]) -> Int32 {
    complaining {
      let usage = "usage: tracker-sim board NAME[+PART]…   (trackerctl boards lists the names)"
      if words == ["--help"] || words == ["-h"] { return try say(usage + "\n") }
      guard words.count == 1, let name = words.first, !name.hasPrefix("-") else {
        throw UsageError(usage)
      }
      return try say(BoardSheet.text(of: try BoardDescription.load(named: name)))
    }
  }
}
