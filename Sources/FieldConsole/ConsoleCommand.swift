public import Notes
import Statistics
import Wording

/// What a person may type. One list for all doors: a serial console, a shell, the simulator, a
/// pipe.
public enum ConsoleCommand: Sendable, Equatable {
  public enum Shown: String, Sendable, CaseIterable {
    case pending, sent, aside
  }

  case status
  case captures(newest: Int, Shown?)
  /// What the server has of the team, and what of that is not in the store.
  case served(newest: Int)
  case show(String)
  case why
  /// Whether to ask the server, too.
  case proof(asksServer: Bool)
  /// The figures of a session (`nil`: the last one) with the newest `newest` marks, one every
  /// `every` metres.
  case stats(newest: Int, every: Int64, session: Int? = nil)
  /// A list of all sessions.
  case sessions
  case selfTest
  case events(newest: Int)
  case log(newest: Int)
  /// What people have told the tracker.
  case messages(newest: Int)
  /// Notes of the team and the organisers.
  case notes(newest: Int)
  case note(NoteOrder)
  /// All versions of one note.
  case noteHistory(String)
  case get
  /// A key and its new value.
  case set(String, String)
  /// `nil`: the last order.
  case undo(String?)
  case start, stop, sendNow, captureNow, tryPIN
  /// Call for help, perhaps with a note of why, or say that it is not needed any more.
  case emergency(isOver: Bool, note: String? = nil)
  case retry(String)
  /// Whether even before the reconnect floor is over.
  case attempt(isNow: Bool)
  case watch
  /// Everything in one file.
  case report(String)
  /// Everything, to the stick that is plugged in.
  case exportToStick
  case help(String?)
  case version
  case leave

  /// The command's first word.
  public enum Verb: String, Sendable, CaseIterable {
    case status, captures, show, why, proof, stats, events, log, messages, notes, note
    case start, stop, send, capture, emergency, set, get, undo, unset, retry, pin
    case attempt = "try"
    case selfTest = "self-test"
    case watch, report, export, help, version, exit
  }

  /// Whether the person has to confirm it.
  var isDangerous: Bool {
    switch self {
    case .stop, .tryPIN, .attempt(isNow: true), .emergency: true
    case .status, .captures, .served, .show, .why, .proof, .stats, .sessions, .selfTest, .events,
      .log, .messages, .notes, .note, .noteHistory, .get,
      .set,
      .undo,
      .start, .sendNow, .captureNow, .retry, .attempt(isNow: false), .watch, .report,
      .exportToStick,
      .help, .version, .leave:
      false
    }
  }

  /// Whether a person's answer is yes, in any of the languages.
  public static func isYes(_ line: String) -> Bool {
    ["y", "yes", "s", "si", "sí", "o", "oui"].contains(
      line.lowercased().filter { !$0.isWhitespace })
  }

  /// Whether it changes anything, or writes a file, which a read-only console refuses.
  public var isOrder: Bool {
    switch self {
    case .set, .undo, .start, .stop, .sendNow, .captureNow, .tryPIN, .emergency, .retry, .attempt,
      .report, .exportToStick, .note:
      true
    case .status, .captures, .served, .show, .why, .proof, .stats, .sessions, .selfTest, .events,
      .log, .messages, .notes, .noteHistory, .get,
      .watch,
      .help, .version, .leave:
      false
    }
  }
}

/// A line that is not a command.
public enum CommandError: Error, Sendable, Equatable {
  case empty
  case tooLong
  case openQuote
  /// With the nearest command, if one is near enough.
  case unknown(String, nearest: String?)
  /// How the verb is used.
  case usage(ConsoleCommand.Verb)
  case notANumber(String)
  /// Not a distance between marks.
  case badMarks(String)
  /// It could end a line to the tracker, or reach other people's terminals.
  case controlCharacter
}

