import TrackerCore

extension Language {
  /// Before what explains: French sets a space before it.
  var colon: String { self == .french ? " : " : ": " }
  /// Between two remarks.
  var semicolon: String { self == .french ? " ; " : "; " }
  /// At the end of a line's name, without the gap behind it.
  var labelColon: String { self == .french ? " :" : ":" }
}
