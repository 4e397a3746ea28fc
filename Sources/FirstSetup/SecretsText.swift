/// The text of the secrets file: lines `name = value`.
public enum SecretsText {
  /// The text with a secret's value; everything else stays.
  ///
  /// - Returns: `nil` if such a file cannot hold the value: it is empty, has several lines or
  ///   blanks around it.
  public static func setting(_ name: String, to value: String, in text: String) -> String? {
    let isOneLine = value.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0.value != 0x2028 && $0.value != 0x2029
    }
    guard isOneLine, let first = value.first, let last = value.last, !first.isWhitespace,
      !last.isWhitespace
    else { return nil }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    if lines.last == "" { lines.removeLast() }
    let line = "\(name) = \(value)"
    if let place = lines.firstIndex(where: { self.name(in: $0) == name }) {
      lines[place] = line
    } else {
      lines.append(line)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func name(in line: String) -> String? {
    guard let sign = line.firstIndex(of: "=") else { return nil }
    return String(line[..<sign].filter { !$0.isWhitespace })
  }
}
