import Basecamp
import CommandLineSupport
import Glibc

/// Starts the server and waits for a signal to stop it.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    return CommandLineSupport.run(table, words) { arguments in
      let settings = try CampSettings(arguments)
      // Blocked before any thread exists, so that only `sigwait` below receives them.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      let camp = try Camp(settings)
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
