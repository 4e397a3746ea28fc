import CommandLineSupport
import Glibc
import Wording

/// A signal, or the end of the input, at a question.
struct SetupCancelled: Error {}

/// The person at standard input. A signal ends the question and not the program, so that it can be
/// said that nothing has changed.
struct SetupTerminal {
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 }

  private static let longestLine = 4096

  /// Set by the handler, which may interrupt any line.
  nonisolated(unsafe) private static var hasSignal: sig_atomic_t = 0

  /// From now on signals end a question.
  static func holdSignals() {
    var all = sigset_t()
    sigemptyset(&all)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      sigaddset(&all, number)
      var action = sigaction()
      // Without SA_RESTART, so that the reading ends.
      action.__sigaction_handler.sa_handler = { _ in SetupTerminal.hasSignal = 1 }
      sigaction(number, &action, nil)
    }
    // Some parents start their children with signals blocked.
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
  }

  /// Ends if a signal has come, as it may while something else is done.
  static func checkSignals() throws {
    if hasSignal != 0 { throw SetupCancelled() }
  }

  /// One line; `nil`: the end of the input.
  ///
  /// - Parameter isSecret: blanks around it are part of it.
  /// - Throws: `SetupCancelled`; `UsageError` for a line that is not text.
  static func line(isSecret: Bool = false) throws -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      try checkSignals()
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes.isEmpty ? nil : try text(bytes, isSecret) }
      if byte == 0x0A { return try text(bytes, isSecret) }
      if bytes.count < longestLine { bytes.append(byte) }
    }
  }

  private static func text(_ bytes: [UInt8], _ isSecret: Bool) throws -> String {
    guard let whole = String(validating: bytes, as: UTF8.self) else {
      throw UsageError(SetupPhrase.notText.texts("/dev/stdin"))
    }
    if isSecret { return whole }
    var text = Substring(whole).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// One line that the terminal does not show.
  static func secret(after prompt: String) throws -> String? {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(STDIN_FILENO, TCSANOW, &silent)
    defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    // Not before: what is typed at once would be shown.
    try printOut(prompt)
    return try line(isSecret: true)
  }
}
