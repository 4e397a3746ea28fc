import FieldConsole
import TrackerCore

/// All bounds of this program. A person at a checkpoint has an answer within five seconds, whatever
/// the tracker, its disk or systemd does: `facts`, then `store` and `service` at once.
enum ControlBounds {
  /// Longer than any configuration that a person writes.
  static let configurationFile = 256 << 10
  /// libedit draws a line that is higher than the screen past the end of its memory (re_fastputc in
  /// 3.1-20221030). So the screen seems to have room for any line, by its number of places: of a
  /// line twice as long as it may become, each character in hexadecimal.
  static let editorPlaces = 4 * lineCharacters * 8
  /// Enter ends a line, a search and a sequence half typed: leaving the editor takes no more.
  static let enters = 8
  /// A running tracker answers at once, between two events.
  static let facts = Milliseconds.seconds(2)
  /// How often `try` looks at how far the tracker has come: a person takes it for at once.
  static let followPause = Milliseconds(500)
  /// Characters of a line in a window's editor. A longer line is dropped. One key may double a
  /// line, when it inserts what was erased.
  static let lineCharacters = 2 * FieldBounds.commandBytes
  /// The last lines of the log that a dead tracker's status shows.
  static let lastWords = 3
  /// Output that is not taken for so long is dropped: the cable is pulled, or stopped by XOFF.
  static let outputPatience = Milliseconds.seconds(5)
  /// Bytes written at once, so that a slow line is stuck for a short time only.
  static let outputPiece = 512
  /// What a program that is asked for a few lines may print: kept events are the longest.
  static let programOutput = FieldBounds.eventsBytes
  /// Keys read while the terminal was asked for its size.
  static let pushedBack = 4096
  /// Each of the two requests of `self-test` to the server: a token, and the layer.
  static let serverFit = Milliseconds.seconds(3)
  /// systemd and its journal.
  static let service = Milliseconds.seconds(1)
  /// Files that setup reads; those it writes are smaller.
  static let setupFile = 1 << 20
  /// How long setup waits for a started tracker. Salvaging a store takes longer; then `status`
  /// tells more.
  static let setupStart = Milliseconds.seconds(30)
  /// Stopping a service may take its programs half a minute.
  static let setupStop = Milliseconds.seconds(60)
  /// A line that is typed at one of setup's questions: terminals take no longer one.
  static let setupLine = 4096
  /// The store of a tracker that does not answer; a large one is read in a second on a small board.
  static let store = Milliseconds.seconds(2)
  /// How long a terminal may take to say how large it is; some never do.
  static let terminalSize = Milliseconds(300)
  /// How often `watch` draws the screen anew.
  static let watchPause = Milliseconds.seconds(2)
}
