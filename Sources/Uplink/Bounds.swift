public import TrackerCore

/// The bounds of the uplink, with their reasons.
public enum UplinkBounds {
  /// A connection may be used again within this time after an answer. Servers close idle ones after
  /// 5 to 75 s, and the address translation of mobile networks may forget them as soon.
  public static let connectionLife = Milliseconds.seconds(30)
  /// Most captures in one request; the rest wait for the next upload. The core asks for up to 100;
  /// a tool that sends a whole store may ask for more.
  public static let captures = 1000
  /// An upload of one request for each capture begins none after this time. The core gives an
  /// upload up after 120 s.
  static let postingTime = Milliseconds.seconds(60)
  /// Identifiers in one query: 100 of 38 characters stay below 8 KiB after encoding, which even the
  /// strictest front ends accept in a form.
  static let queriedCaptures = 100
  /// Rows of a layer in one page that is read back.
  static let readRows = 500
  /// Bytes of such a page, from a layer that decides itself how many rows it has.
  static let pageBytes = 4 << 20
  /// Requests of one task in addition to those for its captures: two tokens, two descriptions of
  /// the layer, two edits, and as many repeated with a renewed token.
  static let requests = 12
  /// Bytes of an answer that does not refer to captures; a longer one is rejected. Parsing one
  /// takes some fifty times its size in memory. A token has at most 4 kB; the description of a
  /// layer with pictures as symbols has some 100 kB.
  public static let answerBytes = 256 << 10
  /// Bytes of an answer that refers to this many captures. A result has 120 bytes, with an error
  /// message some 400; a queried feature without its geometry some 300.
  static func answerBytes(captures: Int) -> Int {
    (16 + min(captures, UplinkBounds.captures)) << 10
  }
  /// Messages in one answer, and its bytes: if they do not fit, fewer are asked for.
  static let mailRows = 20
  static let mailBytes = 16 << 10
  /// What a question says of one order that it leaves out: the field has 200 characters.
  static let resultBytes = 256
  /// Versions of notes in one request, and the bytes of its answer: each has up to 500 characters,
  /// which JSON may write with 12 bytes each.
  public static let noteRows = 10
  static let noteBytes = 80 << 10
  /// Parts of a history that are asked for: of one request there are ten, and of one with the same
  /// number in an earlier table as many. The bytes of that answer, and of one to what was added.
  static let historyRows = 100
  static let historyBytes = 32 << 10
  /// Parts in one request, some 2 kB each: an emergency waits for no more than that.
  public static let historyParts = 4
  /// A message, and who wrote it, in Unicode scalars.
  static let messageScalars = 500
  static let authorScalars = 100
  /// Dates that are believed, in milliseconds since 1970: up to the year 9999.
  static let dates: ClosedRange<Int64> = 0...253_402_300_799_999
  /// Bytes of an answer to a position: OwnTracks sends the positions of all friends, some 20
  /// kB each with their pictures.
  static let postedAnswerBytes = 1 << 20
  /// Unicode scalars of a server's message in a log line.
  static let quotedScalars = 160
  /// Identifiers of captures without a clear answer that a dialogue remembers.
  static let rememberedDoubts = 10_000
  /// A token is renewed this long before it expires.
  static let tokenMargin = Milliseconds.minutes(5)
  /// Requested lifetime of a token, minutes. Servers shorten it as they see fit.
  static let tokenMinutes = 60
  /// Assumed lifetime of a token without an expiry.
  static let tokenLife = Milliseconds.minutes(30)
  /// An expiry further away than this is not believed.
  static let longestTokenLife = Milliseconds.hours(24 * 30)
}
