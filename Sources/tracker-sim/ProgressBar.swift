import Glibc

/// A bar on standard error while a long run goes on; nothing where no person looks on.
struct ProgressBar {
  let isVisible = isatty(STDERR_FILENO) == 1
  private static let width = 50

  func show(_ share: Double) {
    let filled = max(0, min(Self.width, Int(share * Double(Self.width))))
    let bar =
      String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
    write("\r[\(bar)] \(max(0, min(100, Int(share * 100)))) %")
  }

  /// Leaves the line as it was before.
  func clear() {
    if isVisible { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    // A bar that cannot be drawn is no reason to stop.
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
