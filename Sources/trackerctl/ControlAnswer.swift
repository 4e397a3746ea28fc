import CommandLineSupport
import FieldConsole
import LinuxHost

/// A running tracker's answer to one line.
enum ControlAnswer {
  /// - Returns: the tracker's answer without its first line, `ok`.
  /// - Throws: if it does not answer or refuses.
  static func of(_ line: String, at socket: String) throws -> String {
    let answer = try ControlClient.ask(line, at: socket)
    if answer.hasPrefix("ok\n") { return String(answer.dropFirst(3)) }
    throw UsageError(ConsoleProblem(lines: answer).texts)
  }
}
