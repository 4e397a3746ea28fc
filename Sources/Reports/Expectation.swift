public import Wording

/// A claim about a run's figures, such as `delivery.latency_s.p95 <= 900`.
public struct Expectation: Sendable, Equatable {
  enum Comparison: String, Sendable, CaseIterable {
    // The longer ones come first, because `<` is a prefix of `<=`.
    case equal = "=="
    case notEqual = "!="
    case atMost = "<="
    case atLeast = ">="
    case below = "<"
    case above = ">"
  }

  public enum Value: Sendable, Equatable {
    case number(Double)
    case text(String)
  }

  public let source: String
  public let path: String
  let comparison: Comparison
  public let value: Value

  /// Why a claim cannot be read or checked: one line, with what to do.
  public struct ClaimError: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// Reads `PATH OPERATOR VALUE`; the value is a number, a word or a quoted text.
  public init(_ source: String) throws(ClaimError) {
    self.source = source
    guard let found = Self.firstComparison(in: source) else {
      throw ClaimError(
        description: "--expect '\(source)': no comparison in it; write PATH OPERATOR NUMBER "
          + "with one of == != <= >= < >, for example 'captures.pending == 0'")
    }
    comparison = found.comparison
    path = Self.trimmed(source[..<found.range.lowerBound])
    let right = Self.trimmed(source[found.range.upperBound...])
    guard !path.isEmpty, !path.contains(" ") else {
      throw ClaimError(
        description: "--expect '\(source)': no figure before \(comparison.rawValue); "
          + "write for example 'captures.pending == 0'")
    }
    if let number = Double(right), number.isFinite {
      value = .number(number)
    } else if right.count >= 2, let quote = right.first, quote == "\"" || quote == "'",
      right.last == quote
    {
      value = .text(String(right.dropFirst().dropLast()))
    } else if let first = right.unicodeScalars.first, first.properties.isAlphabetic,
      !right.contains(" ")
    {
      value = .text(right)
    } else {
      throw ClaimError(
        description: "--expect '\(source)': '\(right)' is neither a number nor a word; write for "
          + "example '\(path) \(comparison.rawValue) 0'")
    }
  }

  /// Whether the claim holds, with the value that was found.
  public func check(_ figures: Figure) throws(ClaimError) -> (holds: Bool, found: String) {
    guard let figure = figures[path: path] else { throw unknownPath(figures) }
    switch (figure, value) {
    case (.whole(let found), .number(let wanted)):
      return (compare(Double(found), wanted), String(found))
    case (.real(let found, let decimals), .number(let wanted)):
      // Compares the value as printed, so that a report cannot contradict itself.
      let shown = Figure.fixed(found, decimals)
      return (compare(Double(shown) ?? found, wanted), shown)
    case (.boolean(let found), .text(let wanted)):
      let isEqual = "\(found)" == wanted
      return (isEqual == (comparison == .equal), "\(found)")
    case (.text(let found), .text(let wanted)):
      guard comparison == .equal || comparison == .notEqual else {
        throw ClaimError(
          description: "--expect '\(source)': \(path) is a text; compare it with == or !=")
      }
      return ((found == wanted) == (comparison == .equal), "\"\(found)\"")
    case (.none, _):
      return (false, "unknown")
    case (.text, .number):
      throw ClaimError(
        description: "--expect '\(source)': \(path) is a text; compare it with a text")
    case (.boolean, .number):
      throw ClaimError(
        description: "--expect '\(source)': \(path) is true or false; compare it with one of these")
    case (.whole, .text), (.real, .text):
      throw ClaimError(
        description: "--expect '\(source)': \(path) is a number; compare it with a number")
    case (.object(let members), _):
      throw ClaimError(
        description: "--expect '\(source)': \(path) is a group of figures; write one of "
          + members.map { "\(path).\($0.name)" }.joined(separator: ", "))
    case (.list, _):
      throw ClaimError(
        description: "--expect '\(source)': \(path) is a list; only single figures can be compared")
    }
  }

  private func compare(_ found: Double, _ wanted: Double) -> Bool {
    switch comparison {
    case .equal: found == wanted
    case .notEqual: found != wanted
    case .atMost: found <= wanted
    case .atLeast: found >= wanted
    case .below: found < wanted
    case .above: found > wanted
    }
  }

  private func unknownPath(_ figures: Figure) -> ClaimError {
    let wanted = path.split(separator: ".").last.map(String.init) ?? path
    let similar = figures.paths.filter { $0 == wanted || $0.hasSuffix("." + wanted) }
    let hint =
      similar.isEmpty
      ? "run with --json to see all figures"
      : "did you mean \(similar.prefix(3).joined(separator: " or "))?"
    return ClaimError(description: "--expect '\(source)': there is no figure '\(path)'; \(hint)")
  }

  private static func firstComparison(
    in source: String
  ) -> (comparison: Comparison, range: Range<String.Index>)? {
    var index = source.startIndex
    while index < source.endIndex {
      for comparison in Comparison.allCases
      where source[index...].hasPrefix(comparison.rawValue) {
        let end = source.index(index, offsetBy: comparison.rawValue.count)
        return (comparison, index..<end)
      }
      index = source.index(after: index)
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