extension ConsoleCommand {
  /// - Parameter words: a leading `trackerctl` is skipped, for those who type it out of habit.
  public init(_ words: [String]) throws(CommandError) {
    var words = words[...]
    if words.first == "trackerctl" { words = words.dropFirst() }
    guard let first = words.first else { throw .empty }
    guard words.allSatisfy({ $0 == $0.plain }) else { throw .controlCharacter }
    let word = first.lowercased()
    let rest = Array(words.dropFirst())
    if word == "?" {
      self = .help(rest.first)
      return
    }
    if word == "quit" || word == "logout" {
      self = .leave
      return
    }
    guard let verb = Verb(rawValue: word) else {
      // Noise on a line makes long words.
      throw .unknown(
        String(first.plain.prefix(40)),
        nearest: nearest(to: word, in: Verb.allCases.map(\.rawValue)))
    }
    self = try Self.parsed(verb, rest)
  }

  /// Reads a line of a console.
  public init(line: String) throws(CommandError) {
    let words: [String]
    do throws(CommandWords.SplitError) { words = try CommandWords.of(line) } catch {
      switch error {
      case .tooLong: throw .tooLong
      case .openQuote: throw .openQuote
      }
    }
    self = try ConsoleCommand(words)
  }

  private static func parsed(
    _ verb: Verb, _ rest: [String]
  ) throws(CommandError) -> ConsoleCommand {
    switch verb {
    case .status: return try alone(.status, verb, rest)
    case .why: return try alone(.why, verb, rest)
    case .proof:
      guard rest.isEmpty || rest == ["server"] else { throw .usage(verb) }
      return .proof(asksServer: !rest.isEmpty)
    case .stats: return try stats(rest)
    case .selfTest: return try alone(.selfTest, verb, rest)
    case .get: return try alone(.get, verb, rest)
    case .start: return try alone(.start, verb, rest)
    case .stop: return try alone(.stop, verb, rest)
    case .attempt: return .attempt(isNow: try isNow(verb, rest))
    case .watch: return try alone(.watch, verb, rest)
    case .version: return try alone(.version, verb, rest)
    case .export: return try alone(.exportToStick, verb, rest)
    case .exit: return try alone(.leave, verb, rest)
    case .send: return try now(.sendNow, verb, rest)
    case .capture: return try now(.captureNow, verb, rest)
    case .emergency:
      // Nobody who calls for help is to think of quotes.
      let words = rest.joined(separator: " ")
      if words.lowercased() == "over" { return .emergency(isOver: true) }
      return .emergency(isOver: false, note: words.isEmpty ? nil : words)
    case .captures: return try captures(rest)
    case .events: return .events(newest: try number(rest, verb) ?? FieldBounds.usualEvents)
    case .log: return .log(newest: try number(rest, verb) ?? FieldBounds.usualEvents)
    case .messages: return .messages(newest: try number(rest, verb) ?? FieldBounds.usualEvents)
    case .notes: return .notes(newest: try number(rest, verb) ?? FieldBounds.usualEvents)
    case .note: return try note(rest)
    case .show: return .show(try one(verb, rest))
    case .report: return .report(try one(verb, rest))
    case .retry: return .retry(rest.isEmpty ? "all" : try one(verb, rest))
    case .pin: return try rest == ["try"] ? .tryPIN : fail(verb)
    case .unset: return .undo(try one(verb, rest))
    case .undo: return .undo(rest.isEmpty ? nil : try one(verb, rest))
    case .help: return .help(rest.first)
    case .set:
      guard rest.count >= 2, !rest[1].isEmpty else { throw .usage(verb) }
      return .set(rest[0].lowercased(), rest.dropFirst().joined(separator: " "))
    }
  }

  private static func fail(_ verb: Verb) throws(CommandError) -> ConsoleCommand {
    throw .usage(verb)
  }

  private static func alone(
    _ command: ConsoleCommand, _ verb: Verb, _ rest: [String]
  ) throws(CommandError) -> ConsoleCommand {
    guard rest.isEmpty else { throw .usage(verb) }
    return command
  }

  /// `send now`; the `now` may be left out.
  private static func now(
    _ command: ConsoleCommand, _ verb: Verb, _ rest: [String]
  ) throws(CommandError) -> ConsoleCommand {
    guard rest.isEmpty || rest == ["now"] else { throw .usage(verb) }
    return command
  }

  /// `try` or `try now`, which are different commands.
  private static func isNow(_ verb: Verb, _ rest: [String]) throws(CommandError) -> Bool {
    guard rest.isEmpty || rest == ["now"] else { throw .usage(verb) }
    return !rest.isEmpty
  }

