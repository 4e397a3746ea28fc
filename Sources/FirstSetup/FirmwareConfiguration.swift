/// The text of `config.txt`, which the Pi's firmware reads at the start: lines, some of them only
/// for some models, below a filter such as `[cm4]`.
///
/// Source: Raspberry Pi documentation, config.txt, "Conditional filters" and "Device trees".
public enum FirmwareConfiguration {
  private static let comment = "# For trailtracker (trackerctl setup)."

  /// The text with these lines in force on each model; lines that already are stay unchanged.
  public static func adding(_ wanted: [String], to text: String) -> String {
    let lines = lines(of: text)
    let missing = wanted.filter { !isInForce($0, in: lines) }
    guard !missing.isEmpty else { return text }
    let end = text.utf8.contains(0x0D) ? "\r\n" : "\n"
    var added: [String] = []
    if lines.last?.filter ?? "all" != "all" { added.append("[all]") }
    added.append(comment)
    let parameters = missing.filter { $0.hasPrefix("dtparam=") }
    // A parameter behind an overlay would be the overlay's; an empty one ends it.
    if !parameters.isEmpty, lines.contains(where: { $0.text.hasPrefix("dtoverlay=") }) {
      added.append("dtoverlay=")
    }
    added += parameters + missing.filter { !$0.hasPrefix("dtparam=") }
    let isComplete = text.isEmpty || text.utf8.last == 0x0A
    return text + (isComplete ? "" : end) + added.map { $0 + end }.joined()
  }

  private struct Line {
    /// Without blanks around it.
    var text: String
    /// The filter that applies to it: `all`, `cm4`.
    var filter: String
  }

  private static func lines(of text: String) -> [Line] {
    var filter = "all"
    var found: [Line] = []
    for raw in text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
      let line = trimmed(raw)
      if line.hasPrefix("["), line.hasSuffix("]") {
        filter = line.dropFirst().dropLast().lowercased()
      }
      if !line.isEmpty, !line.hasPrefix("#") { found.append(Line(text: line, filter: filter)) }
    }
    return found
  }

  /// Whether it is set for all models and no other line takes it back on some.
  private static func isInForce(_ wanted: String, in lines: [Line]) -> Bool {
    guard let place = lines.lastIndex(where: { $0.text == wanted && $0.filter == "all" }) else {
      return false
    }
    // Overlays add up; of parameters and settings the last one counts.
    guard !wanted.hasPrefix("dtoverlay="), let sign = wanted.lastIndex(of: "=") else { return true }
    let key = wanted[...sign]
    return !lines[(place + 1)...].contains {
      $0.text.hasPrefix(key) && $0.text != wanted && $0.filter != "none"
    }
  }

  private static func trimmed(_ line: Substring) -> String {
    let rest = line.drop(while: \.isWhitespace)
    let end = rest.lastIndex { !$0.isWhitespace }.map { rest.index(after: $0) } ?? rest.endIndex
    return String(rest[..<end])
  }
}

/// The text of `cmdline.txt`: the kernel's command line, words between blanks.
public enum KernelCommandLine {
  /// The text without a kernel console, and so without a login, on these serial ports.
  ///
  /// - Parameter ports: their names: `ttyAMA0`, `serial0`.
  public static func freeing(_ ports: [String], in text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let start = rest.firstIndex(where: { !isBlank($0) }) {
      let end = rest[start...].firstIndex(where: isBlank) ?? rest.endIndex
      let blanks = rest[rest.startIndex..<start]
      let word = rest[start..<end]
      if isConsole(word, on: ports) {
        // Remove the word with the blanks before it, or after it at the beginning.
        let after = rest[end...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? rest.endIndex
        let isFirst = bytes.isEmpty || bytes.last == 0x0A
        if isFirst { bytes += blanks }
        rest = rest[(isFirst ? after : end)...]
      } else {
        bytes += blanks + word
        rest = rest[end...]
      }
    }
    return String(decoding: bytes + rest, as: UTF8.self)
  }

  /// `console=ttyAMA0` or `console=ttyAMA0,115200`
  private static func isConsole(_ word: ArraySlice<UInt8>, on ports: [String]) -> Bool {
    let text = String(decoding: word, as: UTF8.self)
    guard text.hasPrefix("console=") else { return false }
    let port = text.dropFirst(8).prefix { $0 != "," }
    return ports.contains(String(port))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
}

/// The technician's console on a serial port, instead of a login.
public enum SerialConsole {
  /// The folder of the unit's own settings, below `/etc/systemd/system`.
  public static func file(port: String) -> String {
    "/etc/systemd/system/serial-getty@\(port).service.d/trailtracker.conf"
  }

  /// The link by which it starts with the system, and where it leads.
  public static func link(port: String) -> (path: String, target: String) {
    (
      "/etc/systemd/system/getty.target.wants/serial-getty@\(port).service",
      "/lib/systemd/system/serial-getty@.service"
    )
  }

  public static let text = """
    # The technician's console (trackerctl setup).
    [Service]
    ExecStart=
    ExecStart=-/sbin/agetty --skip-login --noissue --login-program /usr/bin/trackerctl \
    --login-options "console --serial" --keep-baud 115200,57600,9600 %I vt220

    """
}

/// A text whose lines are in no order, such as udev's rules.
public enum LineList {
  /// The text with the line added unless it is there already.
  public static func adding(_ line: String, to text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline)
    if lines.contains(where: { $0 == line }) { return text }
    let isComplete = text.isEmpty || text.utf8.last == 0x0A
    return text + (isComplete ? "" : "\n") + line + "\n"
  }

  /// What changes from one text to another: the lines removed and added.
  public static func changes(from old: String, to new: String) -> (gone: [String], new: [String]) {
    let before = old.split(whereSeparator: \.isNewline).map(String.init)
    let after = new.split(whereSeparator: \.isNewline).map(String.init)
    return (
      before.filter { !after.contains($0) }, after.filter { !before.contains($0) }
    )
  }
}
