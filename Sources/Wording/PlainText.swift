extension String {
  /// The text without what a terminal would act on: each such character becomes a space.
  public var plain: String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    guard unicodeScalars.contains(where: \.isUnfit) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.isUnfit ? " " : $0 }))
  }
}

extension Unicode.Scalar {
  /// Control characters, line ends, and what turns the direction of the text that follows.
  fileprivate var isUnfit: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format:
      return (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: return false
    }
  }
}

extension String {
  /// A name written by somebody, plain, for a line or a table; one with more than `most` characters
  /// is cut and ends in `…`.
  public func cut(to most: Int) -> String {
    let text = plain
    return text.count > most ? text.prefix(most - 1) + "…" : text
  }
}

/// How wide names may be, in columns.
public enum NameWidth {
  /// A place, in a table.
  public static let place = 24
  /// A team or a file, in a line.
  public static let team = 40
}

/// Searching in texts, byte by byte. The methods that Swift has for this come with its regular
/// expressions, which would add a megabyte to each program.
extension StringProtocol {
  /// Where the part first occurs; `nil` for an empty one, too.
  public func place(of part: some StringProtocol) -> Range<Index>? {
    var start = utf8.startIndex
    guard let first = part.utf8.first else { return nil }
    while let found = utf8[start...].firstIndex(of: first) {
      let rest = utf8[found...]
      if rest.starts(with: part.utf8) {
        return found..<utf8.index(found, offsetBy: part.utf8.count)
      }
      start = utf8.index(after: found)
    }
    return nil
  }

  public func has(_ part: some StringProtocol) -> Bool { place(of: part) != nil }

  /// What is between the separators; the text itself if there is none.
  public func pieces(between separator: some StringProtocol) -> [SubSequence] {
    var pieces: [SubSequence] = []
    var rest = self[...]
    while let place = rest.place(of: separator) {
      pieces.append(rest[..<place.lowerBound])
      rest = rest[place.upperBound...]
    }
    return pieces + [rest]
  }

  /// The text with every such part replaced.
  public func exchanging(_ part: some StringProtocol, for new: some StringProtocol) -> String {
    pieces(between: part).joined(separator: String(new))
  }
}
