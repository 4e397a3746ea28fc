import TrackerCore

extension Fault {
  /// The names of the kinds of faults: in this form in a scenario, with hyphens on a command line
  /// (`cut-answer`).
  public enum Word: String, CaseIterable, Sendable {
    case http, httpAfter, late, refuse, dead, reset, timeout, loseAcknowledgement, cutAnswer
    case unauthorised, rejectRequest, portal, partial

    var hyphenated: String {
      rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }

    /// Names in basecamp 0.1 that existing scripts still use.
    fileprivate static let earlier: [String: Word] = [
      "delay": .late, "lose-answer": .cutAnswer, "html": .portal, "wrong-token": .unauthorised,
    ]
  }

  /// Parses a fault from the command line: its kind, how often it occurs, and which requests it
  /// affects, by default edits.
  ///
  ///     503 every 5th     cut-answer 10%     late 2s 20% on both     reset 100% above 2048
  ///
  /// - Throws: `ServiceError` of one line.
  public init(_ text: String) throws(ServiceError) {
    var words = text.split(separator: " ")[...]
    guard let kind = Self.kind(&words), let occasion = Self.occasion(&words) else {
      throw Self.unreadable(text)
    }
    self.init(kind, occasion, on: .edits)
    if words.first == "above" {
      guard let above = words.dropFirst().first.flatMap({ Int($0) }), above >= 0 else {
        throw Self.unreadable(text)
      }
      self.above = above
      words = words.dropFirst(2)
    }
    guard let on = words.popFirst() else { return }
    guard on == "on", let target = words.popFirst().flatMap({ Target(rawValue: String($0)) }),
      words.isEmpty, kind != .partial || target == .edits
    else { throw Self.unreadable(text) }
    self.target = target
  }

  private static func unreadable(_ text: String) -> ServiceError {
    ServiceError(
      "--fault '\(text.prefix(80))': write what and how often, as in '503 every 5th', 'late 2s "
        + "20%' or 'reset every 9th on both'; see basecamp --help")
  }

  private static func kind(_ words: inout ArraySlice<Substring>) -> Kind? {
    guard let name = words.popFirst() else { return nil }
    let word =
      Word.allCases.first { $0.hyphenated == name } ?? Word.earlier[String(name)]
    switch word {
    // A status has no name.
    case nil: return status(name)
    case .late: return words.popFirst().flatMap(milliseconds).map { .late($0) }
    case .rejectRequest:
      return words.popFirst().flatMap { Int32($0) }.map { .rejectRequest(code: $0) }
    case .reset: return .reset
    case .timeout: return .timeout
    case .loseAcknowledgement: return .loseAcknowledgement
    case .cutAnswer: return .cutAnswer
    case .unauthorised: return .unauthorised
    case .portal: return .portal
    case .partial: return .partial
    // A listening server cannot refuse connections; the others are written as a status.
    case .refuse, .dead, .http, .httpAfter: return nil
    }
  }

  /// `503`, or `504-after`.
  private static func status(_ name: Substring) -> Kind? {
    let isAfter = name.hasSuffix("-after")
    let digits = isAfter ? name.dropLast("-after".count) : name
    guard digits.utf8.count == 3, let status = Int32(digits), (400...599).contains(status) else {
      return nil
    }
    return isAfter ? .httpAfter(status: status) : .http(status: status)
  }

  private static func occasion(_ words: inout ArraySlice<Substring>) -> Occasion? {
    guard let word = words.popFirst() else { return nil }
    if word.hasSuffix("%") {
      guard let percent = Double(word.dropLast()), percent > 0, percent <= 100 else { return nil }
      return .probability(percent: percent)
    }
    guard word == "every", let ordinal = words.popFirst() else { return nil }
    let digits = ordinal.prefix { $0.isNumber }
    guard ["", "st", "nd", "rd", "th"].contains(ordinal.dropFirst(digits.count)),
      let number = Int(digits), number > 0
    else { return nil }
    return .every(number)
  }

  /// `2s`, `0.5s` or `300ms`.
  private static func milliseconds(_ word: Substring) -> Milliseconds? {
    let isMilliseconds = word.hasSuffix("ms")
    guard word.hasSuffix("s"), let number = Double(word.dropLast(isMilliseconds ? 2 : 1)) else {
      return nil
    }
    let milliseconds = isMilliseconds ? number : number * 1000
    guard milliseconds >= 1, milliseconds <= Double(Bounds.lateMilliseconds) else { return nil }
    return Milliseconds(Int64(milliseconds))
  }
}
