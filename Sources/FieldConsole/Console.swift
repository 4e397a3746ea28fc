public import CaptureStore
public import Courses
import TrackerCore
public import Uplink
public import Wording

/// The command language of all doors: parses a line, asks the tracker, and answers in the person's
/// language. It reads and writes nothing itself.
public struct Console<Backend: ConsoleBackend> {
  public var backend: Backend
  /// From an option; `nil`: the tracker's, or else `fallback`.
  var language: Language?
  /// The environment's.
  var fallback: Language
  public var isReadOnly = false
  /// Who gives orders, shown to the next person, as `anna@ttyS0`; `nil`: the tracker knows.
  public var who: String?
  /// The course that the statistics use, if an option names one.
  public var course: MappedCourse?
  /// What the tracker last said.
  public private(set) var lastFacts = TrackerFacts()

  public init(_ backend: Backend, language: Language? = nil, fallback: Language = .english) {
    self.backend = backend
    self.language = language
    self.fallback = fallback
  }

  public var languageInUse: Language { language ?? known ?? fallback }
  /// Facts to use instead of asking; `nil`: ask.
  var frozen: TrackerFacts?
  private var known: Language? { lastFacts.identity.language }

  /// `Els Caminants 6f1c> `
  public var prompt: String {
    let team = lastFacts.identity.team.plain
    return [team.cut(to: 24), lastFacts.identity.number.plain].filter { !$0.isEmpty }.joined(
      separator: " ")
      + "> "
  }

  /// Answers a line of a console.
  ///
  /// - Parameter isConfirmed: as for a command.
  public mutating func answer(line: String, isConfirmed: Bool = true) -> Answer {
    do throws(CommandError) {
      return answer(try ConsoleCommand(line: line), isConfirmed: isConfirmed)
    } catch {
      return refusal(of: error)
    }
  }

  /// Answers the words of a shell.
  public mutating func answer(words: [String]) -> Answer {
    do throws(CommandError) {
      return answer(try ConsoleCommand(words))
    } catch {
      return refusal(of: error)
    }
  }

  /// - Parameter isConfirmed: whether the person has confirmed a dangerous command.
  public mutating func answer(_ command: ConsoleCommand, isConfirmed: Bool = true) -> Answer {
    if isReadOnly && command.isOrder { return refused(.readOnly) }
    do throws(ConsoleError) {
      if command.isDangerous && !isConfirmed { return try confirmation(of: command) }
      return try carryOut(command)
    } catch {
      return .refusal(error.texts[languageInUse], key: "refused")
    }
  }

  /// A person said no.
  public func cancellation() -> Answer {
    var answer = refused(.cancelled)
    answer.exitCode = 0
    return answer
  }

  private mutating func carryOut(_ command: ConsoleCommand) throws(ConsoleError) -> Answer {
    switch command {
    case .status: return try status()
    case .captures(let newest, let shown): return try captures(newest: newest, shown)
    case .served(let newest): return try served(newest: newest)
    case .show(let name): return try show(name)
    case .why: return try why()
    case .proof(let asksServer): return try proof(asksServer: asksServer)
    case .stats(let newest, let every, let session):
      return try stats(newest: newest, every: every, session: session)
    case .sessions: return try sessions()
    case .selfTest: return try selfTest()
    case .events(let newest): return try events(newest: newest)
    case .log(let newest): return try log(newest: newest)
    case .messages(let newest): return try messages(newest: newest)
    case .notes(let newest): return try notes(newest: newest)
    case .note(let order): return try write(order)
    case .noteHistory(let name): return try noteHistory(name)
    case .get: return try get()
    case .set(let key, let value): return try set(key, value)
    case .undo(let key): return try undo(key)
    case .start: return try order("start", .started)
    case .stop: return try order("stop", .stopped)
    case .sendNow: return try order("send", .sending)
    case .captureNow: return try order("capture", .capturing)
    case .tryPIN: return try order("pin", .sending)
    case .emergency(isOver: false, let note): return try callForHelp(note)
    case .emergency(isOver: true, _): return try order("emergency over", .emergencyWithdrawn)
    case .retry(let name): return try retry(name)
    case .attempt(let isNow): return try attempt(isNow: isNow)
    case .watch: return followed(by: .watch)
    case .report(let path): return report(to: path)
    case .exportToStick: return followed(by: .exportToStick)
    case .help(let topic): return help(topic)
    case .version: return try versions()
    case .leave: return followed(by: .leave)
    }
  }

