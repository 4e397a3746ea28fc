import CommandLineSupport
import FieldConsole
import Glibc
import TrackerCore
import Wording

/// `trackerctl WORD…`: one command of the console's language in a shell.
enum ShellDoor {
  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = try ConsoleOptions(arguments)
    let fallback = Language.ofEnvironment ?? .english
    var console = Console(
      LinuxBackend(try TrackerPlace(options)), language: options.language, fallback: fallback)
    console.course = try arguments.text(.course).map { try CompareWalks.course(in: $0) }
    let command: ConsoleCommand
    do throws(CommandProblem) { command = try ConsoleCommand(options.words) } catch {
      return try show(console.answer(words: options.words), options)
    }
    let isAsking = isatty(STDIN_FILENO) == 1 && !options.isConfirmed && !options.isJSON
    var answer = console.answer(command, isConfirmed: !isAsking)
    if case .confirm(let dangerous) = answer.sequel {
      try printOut(text(of: answer, options).exchanging("\n", for: " "))
      let isYes = ConsoleCommand.isYes(readLine() ?? "")
      answer = isYes ? console.answer(dangerous) : console.cancellation()
    }
    switch answer.sequel {
    case .nothing, .confirm, .leave: return try show(answer, options)
    case .watch: try watch(&console, options)
    case .save(let path): return try show(FileDoor.save(answer.page, as: path, console), options)
    case .exportToStick: return try show(FileDoor.exportToStick(&console), options)
    case .follow(let start):
      _ = try show(answer, options)
      return try follow(start, &console, options)
    }
  }

  /// Until a signal.
  private static func watch(
    _ console: inout Console<LinuxBackend>, _ options: ConsoleOptions
  ) throws -> Never {
    let isWindow = isatty(STDOUT_FILENO) == 1 && !options.isJSON
    while true {
      let answer = console.answer(.status)
      try printOut(isWindow ? "\u{1B}[H\u{1B}[2J" : "\n")
      _ = try show(answer, options)
      sleep(2)
    }
  }

  private static func follow(
    _ start: TrackerFacts, _ console: inout Console<LinuxBackend>, _ options: ConsoleOptions
  ) throws -> Int32 {
    var progress = Progress(since: start, in: console.languageInUse)
    while true {
      var answer = Answer()
      answer.page = progress.take(try console.facts())
      if !answer.page.isEmpty && !options.isJSON { _ = try show(answer, options) }
      if let outcome = progress.outcome { return outcome.exitCode }
      usleep(500_000)
    }
  }

  private static func show(_ answer: Answer, _ options: ConsoleOptions) throws -> Int32 {
    if answer.isRefusal && !options.isJSON {
      throw UsageError(String(answer.page.text(width: .max).prefix { !$0.isNewline }))
    }
    try printOut(options.isJSON ? answer.figure.json : text(of: answer, options))
    return answer.exitCode
  }

  private static func text(of answer: Answer, _ options: ConsoleOptions) -> String {
    let isColoured = options.isColoured ?? (isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil)
    // In a pipe a value stays on its line.
    return answer.page.text(
      width: isatty(STDOUT_FILENO) == 1 ? 80 : .max, isColoured: isColoured)
  }
}
