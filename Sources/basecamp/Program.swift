import Basecamp
import CommandLineSupport
import Glibc

/// Starts the server and waits for a signal to stop it.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    do {
      let options = try Options(words)
      if options.wantsHelp { return say(Help.text) }
      if options.wantsVersion { return say("basecamp \(version)\n") }
      // Blocked before any thread exists, so that only `sigwait` below receives them.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      let camp = try Camp(options.settings)
      let code = say("basecamp: \(camp.address)\n")
      if code != 0 { return code }
      var signal: Int32 = 0
      while sigwait(&signals, &signal) != 0 {}
      return 0
    } catch {
      complain("\(error)", program: "basecamp")
      return 2
    }
  }

  private static func say(_ text: String) -> Int32 { answer(text, program: "basecamp") }
}