  // MARK: Small answers

  /// The same for a door: to somebody who may not ask, the tracker seems not to answer.
  public mutating func factsForDoor() -> TrackerFacts {
    if let facts = try? facts() { return facts }
    var none = TrackerFacts()
    none.identity.presence = .dead
    return none
  }

  /// The tracker's facts now.
  ///
  /// - Throws: if this person may not ask it.
  public mutating func facts() throws(ConsoleError) -> TrackerFacts {
    if let frozen { return frozen }
    lastFacts = try backend.facts()
    return lastFacts
  }

  /// - Throws: if no tracker answers, for what only a running one can do. It is not asked again,
  ///   because one that hangs would take seconds.
  @discardableResult
  mutating func needTracker() throws(ConsoleError) -> TrackerFacts {
    let facts = try facts()
    guard facts.identity.presence == .running else {
      throw ConsoleError(ConsolePhrase.notRunning.texts)
    }
    return facts
  }

  /// Answers from the store do not need the tracker, but its language.
  mutating func learnLanguage() { _ = try? facts() }

  private mutating func status() throws(ConsoleError) -> Answer {
    let facts = try facts()
    let verdict = FitnessVerdict(of: facts)
    let language = languageInUse
    let members = [
      Figure.Member("verdict", .text(verdict.kind.rawValue)),
      Figure.Member("cause", verdict.cause.map { .text($0.rawValue) } ?? .none),
      Figure.Member("waitMs", verdict.finding.wait.map { .integer($0.count) } ?? .none),
      Figure.Member("detail", verdict.finding.detail.map { .text($0.english) } ?? .none),
      Figure.Member("explanation", .text(verdict.explanation(of: facts, in: .english))),
      Figure.Member("action", verdict.action(for: facts, in: .english).map { .text($0) } ?? .none),
    ]
    return Answer(
      StatusScreen.page(of: facts, in: language), members + facts.figures,
      exitCode: verdict.exitCode)
  }

  /// A report asks nobody, so that it is quick.
  private mutating func selfTest() throws(ConsoleError) -> Answer {
    let facts = try facts()
    let asks = frozen == nil && facts.identity.presence == .running
    let server = asks ? backend.serverFit() : .unknown(nil)
    return SelfTest.answer(of: facts, server: server, in: languageInUse)
  }

  private func followed(by sequel: Answer.Sequel) -> Answer {
    var answer = Answer()
    answer.sequel = sequel
    return answer
  }

  func refused(_ phrase: ConsolePhrase, _ argument: String = "", _ second: String = "") -> Answer {
    .refusal(phrase.text(in: languageInUse, argument, second), key: phrase.rawValue)
  }

  private mutating func refusal(of problem: CommandError) -> Answer {
    // Even the first line is answered in the tracker's language.
    if language == nil && lastFacts.identity.language == nil && problem != .empty {
      learnLanguage()
    }
    switch problem {
    case .empty: return Answer()
    case .tooLong: return refused(.tooLong)
    case .openQuote: return refused(.openQuote)
    case .unknown(let word, let nearest?): return refused(.unknownNear, word, nearest)
    case .unknown(let word, nil): return refused(.unknown, word)
    case .usage(let verb): return refused(.usage, verb.usage)
    case .notANumber(let word): return refused(.notANumber, word)
    case .badMarks(let word): return refused(.badMarks, word)
    case .controlCharacter: return refused(.controlCharacter)
    }
  }

  private mutating func confirmation(
    of command: ConsoleCommand
  ) throws(ConsoleError) -> Answer {
    let facts = try needTracker()
    let who = facts.identity.team.isEmpty ? facts.identity.number : facts.identity.team
    var page = Page()
    if command == .attempt(isNow: true) {
      page.line(ConsolePhrase.confirmTryNow.text(in: languageInUse, who))
    } else {
      let what =
        switch command {
        case .stop: "stop (\(ConsoleCommand.Verb.stop.meaning[languageInUse]))"
        case .emergency(isOver: false, let note):
          ConsolePhrase.askEmergency.text(in: languageInUse)
            + (note.map { " (\($0.plain))" } ?? "")
        case .emergency(isOver: true, _): ConsolePhrase.askWithdrawal.text(in: languageInUse)
        default: "pin try (\(ConsoleCommand.Verb.pin.meaning[languageInUse]))"
        }
      page.line(ConsolePhrase.confirm.text(in: languageInUse, who, what))
    }
    var answer = Answer(page)
    answer.sequel = .confirm(command)
    return answer
  }

