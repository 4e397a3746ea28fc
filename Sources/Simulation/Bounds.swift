public import TrackerCore

/// The bounds of simulated worlds and of what they are read from, with their reasons.
public enum SimulationBounds {
  /// How long a client waits for an answer at most; as trackerd's (`HTTPClientConfiguration`).
  static let answer = Milliseconds.seconds(60)
  /// Bytes of a burst: a longer one is split, at the same instant. The longest epochs seen, from a
  /// receiver with four systems and two signals, have 5 KiB.
  static let burstBytes = 32_768
  /// A point further than this from the previous one is a mistake in the file, in metres.
  static let courseStep = 100_000.0
  /// After the trace the session is stopped and the tracker may empty its queue for this long.
  static let drain = Milliseconds.hours(2)
  /// A shorter interruption in a GPX file does not count.
  static let gap = Milliseconds.seconds(30)
  /// Bytes without a sentence that are kept before they are passed on: several frames of a binary
  /// protocol (u-blox RXM-RAWX, the longest common one, has 2 KiB).
  static let garbageBytes = 4096
  /// Bytes of a GPX file. A point takes a hundred or two.
  static let gpxBytes = 64 << 20
  /// Calls at one instant: more than a full buffer of bytes and all that is due then.
  static let idleTurns = 100_000
  /// A file with fewer sentences than one in this many lines is not a receiver's log. Where a
  /// u-blox sends 2 KiB of raw data with its sentences each second, one line in three has one.
  static let linesForSentence = 20
  /// A line to the emulated modem: a longer one is cut; modems differ in how they refuse it.
  static let modemLineBytes = 4096
  /// The longest trace; ends a walk that never arrives (an endless rest).
  public static let synthesis = Milliseconds.hours(336)
  /// What is read of a trace at a time: a line, or a burst of them, has to fit several times.
  static let traceBufferBytes = 131_072
  /// The most windows that a track may have; more are probably a mistake.
  static let windows = 10_000
}
