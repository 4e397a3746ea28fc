/// A text of lines in any order, such as udev's rules.
public enum LineList {
  /// The text with a line, which may be in it already.
  public static func adding(_ line: String, to text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline)
    if lines.contains(where: { $0 == line }) { return text }
    let isComplete = text.isEmpty || text.utf8.last == 0x0A
    return text + (isComplete ? "" : "\n") + line + "\n"
  }

  /// What changes from one text to another: the lines that go, and those that come.
  public static func changes(from old: String, to new: String) -> (gone: [String], new: [String]) {
    let before = old.split(whereSeparator: \.isNewline).map(String.init)
    let after = new.split(whereSeparator: \.isNewline).map(String.init)
    return (
      before.filter { !after.contains($0) }, after.filter { !before.contains($0) }
    )
  }
}
