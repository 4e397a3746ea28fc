import Glibc
import SystemCalls

/// Says on Ctrl-C what was interrupted and how far it got, and ends with 130, as shells have it.
public enum Interruption {
  /// The code of a program that was interrupted: 128 and the signal's number.
  static let exitCode: Int32 = 130

  // Read by a handler, which may interrupt any line; the texts are set before it is installed.
  nonisolated(unsafe) private static var before: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var after: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var seconds: Int32 = 0

  /// From now on Ctrl-C ends the program with a line: `before`, the time reached as `3:20:05`,
  /// `after`.
  public static func begin(before: String, after: String) {
    self.before = strdup(before)
    self.after = strdup(after + "\n")
    SignalHold.begin()
  }

  public static func reached(seconds: Int32) { self.seconds = seconds }

  /// In a signal handler. Returns if nothing was begun.
  static func end() {
    guard let before, let after else { return }
    write(before)
    write(seconds / 3600, atLeast: 1)
    write(seconds / 60 % 60, after: ":", atLeast: 10)
    write(seconds % 60, after: ":", atLeast: 10)
    write(after)
    _exit(exitCode)
  }

  private static func write(_ number: Int32, after mark: Unicode.Scalar? = nil, atLeast: Int32) {
    if let mark { write(UInt8(truncatingIfNeeded: mark.value)) }
    var place = atLeast
    while number / place >= 10 { place *= 10 }
    while place > 0 {
      write(UInt8(48 + number / place % 10))
      place /= 10
    }
  }

  private static func write(_ byte: UInt8) {
    var byte = byte
    _ = Glibc.write(STDERR_FILENO, &byte, 1)
  }

  private static func write(_ text: UnsafeMutablePointer<CChar>) {
    _ = Glibc.write(STDERR_FILENO, text, strlen(text))
  }
}

/// Removes incomplete files when a signal ends the program.
enum SignalHold {
  /// Read by the handler, which may interrupt any line; set before the handler is installed.
  nonisolated(unsafe) private static var paths:
    (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)

  /// The signals that would end the program, except those that are ignored (`nohup`).
  private static let endings: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { signal in
    var action = sigaction()
    sigaction(signal, nil, &action)
    // SIG_IGN is the address 1, which Swift cannot compare as a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
  }

  /// A run has at most three such files: its events, its recording and its page.
  static func begin(_ name: String) {
    if paths.0 == nil {
      paths.0 = strdup(name)
    } else if paths.1 == nil {
      paths.1 = strdup(name)
    } else {
      paths.2 = strdup(name)
    }
    begin()
  }

  static func begin() {
    // Unblock them, because some parents start their children with signals blocked.
    var set = sigset_t()
    sigemptyset(&set)
    for ending in endings { sigaddset(&set, ending) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    for ending in endings {
      signal(ending) { received in
        // Only what POSIX allows in a handler: unlink, write, signal, raise, _exit.
        if let path = SignalHold.paths.0 { unlink(path) }
        if let path = SignalHold.paths.1 { unlink(path) }
        if let path = SignalHold.paths.2 { unlink(path) }
        if received == SIGINT { Interruption.end() }
        signal(received, SIG_DFL)
        raise(received)
      }
    }
  }

  static func end(_ name: String) {
    // The handler must never see a freed path.
    if let path = paths.0, strcmp(path, name) == 0 {
      paths.0 = nil
      free(path)
    } else if let path = paths.1, strcmp(path, name) == 0 {
      paths.1 = nil
      free(path)
    } else if let path = paths.2, strcmp(path, name) == 0 {
      paths.2 = nil
      free(path)
    }
    if paths.0 == nil && paths.1 == nil && paths.2 == nil {
      for ending in endings { signal(ending, SIG_DFL) }
    }
  }
}
