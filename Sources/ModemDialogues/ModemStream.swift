/// Splits a modem's output into lines, prompts and counted bytes.
///
/// Lines end with LF, with or without CR before it; long ones are cut. Counted bytes may be
/// anything, but for a report in front of them. A report has one blank after its colon here, as
/// 3GPP writes it, even where the modem leaves it out. The body of a short message that the modem
/// delivers is skipped: it may be anything.
struct ModemStream: Sendable, Equatable {
  enum Piece: Sendable, Equatable {
    case line(String)
    /// `> `: the modem is waiting for a text.
    case prompt
    /// As many bytes as were expected.
    case bytes([UInt8])
  }

  /// What is for the core (see `ModemDialogue.takeNews`).
  var news: [UInt8] = []
  private var line: [UInt8] = []
  private var bytes: [UInt8] = []
  private var expected = 0
  /// The body of a delivered message is coming.
  private var isBody = false

  /// The next `count` bytes are data, not lines.
  mutating func expect(_ count: Int) {
    bytes = []
    expected = count
  }

  mutating func take(_ byte: UInt8) -> Piece? {
    if isBody {
      isBody = byte != 0x0A
      return nil
    }
    if expected > 0 { return takeCounted(byte) }
    switch byte {
    case 0x0A:
      defer { line = [] }
      return line.isEmpty ? nil : ended(line)
    case 0x3E where line.isEmpty: return .prompt
    // The space after a prompt, and characters that a line cannot begin with.
    case 0x20 where line.isEmpty, ..<0x20, 0x7F...: return nil
    default:
      if line.count < ModemBounds.lineBytes { line.append(byte) }
      return nil
    }
  }

  private mutating func takeCounted(_ byte: UInt8) -> Piece? {
    bytes.append(byte)
    // A report may come between the mark and the data; a body of a server does not begin so.
    let isReport = bytes.starts(with: [0x0D, 0x0A]) && bytes.count > 2 && Self.canBegin(bytes[2])
    if isReport && bytes.count < ModemBounds.lineBytes {
      guard byte == 0x0A else { return nil }
      defer { bytes = [] }
      return ended(bytes.dropFirst(2).filter { $0 >= 0x20 && $0 < 0x7F })
    }
    guard bytes.count >= expected else { return nil }
    expected = 0
    defer { bytes = [] }
    return .bytes(bytes)
  }

  /// `+CGEV: …`, `*PSUTTZ: …`, `^MODE: …`
  private static func canBegin(_ byte: UInt8) -> Bool {
    byte == 0x2B || byte == 0x2A || byte == 0x5E
  }

  private mutating func ended(_ line: [UInt8]) -> Piece {
    var line = line
    if let sign = line.first, sign == 0x2B || sign == 0x2A, let colon = line.firstIndex(of: 0x3A) {
      let value = line[(colon + 1)...].drop { $0 == 0x20 }
      line = line[...colon] + [0x20] + value
    }
    let text = String(decoding: line, as: UTF8.self)
    isBody = text.hasPrefix("+CMT:") || text.hasPrefix("+CBM:")
    return .line(text)
  }
}

/// A line that ends a command.
enum ModemEnd: Sendable, Equatable {
  case ok
  case error(String)

  init?(_ line: String) {
    if line == "OK" {
      self = .ok
    } else if line == "ERROR" || line.hasPrefix("+CME ERROR") || line.hasPrefix("+CMS ERROR") {
      self = .error(line)
    } else {
      return nil
    }
  }
}
