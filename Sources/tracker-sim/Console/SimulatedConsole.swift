import BoardSupport
import CommandLineSupport
import FieldConsole
import Reports
import SystemCalls
import TrackerCore
import Wording

/// A person or a script that asks a simulated tracker: lines from standard input, answers to
/// standard output.
final class SimulatedConsole {
  /// What the world does next.
  enum Turn: Equatable {
    case again
    /// It goes on until then.
    case pause(at: Instant)
    case leave
  }

  var console: Console<SimulatedBackend>
  private let isJSON: Bool
  private let isTerminal = SystemCalls.isTerminal(StandardStream.input)
  private let isColoured =
    SystemCalls.isTerminal(StandardStream.output) && environmentValue("NO_COLOR") == nil
  private(set) var isLeft = false
  /// Of the last answer.
  private(set) var exitCode: Int32 = 0
  /// Why an answer could not be written.
  private(set) var problem: FileAccessError?
  /// Answered once time has passed.
  private var next: ConsoleCommand?
  private var hasMoved = false

  init(_ console: Console<SimulatedBackend>, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  func look(_ moment: SimulatedMoment) { console.backend.moment = moment }

  private var moment: SimulatedMoment { console.backend.moment }
  private var language: Language { console.languageInUse }
  private var clock: String { TextReport.clock(moment.at.milliseconds) }

  /// Reads one line and answers it.
  func turn() -> Turn {
    if hasMoved {
      hasMoved = false
      show(arrival)
    }
    if let command = next {
      next = nil
      show(console.answer(command))
    }
    if isTerminal { write("\(clock)> ") }
    guard problem == nil, let line = readLine() else {
      if isTerminal { write("\n") }
      return leave()
    }
    do throws(PlayWord.WordError) {
      if let word = try PlayWord(line: line) { return move(word) }
    } catch {
      switch error {
      case .usage(let verb): return refuse(.usage, verb.usage)
      }
    }
    return answer(line)
  }

  // MARK: Time

  private func move(_ word: PlayWord) -> Turn {
    if moment.isOver { return refuse(.overAlready) }
    let target: Instant
    switch word {
    case .step(let length): target = moment.at + length
    case .until(let instant): target = instant
    case .play: target = .distantFuture
    }
    guard target >= moment.at else { return refuse(.past, clock) }
    hasMoved = true
    return .pause(at: target)
  }

  /// That time has passed.
  private var arrival: Answer {
    var page = Page()
    page.line(moment.isOver ? PlayPhrase.over.text(in: language, clock) : clock)
    return Answer(
      page,
      [
        Figure.Member("atMs", .integer(moment.at.milliseconds)),
        Figure.Member("isOver", .boolean(moment.isOver)),
      ])
  }

  // MARK: Answers

  private func answer(_ line: String) -> Turn {
    var answer = console.answer(line: line, isConfirmed: !isTerminal)
    if case .confirm(let command) = answer.sequel {
      write(answer.page.text(width: .max).exchanging("\n", for: " "))
      let isYes = ConsoleCommand.isYes(readLine() ?? "")
      answer = isYes ? console.answer(command) : console.cancellation()
    }
    switch answer.sequel {
    case .leave: return leave()
    // Nothing changes while nobody lets time pass.
    case .watch: answer = console.answer(.status)
    case .follow:
      show(answer)
      next = .events(newest: 10)
      return .pause(at: moment.at + SimulatorBounds.attempt)
    case .save(let path): answer = save(answer.page, as: path)
    case .exportToStick: answer = console.withoutStick()
    case .nothing, .confirm: break
    }
    if line.split(separator: " ").first == "help", !answer.isRefusal, !line.has("verdict") {
      addHelp(to: &answer)
    }
    show(answer)
    return .again
  }

  private func save(_ page: Page, as path: String) -> Answer {
    let text = page.text(width: .max)
    do throws(SystemError) {
      try writeNewFile(text, to: path)
      return console.saved(path, bytes: text.utf8.count)
    } catch {
      return console.notSaved(path, error.reason, exists: error.code == Errno.exists)
    }
  }

  private func addHelp(to answer: inout Answer) {
    for verb in PlayVerb.allCases {
      let gap = String(repeating: " ", count: max(1, 39 - verb.usage.count))
      answer.page.line("  " + verb.usage + gap + verb.text(in: language))
    }
  }

  private func refuse(_ phrase: PlayPhrase, _ argument: String = "") -> Turn {
    show(.refusal(phrase.text(in: language, argument), key: phrase.rawValue))
    return .again
  }

  private func leave() -> Turn {
    isLeft = true
    return .leave
  }

  private func show(_ answer: Answer) {
    exitCode = isTerminal ? 0 : answer.exitCode
    write(isJSON ? answer.figure.json : answer.page.text(isColoured: isColoured))
  }

  private func write(_ text: String) {
    guard problem == nil else { return }
    do throws(FileAccessError) { try printOut(text) } catch { problem = error }
  }
}

extension Simulate {
  /// Plays a trace as far as a console wants.
  ///
  /// - Returns: the exit code: of the last answer; 0 on a terminal.
  static func converse(_ inputs: RunInputs) throws -> Int32 {
    let options = inputs.options
    let file = try options.config.map { path throws in
      try SettingsFile(try FileNode.load(path: path), on: inputs.board)
    }
    ProgressBar().sayInterrupted(
      inputs.traceName,
      in: Language.chosen(options.language, configured: inputs.settings.language))
    let beginning = try inputs.beginning()
    var tracker = beginning.tracker
    var observed = try inputs.host(of: beginning)
    observed.base.progress = { _, now in
      Interruption.reached(seconds: Int32(clamping: now.milliseconds / 1000))
    }
    let console = Console(
      SimulatedBackend(file ?? SettingsFile(), observed.base.store), language: options.language,
      fallback: Language.ofEnvironment ?? .english)
    var host = ConsoleHost(observed, SimulatedConsole(console, isJSON: options.json))
    TrackerCore.run(&tracker, in: &host)
    host.answerRest(tracker)
    try host.base.observer.finish()
    try inputs.events?.finish()
    if let error = host.base.base.traceError {
      inputs.queue.remove()
      throw error
    }
    if let problem = host.base.base.storeProblem { throw problem }
    if let problem = host.door.problem { throw problem }
    return host.door.exitCode
  }
}
