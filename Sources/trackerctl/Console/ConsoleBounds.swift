import TrackerCore

/// How long an answer may take: a person at a checkpoint has it within five seconds, whatever the
/// tracker, its disk or systemd does.
enum ConsoleBounds {
  /// A running tracker answers at once, between two things that it does. Then the others begin.
  static let facts = Milliseconds.seconds(2)
  /// The store of a tracker that does not answer; a large one is read in a second on a small board.
  static let store = Milliseconds.seconds(2)
  /// systemd and its journal.
  static let service = Milliseconds.seconds(1)
  /// Each of the two requests of `self-test` to the server: a token, and the layer.
  static let serverFit = Milliseconds.seconds(3)
  /// The last lines of the log that a dead tracker's status shows.
  static let lastWords = 3
}
