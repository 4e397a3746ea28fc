extension String {
  /// The text without what a terminal would act on: each such character becomes a space.
  public var plain: String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
  }
}

extension String {
  /// The text in one line, without what cannot be seen or turns a line around: how a name or a
  /// remark is kept that people show to others. Breaks of lines and other controls become spaces.
  public var visible: String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
      case .format: continue
      // Those that choose between the forms of a character stand behind it.
      case _
      where scalar.properties.isDefaultIgnorableCodePoint
        && !scalar.properties.isVariationSelector:
        continue
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// Whether it is as it is shown.
  public var isVisible: Bool { utf8.elementsEqual(visible.utf8) }
}

/// A value for a log line, `key=value`: at most 400 characters of it, unchanged if they are one
/// plain word, else in quotation marks; never with what would change how a terminal shows the line.
public func quotedForLog(_ value: String) -> String {
  let shown = value.unicodeScalars.prefix(400)
  let isPlain =
    !shown.isEmpty
    && shown.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" && !$0.isControl }
  if isPlain { return String(shown) }
  var text = "\""
  for scalar in shown {
    switch scalar {
    case "\"", "\\": text += "\\\(scalar)"
    case _ where scalar.isControl: text += " "
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text + "\""
}

extension Unicode.Scalar {
  /// What a terminal would act on: controls (C0 and C1), line and paragraph separators, and all
  /// that sets the direction of the text (Unicode's Bidi_Control).
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
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
