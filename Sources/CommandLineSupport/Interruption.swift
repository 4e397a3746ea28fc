import Glibc

/// Says on Ctrl-C what was interrupted and how far it got, and ends with 130, as shells have it.
public enum Interruption {
  /// The code of a program that was interrupted: 128 and the signal's number.
  public static let exitCode: Int32 = 130

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
