import TrackerCore

/// The bounds of the statistics, with their reasons.
public enum StatisticsBounds {
  /// A turn of the altitude below this is noise: OsmAnd's limit (10 m at first, 7 m since it
  /// smooths more), near that of Strava.
  static let climbThresholdMillimetres: Int32 = 10_000
  /// The altitudes of so much of the way, metres, are averaged before: a receiver's altitude
  /// wanders by some metres over minutes, in which a team walks this far. On the synthetic course
  /// of 100 km, which climbs 780 m, with a vertical error of 3.75 m: 784 m; without averaging over
  /// more than 60 m it would be 1068 (ClimbTests).
  static let altitudeWindowMetres = 200.0
  /// Slower than this is not walking, millimetres per second: 1 km/h, which is gpxpy's threshold,
  /// too (`DEFAULT_STOPPED_SPEED_THRESHOLD`).
  static let restMillimetresPerSecond: Int64 = 278
  /// A shorter interruption does not count: captures in a race are up to this far apart.
  static let shortestGap = Milliseconds.minutes(15)
  /// A longer step of time is a clock that was put right, as from 1970 to the present.
  static let longestStep = Milliseconds.hours(24 * 31)
  /// Reports of a receiver that follow each other: a speed counts if two in a row had it, because
  /// one alone may be a reflection.
  static let inARow = Milliseconds.seconds(10)
  /// Points further apart than this show neither bends nor short rests.
  static let sparse = Milliseconds.minutes(1)
  /// Nobody walks faster than this for ten minutes, metres per second: what `CourseSearch` takes
  /// for a walker's highest pace. Times between two sightings are as uncertain as this allows.
  static let fastestPace = 2.2
  /// How much faster than its highest pace between two sightings a walk may have been anywhere.
  static let paceMargin = 1.15
  /// Sightings that are closer together, seconds, show rather errors than a pace; and fewer pairs
  /// do not show a walk's highest.
  static let paceSeconds = 60.0
  static let leastPaces = 6
  /// A team that walks all night is slower than in the evening: a pace counts for this long before
  /// and after.
  static let paceTime = Milliseconds.minutes(90)
  /// A smaller doubt about a time is not shown.
  static let saidDoubt = Milliseconds.seconds(30)
  /// A team seen no further than this inside a place's circle was seen entering it, metres.
  static let edgeMetres = 60.0
  /// A team that ends no further than this before the end of the line, metres, has finished:
  /// receivers are off by less.
  static let finishSlackMetres = 50.0
  /// Metres from one mark to the next.
  public static let marksEvery: ClosedRange<Int64> = 50...1_000_000
  public static let usualMarksEvery: Int64 = 1000
  /// On a course, beside its places.
  public static let usualCourseMarksEvery: Int64 = 5000
  /// More marks are not kept: 5000 km in kilometres, or 250 km at 50 m.
  static let mostMarks = 5000
}
