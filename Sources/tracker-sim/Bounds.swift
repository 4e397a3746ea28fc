import TrackerCore

/// The bounds of this program, with their reasons.
enum SimulatorBounds {
  /// How long before the first capture and after the last one a table of places makes sense.
  static let aroundCaptures = Milliseconds.hours(7 * 24)
  /// How long the steps of `try` are waited for: a modem and a network that are slow.
  static let attempt = Milliseconds.minutes(3)
  /// A receiver at the wrong speed sends no more bytes than this before it is found out.
  static let bytesWithoutSentence: Int64 = 4 << 20
  /// Cells of a pack in a plan: more than anybody would carry.
  static let cells: Int32 = 40
  /// Bytes of a course or a walk in GPX or GeoJSON: a point takes a hundred or two.
  static let courseBytes = 64 << 20
  /// Of a line with the coverage of a course, which has 137.
  static let coverageBytes = 4096
  /// Lines about what of a course's file is not taken.
  static let doubts = 20
  /// For how long races are explored: at most over a long weekend.
  static let exploring = Milliseconds.seconds(1)...Milliseconds.hours(100)
  /// Bytes of a run's figures: some ten thousand.
  static let figuresBytes = 16 << 20
  /// Bytes of a trace that are looked at for a hint at what is wrong with it.
  static let hintBytes = 1 << 20
  /// Bytes of a receiver's log for statistics: all sentences of a receiver at 10 Hz are 7 kB/s, so
  /// 20 hours.
  static let logBytes: Int64 = 512 << 20
  /// Bytes of a part: of a hundred thousand races with ten rows of a plan each it has 270 MB.
  static let partBytes = 512 << 20
  /// Of one command: more than a batch system starts at a time.
  static let parts = 10_000
  /// The longest step that a person may play: longer than any trace.
  static let step = Milliseconds.hours(10_000)
}
