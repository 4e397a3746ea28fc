/// The bounds of reports and of what they are made from, with their reasons.
public enum ReportBounds {
  /// Bytes of an export: 48 hours at ten seconds from forty trackers, of some 530 bytes for each
  /// capture in GeoJSON with a course.
  public static let captureFileBytes = 384 << 20
  /// Columns of the modem's shares: a wide screen shows so many, 7 to 14 pixels each.
  static let modemBins = 128
  /// Steps of a modem that a lane shows apart: some 80 contacts, each 10 pixels wide on a screen.
  static let modemSteps = 480
  /// Characters and bytes of a place's name: a store keeps no longer ones.
  static let placeName = (characters: 40, bytes: 120)
  /// Rows of the table of places: more than a course has places, each visited some times.
  static let placeVisits = 200
  /// Heights of a profile: more would not be seen.
  static let profileHeights = 240
  /// Times that a lane shows the queue fall: once in a contact, as for `modemSteps`.
  static let queueFalls = 80
  /// Captures of a run that its statistics use: 48 h at ten seconds, five times over.
  static let runPoints = 86_400
  /// Passages in a summary: a course has 40 places at most, which are entered and left.
  static let summaryPassages = 80
  /// Bytes of a timetable: ten thousand rows of 400 bytes.
  public static let timetableBytes = 4 << 20
  /// Rows of a timetable: forty teams at forty places, several times over.
  static let timetableRows = 10_000
  /// Bytes of a walk to compare: it may be an export of captures.
  public static let walkFileBytes = captureFileBytes
}
