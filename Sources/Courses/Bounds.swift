/// The bounds of files of courses, with their reasons. The core bounds a course itself.
enum CourseBounds {
  /// How many doubts about a file are reported; the rest are counted.
  static let doubts = 20
  /// The places of a file at most, those far from the line included: each is looked for along it.
  static let places = 1000
  /// The points of a file at most: a walk of 55 h, recorded each second.
  static let points = 200_000
  /// Metres; a point further than this from the previous one is a mistake in the file.
  static let step = 100_000.0
}
