/// The text of `config.txt`, which the Pi's firmware reads at the start: lines, some of them only
/// for some models, below a filter such as `[cm4]`.
///
/// Source: Raspberry Pi documentation, config.txt, "Conditional filters" and "Device trees".
public enum FirmwareConfiguration {
  private static let comment = "# For trailtracker (trackerctl setup)."

  /// The text with these lines in force on each model; those that are already stay as they are.
  public static func adding(_ wanted: [String], to text: String) -> String {
    let lines = lines(of: text)
    let missing = wanted.filter { !isInForce($0, in: lines) }
    guard !missing.isEmpty else { return text }
    let end = text.utf8.contains(0x0D) ? "\r\n" : "\n"
    var added: [String] = []
    if lines.last?.filter ?? "all" != "all" { added.append("[all]") }
    added.append(comment)
    let parameters = missing.filter { $0.hasPrefix("dtparam=") }
    // A parameter behind an overlay would be the overlay's; an empty one ends it.
    if !parameters.isEmpty, lines.contains(where: { $0.text.hasPrefix("dtoverlay=") }) {
      added.append("dtoverlay=")
    }
    added += parameters + missing.filter { !$0.hasPrefix("dtparam=") }
    let isComplete = text.isEmpty || text.utf8.last == 0x0A
    return text + (isComplete ? "" : end) + added.map { $0 + end }.joined()
  }

  private struct Line {
    /// Without blanks around it.
    var text: String
    /// The filter that it is under: `all`, `cm4`.
    var filter: String
  }

  private static func lines(of text: String) -> [Line] {
    var filter = "all"
    var found: [Line] = []
    for raw in text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
      let line = trimmed(raw)
      if line.hasPrefix("["), line.hasSuffix("]") {
        filter = line.dropFirst().dropLast().lowercased()
      }
      if !line.isEmpty, !line.hasPrefix("#") { found.append(Line(text: line, filter: filter)) }
    }
    return found
  }

  /// Whether it is set for all models and no other line takes it back on some.
  private static func isInForce(_ wanted: String, in lines: [Line]) -> Bool {
    guard let place = lines.lastIndex(where: { $0.text == wanted && $0.filter == "all" }) else {
      return false
    }
    // Overlays add up; of parameters and settings the last one counts.
    guard !wanted.hasPrefix("dtoverlay="), let sign = wanted.lastIndex(of: "=") else { return true }
    let key = wanted[...sign]
    return !lines[(place + 1)...].contains {
      $0.text.hasPrefix(key) && $0.text != wanted && $0.filter != "none"
    }
  }

  private static func trimmed(_ line: Substring) -> String {
    let rest = line.drop(while: \.isWhitespace)
    let end = rest.lastIndex { !$0.isWhitespace }.map { rest.index(after: $0) } ?? rest.endIndex
    return String(rest[..<end])
  }
}
