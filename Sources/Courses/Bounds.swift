/// The bounds of files of courses, with their reasons. The core bounds a course itself.
enum CourseBounds {
  /// How many doubts about a file are reported; the rest are counted.
  static let doubts = 20
  /// Metres; a line that has been further away by that much comes by another time.
  static let excursion = 60.0
  /// A point nearer than this to the line, centimetres, need not be kept: receivers and maps are
  /// not that accurate.
  static let fine: Int64 = 100
  /// The places of a file at most, those far from the line included: each is looked for along it.
  static let places = 1000
  /// The points of a file at most: a walk of 55 h, recorded each second.
  static let points = 200_000
  /// Metres; lines that are no further apart are one, and a place may be that far from the line.
  static let reach = 500.0
  /// Metres; a point further than this from the previous one is a mistake in the file.
  static let step = 100_000.0
}
