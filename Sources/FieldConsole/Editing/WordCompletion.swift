/// How a command's word can be completed.
public struct Completion: Equatable {
  /// All words that fit.
  public private(set) var candidates: [String] = []
  /// What all of them continue with; for a single one its rest and a space.
  public private(set) var addition = ""

  /// What `set` and `undo` take.
  static let settings = [
    "team", "interval", "policy", "every", "accuracy", "contacts", "finish", "language", "reserve",
  ]

  /// - Parameter text: a line up to the cursor.
  public init(of text: String) {
    var words = text.split(separator: " ").map(String.init)
    let isNew = text.isEmpty || text.hasSuffix(" ")
    if words.first == "trackerctl", isNew || words.count > 1 { words.removeFirst() }
    let begun = isNew ? "" : (words.popLast() ?? "")
    candidates = Self.words(after: words).filter { $0.hasPrefix(begun.lowercased()) }
    guard let first = candidates.first else { return }
    let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    addition = String(common.dropFirst(begun.count)) + (candidates.count == 1 ? " " : "")
  }

  /// All words that fit, as lines of at most so many columns.
  public func listing(columns: Int) -> String {
    var page = Page()
    page.line("  " + candidates.joined(separator: "  "))
    return page.text(width: columns)
  }

  private static func words(after words: [String]) -> [String] {
    guard let first = words.first?.lowercased() else {
      return ConsoleCommand.Verb.allCases.map(\.rawValue).sorted()
    }
    guard let verb = ConsoleCommand.Verb(rawValue: first) else { return [] }
    switch verb {
    case .captures:
      return words.count < 3 ? ConsoleCommand.Shown.allCases.map(\.rawValue) + ["all"] : []
    case .set where words.count == 2: return values(of: words[1].lowercased())
    case .set, .undo: return words.count == 1 ? settings : []
    case .send, .capture, .attempt: return words.count == 1 ? ["now"] : []
    case .unset: return words.count == 1 ? ["team"] : []
    case .pin: return words.count == 1 ? ["try"] : []
    case .retry: return words.count == 1 ? ["all"] : []
    case .help:
      let verbs = ConsoleCommand.Verb.allCases.map(\.rawValue).sorted()
      return words.count == 1 ? ["verdict"] + verbs : []
    case .proof: return words.count == 1 ? ["server"] : []
    case .stats:
      if ["every", "session", "sessions"].contains(words.last?.lowercased()) { return [] }
      return (words.count == 1 ? ["all"] : []) + ["every", "session"]
        + (words.count == 1 ? ["sessions"] : [])
    case .status, .show, .why, .report, .export, .events, .log, .start, .stop, .get, .selfTest,
      .watch, .version, .exit:
      return []
    }
  }

  private static func values(of key: String) -> [String] {
    switch key {
    case "policy": ["standard", "significant", "proximity", "route", "adaptive"]
    case "language": ["ca", "es", "en", "fr"]
    default: []
    }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
