import BoardSupport

/// How a command's word can be completed.
public struct Completion: Equatable {
  /// All words that fit.
  public private(set) var candidates: [String] = []
  /// What all of them continue with; for a single one its rest and a space.
  public private(set) var addition = ""

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
    if words.count == 1 { return verb.words }
    switch verb {
    case .captures: return words.count == 2 ? verb.words : []
    case .set: return words.count == 2 ? values(of: words[1].lowercased()) : []
    case .stats:
      if ["every", "session", "sessions"].contains(words.last?.lowercased()) { return [] }
      return ["every", "session"]
    default: return []
    }
  }

  private static func values(of key: String) -> [String] {
    if case .choice(let words)? = SettingKey(rawValue: key)?.setting.form { words } else { [] }
  }
}

extension ConsoleCommand.Verb {
  /// The words that may follow it, for the completion of a console and of a shell.
  public var words: [String] {
    switch self {
    case .captures: ConsoleCommand.Shown.allCases.map(\.rawValue) + ["server", "all"]
    case .set: ["team"] + SettingKey.allCases.map(\.rawValue)
    case .undo: ["team", "call"] + SettingKey.allCases.map(\.rawValue)
    case .send, .capture, .attempt: ["now"]
    case .emergency: ["over"]
    case .unset: ["team"]
    case .pin: ["try"]
    case .retry: ["all"]
    case .help: ["verdict"] + Self.allCases.map(\.rawValue).sorted()
    case .proof: ["server"]
    case .stats: ["all", "every", "session", "sessions"]
    case .status, .show, .why, .report, .export, .events, .log, .messages, .notes, .note, .start,
      .stop, .get,
      .selfTest, .watch, .version, .exit:
      []
    }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
