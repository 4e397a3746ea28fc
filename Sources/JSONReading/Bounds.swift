/// The bounds of JSON and JSON5, with their reasons: reading and decoding recurse.
enum JSONBounds {
  /// The brackets that a value may have around it: courses have seven, servers' answers five.
  static let levels = 64
  /// The same in JSON5: settings files have five.
  static let settingsLevels = 31
}
