import Basecamp
import CommandLineSupport
import Glibc

/// Starts the server and waits for a signal to stop it.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    return CommandLineSupport.run(program: "basecamp") {
      let options = try Options(words)
      if options.wantsHelp { return try say(Help.text) }
      if options.wantsVersion { return try say("basecamp \(version)\n") }
      // Blocked before any thread exists, so that only `sigwait` below receives them.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      let camp = try Camp(options.settings)
      do throws(FileProblem) {
        try printOut("basecamp: \(camp.address)\n")
      } catch {
        // Nobody reads the address, but trackers may know it.
        guard error.isClosedPipe else { throw error }
      }
      var signal: Int32 = 0
      while sigwait(&signals, &signal) != 0 {}
      return 0
    }
  }
}
