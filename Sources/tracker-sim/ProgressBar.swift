import CommandLineSupport
import Glibc
import TrackerCore
import Wording

/// A progress bar on standard error, if that is a terminal.
struct ProgressBar {
  let isVisible = isatty(STDERR_FILENO) == 1
  private static let width = 50
  private static let erasing = "\r\u{1B}[K"

  /// From now on Ctrl-C says how far the run of a trace got.
  func sayInterrupted(_ trace: String, in language: Language) {
    let parts = RunPhrase.interrupted.text(in: language, trace, "\u{0}").split(separator: "\u{0}")
    Interruption.begin(
      before: (isVisible ? Self.erasing : "") + "tracker-sim: \(parts[0])",
      after: String(parts.dropFirst().joined()))
  }

  func show(_ share: Double) {
    guard isVisible else { return }
    let filled = max(0, min(Self.width, Int(share * Double(Self.width))))
    let bar =
      String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
    write("\r[\(bar)] \(max(0, min(100, Int(share * 100)))) %")
  }

  /// Erases the bar.
  func clear() {
    if isVisible { write(Self.erasing) }
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    // A failure to draw the bar is ignored.
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
