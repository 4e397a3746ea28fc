/// Splits a modem's output into lines, prompts and counted bytes.
///
/// Lines end with LF, with or without CR before it; long ones are cut. Counted bytes may be
/// anything.
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

  /// The next `count` bytes are data, not lines.
  mutating func expect(_ count: Int) {
    bytes = []
    expected = count
  }

  mutating func take(_ byte: UInt8) -> Piece? {
    if expected > 0 {
      bytes.append(byte)
      guard bytes.count == expected else { return nil }
      expected = 0
      defer { bytes = [] }
      return .bytes(bytes)
    }
    switch byte {
    case 0x0A:
      defer { line = [] }
      return line.isEmpty ? nil : .line(String(decoding: line, as: UTF8.self))
    case 0x3E where line.isEmpty: return .prompt
    // The space after a prompt, and characters that a line cannot begin with.
    case 0x20 where line.isEmpty, ..<0x20, 0x7F...: return nil
    default:
      if line.count < ModemBounds.lineBytes { line.append(byte) }
      return nil
    }
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
