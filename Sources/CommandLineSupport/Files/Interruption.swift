import Glibc

/// Says on Ctrl-C what was interrupted and how far it got, and ends with 130, as shells have it.
public enum Interruption {
  /// The code of a program that was interrupted: 128 and the signal's number.
  public static let exitCode: Int32 = 130

  // Read by a handler, which may interrupt any line; the texts are set before it is installed.
  nonisolated(unsafe) private static var before: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var after: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var percent: Int32 = 0

  /// From now on Ctrl-C ends the program with a line: `before`, the percentage reached, `after`.
  public static func begin(before: String, after: String) {
    self.before = strdup(before)
    self.after = strdup(after + "\n")
    SignalHold.begin()
  }

  public static func reached(_ share: Double) {
    percent = Int32(max(0, min(100, share * 100)))
  }

  /// In a signal handler. Returns if nothing was begun.
  static func end() {
    guard let before, let after else { return }
    write(before)
    var place = Int32(100)
    while place > 1 && percent < place { place /= 10 }
    while place > 0 {
      var digit = UInt8(48 + percent / place % 10)
      _ = Glibc.write(STDERR_FILENO, &digit, 1)
      place /= 10
    }
    write(after)
    _exit(exitCode)
  }

  private static func write(_ text: UnsafeMutablePointer<CChar>) {
    _ = Glibc.write(STDERR_FILENO, text, strlen(text))
  }
}