  private mutating func versions() throws(ConsoleError) -> Answer {
    let facts = try facts()
    let version = facts.identity.version
    var page = Page()
    page.line(
      version.isEmpty
        ? FitnessVerdict(of: facts).text(of: facts, in: languageInUse) : "trackerd \(version)")
    return Answer(page, [Figure.Member("version", .text(version))])
  }

  private func help(_ topic: String?) -> Answer {
    let language = languageInUse
    if topic == "verdict" { return VerdictPage.answer(in: language) }
    var page = Page()
    let width = ConsoleCommand.Verb.allCases.map(\.usage.count).max() ?? 0
    var members: [Figure.Member] = []
    for verb in ConsoleCommand.Verb.allCases {
      if let topic, topic != verb.rawValue { continue }
      let gap = String(repeating: " ", count: width + 2 - verb.usage.count)
      page.line("  " + verb.usage + gap + verb.meaning[language])
      members.append(Figure.Member(verb.rawValue, .text(verb.usage)))
    }
    if let topic, members.isEmpty { return refused(.unknown, topic.plain) }
    return Answer(page, members)
  }
}

/// What a console looks at: a running tracker behind its socket, one that does not answer, or a
/// simulated one.
public protocol ConsoleBackend {
  /// Returns within seconds. If the tracker does not answer, the facts say so.
  ///
  /// - Throws: if this person may not ask it.
  mutating func facts() throws(ConsoleError) -> TrackerFacts
  /// Gives the tracker one line, as `send` or `set interval 5 min`.
  ///
  /// - Returns: its answer without the line `ok`.
  /// - Throws: why it refuses or does not answer, in one line.
  mutating func ask(_ line: String) throws(ConsoleError) -> String
  /// The tracker's store and, if there is one, its second store, opened for reading.
  mutating func stores() throws(ConsoleError) -> [CaptureStore]
  /// The last lines of its log.
  mutating func log(newest: Int) throws(ConsoleError) -> [String]
  /// The last hours' events of a tracker that does not answer (`STORE.events`); `nil`: none can be
  /// read.
  mutating func keptEvents() -> (text: String, time: MachineTime)?
  /// The text of its configuration file; `nil`: it has none.
  mutating func configuration() throws(ConsoleError) -> String?
  /// Whether the server takes captures, asked over this computer's own network, within seconds.
  mutating func serverFit() -> ServerFit
  /// Which of these captures the server has.
  mutating func known(_ captures: [StoredCapture]) throws(ConsoleError) -> Set<CaptureKey>
  /// What the server has of a team, or of the device's own code.
  mutating func served(team: String) throws(ConsoleError) -> [ServedCapture]
}

/// What a server itself says about whether it accepts a tracker's captures.
public enum ServerFit: Sendable, Equatable {
  case fit
  /// It does, but this is missing, and what to do.
  case lacking(Texts)
  /// It does not: why, and what to do.
  case unfit(Texts?)
  case unauthorised
  /// It could not be asked; `nil`: this program never asks.
  case unknown(Texts?)
}

extension ConsoleBackend {
  public mutating func serverFit() -> ServerFit { .unknown(nil) }
  public mutating func keptEvents() -> (text: String, time: MachineTime)? { nil }
  public mutating func configuration() throws(ConsoleError) -> String? { nil }
  public mutating func known(
    _ captures: [StoredCapture]
  ) throws(ConsoleError) -> Set<CaptureKey> {
    throw ConsoleError(ProblemPhrase.noServer.texts)
  }
  public mutating func served(team: String) throws(ConsoleError) -> [ServedCapture] {
    throw ConsoleError(ProblemPhrase.noServer.texts)
  }
}

/// Why something could not be done: one line, what, where, what to do.
public struct ConsoleError: Error, Sendable, Equatable, Worded {
  public let texts: Texts
  public init(_ texts: Texts) { self.texts = texts }
  /// A problem from another module.
  public init(_ error: some Worded) { texts = error.texts }
}
