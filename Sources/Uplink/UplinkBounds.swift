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
  /// Bytes of an answer that does not speak of captures; a longer one is not taken in. Taking one
  /// apart costs some fifty times its size. A token has 4 kB at the most; the description of a
  /// layer with pictures for its symbols has some 100 kB.
  public static let answerBytes = 256 << 10
  /// Bytes of an answer that speaks of so many captures. A result has 120 bytes, with an error's
  /// text some 400; a queried feature without its place some 300.
  public static func answerBytes(captures: Int) -> Int {
    (16 + min(captures, UplinkBounds.captures)) << 10
  }
  /// Bytes of an answer that is not taken apart: OwnTracks sends the places of all friends, with
  /// their faces some 20 kB each.
  public static let unreadAnswerBytes = 1 << 20
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
