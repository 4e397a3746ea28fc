import Basecamp
import Glibc

/// Starts the receiver and waits for the signal to stop it.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    do {
      let options = try Options(words)
      if options.wantsHelp { return say(Help.text) }
      if options.wantsVersion { return say("basecamp \(Help.version)\n") }
      // Held back before there are threads, so that they come to the wait below and nowhere else.
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
      complain("\(error)")
      return 2
    }
  }

  private static func say(_ text: String) -> Int32 {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        // A reader that has gone wants to hear no more.
        if errno == EPIPE { return 0 }
        complain("cannot write standard output: \(String(cString: strerror(errno)))")
        return 2
      }
    }
    return 0
  }

  /// Writes one line to standard error: what, where, what to do.
  private static func complain(_ message: String) {
    let line = message.map { $0.isNewline ? " " : $0 }
    let bytes = Array("basecamp: \(String(line))\n".utf8)
    // Nothing is left to do when standard error is gone too.
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
