/// The lines that were entered last.
public struct LineHistory: Sendable {
  /// In lines; an editor with a history of its own keeps as many.
  public static let longest = 50

  private(set) var lines: [String] = []
  /// The line that is shown; `lines.count`: the new one.
  private var index = 0
  /// The new line, while an older one is shown.
  private var draft = ""

  /// - Parameter line: one that repeats the last is not kept twice.
  mutating func add(_ line: String) {
    if !line.isEmpty && line != lines.last { lines.append(line) }
    if lines.count > Self.longest { lines.removeFirst(lines.count - Self.longest) }
    index = lines.count
    draft = ""
  }

  /// - Returns: the line before the one that is shown; `nil`: there is none.
  mutating func older(than shown: String) -> String? {
    guard index > 0 else { return nil }
    if index == lines.count { draft = shown }
    index -= 1
    return lines[index]
  }

  mutating func newer() -> String? {
    guard index < lines.count else { return nil }
    index += 1
    return index < lines.count ? lines[index] : draft
  }
}
