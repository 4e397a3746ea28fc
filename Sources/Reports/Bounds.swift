public import TrackerCore

/// The bounds of reports and of what they are made from, with their reasons.
public enum ReportBounds {
  /// A team this far behind a place's circle, metres, has passed it.
  static let beyondPlaceMetres: Int32 = 100
  /// Bytes of an export: 48 hours at ten seconds from forty trackers, of some 530 bytes for each
  /// capture in GeoJSON with a course.
  public static let captureFileBytes = 384 << 20
  /// Entries of a lane of a run's page: more cannot be distinguished.
  static let laneEntries = 400
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
  /// The trackers of a race report within this time of each other.
  static let raceSpan = Milliseconds.hours(7 * 24)
  /// Captures of a run that its statistics use: 48 h at ten seconds, five times over.
  static let runPoints = 86_400
  /// Silences shorter than this are left out: they are part of every contact (starting the modem,
  /// finding the network). Periods of one reason that are no further apart are one silence.
  static let silence = Milliseconds.seconds(60)
  /// How many pieces back to look for an interrupted silence: an attempt passes through four
  /// reasons.
  static let silencePieces = 5
  /// A tracker that has not moved, or not been heard, for so long is said to stand.
  static let standing = Milliseconds.minutes(45)
  /// A team that got no further than this, metres, stands still.
  static let standingMetres: Int32 = 200
  /// A team first seen no further along than this, metres, started about then: a team walks that
  /// far between two captures.
  static let startReachMetres: Int32 = 1500
  /// After the plan's hour, until a place is past due.
  public static let planTolerance = Milliseconds.minutes(30)
  /// Passages in a summary: a course has 40 places at most, which are entered and left.
  static let summaryPassages = 80
  /// Bytes of a timetable: ten thousand rows of 400 bytes.
  public static let timetableBytes = 4 << 20
  /// How far a mark in kilometres may be from its place, metres: people round.
  static let timetableNearby: Int64 = 1000
  /// Rows of a timetable: forty teams at forty places, several times over.
  static let timetableRows = 10_000
  /// Bytes of a walk to compare: it may be an export of captures.
  public static let walkFileBytes = captureFileBytes
}
