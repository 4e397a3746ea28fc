import CommandLineSupport
import FieldConsole
import Glibc
import SystemCalls
import TrackerCore
import Wording

/// `trackerctl WORD…`: one command of the console's language in a shell.
enum ShellDoor {
  /// - Returns: the exit code.
  static func run(_ words: [String]) throws -> Int32 {
    let options = try ConsoleOptions(words)
    let fallback = Language.ofEnvironment ?? .english
    var console = Console(
      LinuxBackend(try TrackerPlace(options)), language: options.language, fallback: fallback)
    let command: ConsoleCommand
    do throws(CommandProblem) { command = try ConsoleCommand(options.words) } catch {
      return try show(console.answer(words: options.words), options)
    }
    let isAsking = isatty(STDIN_FILENO) == 1 && !options.isConfirmed && !options.isJSON
    var answer = console.answer(command, isConfirmed: !isAsking)
    if case .confirm(let dangerous) = answer.sequel {
      try printOut(text(of: answer, options).replacing("\n", with: " "))
      let isYes = ["y", "yes", "s", "si", "sí", "o", "oui"].contains(
        readLine()?.lowercased() ?? "")
      answer = isYes ? console.answer(dangerous) : console.cancellation()
    }
    if case .save(let path) = answer.sequel {
      answer = save(answer.page, as: path, console)
    }
    return try show(answer, options)
  }

  private static func save(
    _ page: Page, as path: String, _ console: Console<LinuxBackend>
  ) -> Answer {
    let text = page.text(width: .max)
    do throws(SystemError) {
      try writeNewFile(text, to: path)
      return console.saved(path, bytes: text.utf8.count)
    } catch {
      return console.notSaved(path, error.reason, exists: error.code == EEXIST)
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
