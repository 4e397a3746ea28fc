extension String {
  /// A name that somebody has written, plain, for a line or a table: of one with more characters
  /// than `most` the beginning and `…`.
  public func cut(to most: Int) -> String {
    let text = plain
    return text.count > most ? text.prefix(most - 1) + "…" : text
  }
}

/// The columns of a name.
public enum NameWidth {
  /// A place, in a table.
  public static let place = 24
  /// A team or a file, in a line.
  public static let team = 40
}
