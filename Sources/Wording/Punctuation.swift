public import TrackerCore

extension Language {
  /// Before what explains: French sets a space before it.
  public var colon: String { self == .french ? " : " : ": " }
  /// Between two remarks.
  public var semicolon: String { self == .french ? " ; " : "; " }
  /// At the end of a line's name, without the gap behind it.
  public var labelColon: String { self == .french ? " :" : ":" }
}
