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
  case show(String)
  case why
  /// Whether the server is asked, too.
  case proof(asksServer: Bool)
  /// The figures of a session (`nil`: the last one), with so many of its last marks, each so many
  /// metres.
  case stats(newest: Int, every: Int64, session: Int? = nil)
  /// Which sessions there are.
  case sessions
  case selfTest
  case events(newest: Int)
  case log(newest: Int)
  case get
  /// A key and its new value.
  case set(String, String)
  /// `nil`: the last order.
  case undo(String?)
  case start, stop, sendNow, captureNow, tryPIN
  case retry(String)
  /// Whether before the end of the reconnect floor, too.
  case attempt(isNow: Bool)
  case watch
  /// Everything in one file.
  case report(String)
  /// Everything to a stick that is plugged in.
  case exportToStick
  case help(String?)
  case version
  case leave

  /// The word that it begins with; `CommandPhrase` has its help.
  public enum Verb: String, Sendable, CaseIterable {
    case status, captures, show, why, proof, stats, events, log
    case start, stop, send, capture, set, get, undo, unset, retry, pin
    case attempt = "try"
    case selfTest = "self-test"
    case watch, report, export, help, version, exit
  }

  /// Whether a person is asked once more.
  public var isDangerous: Bool {
    switch self {
    case .stop, .tryPIN, .attempt(isNow: true): true
    case .status, .captures, .show, .why, .proof, .stats, .sessions, .selfTest, .events, .log, .get,
      .set,
      .undo,
      .start, .sendNow, .captureNow, .retry, .attempt(isNow: false), .watch, .report,
      .exportToStick,
      .help, .version, .leave:
      false
    }
  }

  /// What a person answers who is sure, in any of the languages.
  public static func isYes(_ line: String) -> Bool {
    ["y", "yes", "s", "si", "sí", "o", "oui"].contains(
      line.lowercased().filter { !$0.isWhitespace })
  }

  /// Whether it changes anything, or writes a file, which a read-only console refuses.
  public var isOrder: Bool {
    switch self {
    case .set, .undo, .start, .stop, .sendNow, .captureNow, .tryPIN, .retry, .attempt, .report,
      .exportToStick:
      true
    case .status, .captures, .show, .why, .proof, .stats, .sessions, .selfTest, .events, .log, .get,
      .watch,
      .help, .version, .leave:
      false
    }
  }
}

/// A line that is not a command.
public enum CommandProblem: Error, Sendable, Equatable {
  case empty
  case tooLong
  case openQuote
  /// With the nearest one, if there is one near.
  case unknown(String, nearest: String?)
  /// How the verb is used.
  case usage(ConsoleCommand.Verb)
  case notANumber(String)
  /// Not a distance from mark to mark.
  case badMarks(String)
  /// It would end a line of the tracker's, or reach other people's terminals.
  case controlCharacter
}

extension ConsoleCommand {
  private static let usualCaptures = 10
  static let mostLines = 1000

  /// - Parameter words: a leading `trackerctl` is skipped, for those who type it out of habit.
  public init(_ words: [String]) throws(CommandProblem) {
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
  public init(line: String) throws(CommandProblem) {
    let words: [String]
    do throws(Words.Problem) { words = try Words.of(line) } catch {
      switch error {
      case .tooLong: throw .tooLong
      case .openQuote: throw .openQuote
      }
    }
    self = try ConsoleCommand(words)
  }

  private static func parsed(
    _ verb: Verb, _ rest: [String]
  ) throws(CommandProblem) -> ConsoleCommand {
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
    case .captures: return try captures(rest)
    case .events: return .events(newest: try number(rest, verb) ?? usualEvents)
    case .log: return .log(newest: try number(rest, verb) ?? usualEvents)
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

  private static let usualEvents = 15

  private static func fail(_ verb: Verb) throws(CommandProblem) -> ConsoleCommand {
    throw .usage(verb)
  }

  private static func alone(
    _ command: ConsoleCommand, _ verb: Verb, _ rest: [String]
  ) throws(CommandProblem) -> ConsoleCommand {
    guard rest.isEmpty else { throw .usage(verb) }
    return command
  }

  /// `send now`; the `now` may be left out.
  private static func now(
    _ command: ConsoleCommand, _ verb: Verb, _ rest: [String]
  ) throws(CommandProblem) -> ConsoleCommand {
    guard rest.isEmpty || rest == ["now"] else { throw .usage(verb) }
    return command
  }

  /// `try` and `try now`, which differ.
  private static func isNow(_ verb: Verb, _ rest: [String]) throws(CommandProblem) -> Bool {
    guard rest.isEmpty || rest == ["now"] else { throw .usage(verb) }
    return !rest.isEmpty
  }

  private static func one(_ verb: Verb, _ rest: [String]) throws(CommandProblem) -> String {
    guard rest.count == 1, let word = rest.first, !word.isEmpty else { throw .usage(verb) }
    return word
  }

  private static func number(_ rest: [String], _ verb: Verb) throws(CommandProblem) -> Int? {
    guard let word = rest.first else { return nil }
    guard rest.count == 1 else { throw .usage(verb) }
    guard let number = Int(word), (1...mostLines).contains(number) else {
      throw .notANumber(word.plain)
    }
    return number
  }

  /// `stats [N|all] [every METRES] [session S]`, `stats sessions`
  private static func stats(_ rest: [String]) throws(CommandProblem) -> ConsoleCommand {
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
      newest: try number(words, .stats) ?? usualCaptures, every: every, session: session)
  }

  private static func captures(_ rest: [String]) throws(CommandProblem) -> ConsoleCommand {
    var newest: Int?
    var shown: Shown?
    for word in rest {
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
    return .captures(newest: newest ?? usualCaptures, shown)
  }
}
