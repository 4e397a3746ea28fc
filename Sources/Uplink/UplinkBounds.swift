public import TrackerCore

/// Every bound of the uplink, with its reason.
public enum UplinkBounds {
  /// Captures in one request at the most; what goes beyond waits for the next upload. The core
  /// asks for up to 100; a tool that pushes a whole store may ask for more.
  public static let captures = 1000
  /// Identifiers in one query: 100 of 38 characters stay below 8 KiB after encoding, which the
  /// strictest of front ends take in a form.
  public static let queriedCaptures = 100
  /// Requests of one work beside its queries and its captures: two tokens, two descriptions of the
  /// layer, two edits, and as many that a renewed token repeats.
  public static let requests = 12
  /// Bytes of an answer that are looked at; a longer one counts as unreadable. A thousand results
  /// of 300 bytes and the description of a large layer stay well below.
  public static let answerBytes = 4 << 20
  /// Scalars of a server's own words in a line of the log.
  public static let quotedScalars = 160
  /// Identifiers of captures without a clear answer that a dialogue remembers by itself.
  public static let rememberedDoubts = 10_000
  /// A token is renewed so long before its end.
  public static let tokenMargin = Milliseconds.minutes(5)
  /// What is asked for as a token's life, minutes. Servers shorten what they find too long.
  static let tokenMinutes = 60
  /// A token without a stated end is taken to live this long.
  static let tokenLife = Milliseconds.minutes(30)
  /// A token's end further away than this is not believed.
  static let longestTokenLife = Milliseconds.hours(24 * 30)
}
