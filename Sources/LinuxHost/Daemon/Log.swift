import Glibc

/// What the daemon tells on standard error: one line each, a priority, a constant message, and
/// what varies as ` key=value`.
///
/// The priority is written as `<3>` to `<6>` (syslog's levels), which systemd's journal reads.
public struct Log: Sendable {
  public enum Priority: Int32, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  private let descriptor: Int32

  public init(descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

  public func write(
    _ priority: Priority, _ message: StaticString, _ values: KeyValuePairs<StaticString, String>
  ) {
    var line = "<\(priority.rawValue)>\(message)"
    for (key, value) in values { line += " \(key)=\(Self.quoted(value))" }
    line += "\n"
    var bytes = Array(line.utf8)
    // Whole lines, so that those of other writers do not get in between. Nothing is left to do
    // when standard error is gone.
    _ = Glibc.write(descriptor, &bytes, bytes.count)
  }

  /// As it is when it is one plain word, else between quotation marks; never with a line end.
  private static func quoted(_ value: String) -> String {
    let isPlain =
      !value.isEmpty
      && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 != 0x7F }
    if isPlain { return value }
    var text = "\""
    for scalar in value.unicodeScalars.prefix(400) {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: text += " "
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
