import Glibc

/// A progress bar on standard error, if that is a terminal.
struct ProgressBar {
  let isVisible = isatty(STDERR_FILENO) == 1
  private static let width = 50

  func show(_ share: Double) {
    let filled = max(0, min(Self.width, Int(share * Double(Self.width))))
    let bar =
      String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
    write("\r[\(bar)] \(max(0, min(100, Int(share * 100)))) %")
  }

  /// Erases the bar.
  func clear() {
    if isVisible { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    // A failure to draw the bar is ignored.
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