  private static func one(_ verb: Verb, _ rest: [String]) throws(CommandError) -> String {
    guard rest.count == 1, let word = rest.first, !word.isEmpty else { throw .usage(verb) }
    return word
  }

  /// `note "TEXT" [CATEGORY]`, `note 3 "TEXT" [CATEGORY]`, `note 3 delete`, `note 3`
  private static func note(_ rest: [String]) throws(CommandError) -> ConsoleCommand {
    guard let first = rest.first, (1...3).contains(rest.count) else { throw .usage(.note) }
    let name = Notebook.isName(first.lowercased()) ? first.lowercased() : nil
    let words = name == nil ? rest : Array(rest.dropFirst())
    guard let text = words.first else { return .noteHistory(name ?? first) }
    var category: NoteCategory?
    if words.count > 1 {
      category = NoteCategory(word: words[1])
      guard category != nil, words.count == 2 else { throw .usage(.note) }
    }
    guard let name else { return .note(.add(text: text, category ?? .general)) }
    if text.lowercased() == "delete", words.count == 1 { return .note(.delete(name: name)) }
    return .note(.edit(name: name, text: text, category))
  }

  private static func number(_ rest: [String], _ verb: Verb) throws(CommandError) -> Int? {
    guard let word = rest.first else { return nil }
    guard rest.count == 1 else { throw .usage(verb) }
    guard let number = Int(word), (1...FieldBounds.listedLines).contains(number) else {
      throw .notANumber(word.plain)
    }
    return number
  }

  /// `stats [N|all] [every METRES] [session S]`, `stats sessions`
  private static func stats(_ rest: [String]) throws(CommandError) -> ConsoleCommand {
    if rest.first?.lowercased() == "sessions" {
      guard rest.count == 1 else { throw .usage(.stats) }
      return .sessions
    }
    var words: [String] = []
    var every = StatisticsBounds.usualMarksEvery
    var session: Int?
    var rest = rest[...]
    while let word = rest.popFirst() {
      switch word.lowercased() {
      case "every":
        guard let value = rest.popFirst() else { throw .usage(.stats) }
        guard let metres = Int64(value), StatisticsBounds.marksEvery.contains(metres) else {
          throw .badMarks(value.plain)
        }
        every = metres
      case "session":
        guard let value = rest.popFirst() else { throw .usage(.stats) }
        session = try number([value], .stats)
      default: words.append(word)
      }
    }
    if words.first?.lowercased() == "all", words.count == 1 {
      return .stats(newest: .max, every: every, session: session)
    }
    return .stats(
      newest: try number(words, .stats) ?? FieldBounds.usualCaptures, every: every, session: session
    )
  }

  private static func captures(_ rest: [String]) throws(CommandError) -> ConsoleCommand {
    var newest: Int?
    var shown: Shown?
    let isServed = rest.contains { $0.lowercased() == "server" }
    for word in rest {
      if isServed, word.lowercased() == "server" { continue }
      if let state = Shown(rawValue: word.lowercased()), shown == nil {
        shown = state
      } else if word.lowercased() == "all", newest == nil {
        newest = .max
      } else if newest == nil, word.allSatisfy(\.isNumber) || word.hasPrefix("-"),
        let number = try number([word], .captures)
      {
        newest = number
      } else {
        throw .usage(.captures)
      }
    }
    if isServed {
      guard shown == nil, rest.count <= 2 else { throw .usage(.captures) }
      return .served(newest: newest ?? FieldBounds.usualCaptures)
    }
    return .captures(newest: newest ?? FieldBounds.usualCaptures, shown)
  }
}

/// Splits a line into words, as a shell does: quotes hold a word together, a backslash takes the
/// next character as it is.
enum CommandWords {

  enum SplitError: Error, Equatable {
    case tooLong
    case openQuote
  }

  static func of(_ line: String) throws(SplitError) -> [String] {
    guard line.utf8.count <= FieldBounds.commandBytes else { throw .tooLong }
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" && quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if let open = closing(character) {
        quote = open
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { throw .openQuote }
    if let word { words.append(word) }
    return words
  }

  /// Telephones write typographic quotes.
  private static func closing(_ character: Character) -> Character? {
    switch character {
    case "\"", "'": character
    case "\u{201C}": "\u{201D}"
    case "«": "»"
    default: nil
    }
  }
}
