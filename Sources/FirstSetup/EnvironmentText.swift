/// The text of `/etc/default/trackerd`, which systemd reads by the rules of `EnvironmentFile=`
/// (systemd.exec(5)): lines `NAME=VALUE`, with or without quotes. A backslash at the end of a line
/// continues it, and of several lines with a name the last one counts.
public enum EnvironmentText {
  /// What the package installs.
  public static let template = """
    # How the system starts trackerd (see trackerd(8)).

    # A board that "trackerctl boards" lists, parts joined by +, or the path of a board file.
    BOARD=pi-zero-2w-sim7600

    # More options, such as: --record /var/log/trailtracker/race.nmea
    OPTIONS=

    """

  /// The value of a variable; `nil` if there is none.
  public static func value(of name: String, in text: String) -> String? {
    assignments(in: Array(text.utf8)).last { $0.name == name }?.value
  }

  /// The text with a variable changed; everything else stays.
  ///
  /// - Returns: `nil` if the value has a character that such a file cannot hold in one line.
  public static func setting(_ name: String, to value: String, in text: String) -> String? {
    guard let quoted = quoted(value) else { return nil }
    var bytes = Array(text.utf8)
    let line = Array("\(name)=\(quoted)".utf8)
    let old = assignments(in: bytes).filter { $0.name == name }
    guard let last = old.last else {
      if let end = bytes.last, end != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
      return String(decoding: bytes + line + [UInt8(ascii: "\n")], as: UTF8.self)
    }
    if last.value == value { return text }
    bytes.replaceSubrange(last.place, with: line)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value as it can stand after the `=`: neither a shell nor systemd finds more in it than
  /// text.
  ///
  /// - Returns: `nil` if it has a control character.
  static func quoted(_ value: String) -> String? {
    let isOneLine = value.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F
    }
    guard isOneLine else { return nil }
    if isPlain(value) { return value }
    var result = "\""
    for scalar in value.unicodeScalars {
      if "\"\\`$".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  /// Whether a value needs no quotes.
  public static func isPlain(_ value: String) -> Bool {
    value.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "+-_./:,@%".utf8.contains(byte)
      }
    }
  }

  private struct Assignment {
    var name: String
    var value: String
    /// Its bytes, without the end of its last line.
    var place: Range<Int>
  }

  private static func assignments(in bytes: [UInt8]) -> [Assignment] {
    var found: [Assignment] = []
    var position = 0
    while position < bytes.count {
      let start = position
      let isComment = bytes[start...].first { $0 != 0x20 && $0 != 0x09 }.map {
        $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: ";")
      }
      var reader = ValueReader(bytes: bytes, position: start)
      let nameEnd = bytes[start...].firstIndex { $0 == UInt8(ascii: "=") || $0 == 0x0A }
      guard isComment != true, let nameEnd, bytes[nameEnd] == UInt8(ascii: "=") else {
        reader.skipLine()
        position = reader.position + 1
        continue
      }
      reader.position = nameEnd + 1
      let value = reader.value()
      let name = bytes[start..<nameEnd].filter { $0 != 0x20 && $0 != 0x09 }
      found.append(
        Assignment(
          name: String(decoding: name, as: UTF8.self), value: value,
          place: start..<reader.position))
      position = reader.position + 1
    }
    return found
  }
}

/// Reads a value up to the end of its line.
private struct ValueReader {
  let bytes: [UInt8]
  var position: Int

  /// Stops at the end of the line or of the text.
  mutating func skipLine() {
    while position < bytes.count, bytes[position] != 0x0A {
      // Comments are continued, too.
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
      position += 1
    }
    position = min(position, bytes.count)
  }

  mutating func value() -> String {
    var value: [UInt8] = []
    // Ignore blanks at the end of an unquoted value.
    var kept = 0
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x0A, quote == nil { break }
      position += 1
      switch byte {
      case UInt8(ascii: "\\") where quote != UInt8(ascii: "'"):
        guard position < bytes.count else { break }
        let next = bytes[position]
        position += 1
        if next == 0x0A { continue }
        if quote != nil, !"\"\\`$".utf8.contains(next) { value.append(byte) }
        value.append(next)
        kept = value.count
      case quote: quote = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil, value.isEmpty {
          quote = byte
        } else {
          value.append(byte)
          kept = value.count
        }
      case 0x20, 0x09, 0x0D:
        if quote != nil || !value.isEmpty { value.append(byte) }
        if quote != nil { kept = value.count }
      default:
        value.append(byte)
        kept = value.count
      }
    }
    return String(decoding: value.prefix(kept), as: UTF8.self)
  }
}
