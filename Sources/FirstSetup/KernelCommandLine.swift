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
        // The blanks in front go with the word; at the beginning, those behind it.
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
