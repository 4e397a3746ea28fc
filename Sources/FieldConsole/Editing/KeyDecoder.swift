/// Turns a terminal's bytes into keys: UTF-8, control characters, and the sequences of a VT100 and
/// its descendants (ECMA-48, 5.4). Anything else is dropped.
struct KeyDecoder: Sendable {
  enum Key: Equatable, Sendable {
    case character(Unicode.Scalar)
    case enter, tab, backspace, delete
    case left, right, up, down, home, end
    case killLine, killEnd, killWord, redraw, interrupt, endOfInput
    /// The report of the cursor's position, from 1: `ESC [ row ; column R`.
    case cursorAt(row: Int, column: Int)
  }

  private enum State: Sendable {
    case text
    case escape
    /// After `ESC [`.
    case control([UInt8])
    /// After `ESC O`: one more byte.
    case single
    /// A string for the terminal, which ends with BEL or `ESC \`.
    case string(count: Int)
  }

  private var state = State.text
  private var characters = ScalarDecoder()
  private var wasReturn = false

  init() {}

  mutating func take(_ byte: UInt8) -> Key? {
    switch state {
    case .text: return text(byte)
    case .escape: return escaped(byte)
    case .control(let bytes): return controlled(bytes, byte)
    case .single:
      state = .text
      return byte < 0x20 ? text(byte) : Self.arrow(byte)
    case .string(let count):
      return string(count, byte)
    }
  }

  private mutating func text(_ byte: UInt8) -> Key? {
    // BREAK arrives as NUL, and telnet sends one after CR.
    guard let scalar = characters.take(byte), scalar.value != 0 else { return nil }
    let isSecond = wasReturn && scalar == "\n"
    wasReturn = scalar == "\r"
    switch scalar {
    case "\n" where isSecond: return nil
    case "\u{1B}":
      state = .escape
      return nil
    case "\0"..<" ", "\u{7F}": return Self.control(byte)
    default: return scalar.isShown ? .character(scalar) : nil
    }
  }

  private static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x01: .home
    case 0x02: .left
    case 0x03: .interrupt
    case 0x04: .endOfInput
    case 0x05: .end
    case 0x06: .right
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x0B: .killEnd
    case 0x0C: .redraw
    case 0x0E: .down
    case 0x10: .up
    case 0x15: .killLine
    case 0x17: .killWord
    default: nil
    }
  }

  // MARK: Sequences

  private mutating func escaped(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B: return nil
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "O"): state = .single
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string(count: 0)
    default:
      state = .text
      // Enter after a lone Escape is Enter; another key was pressed together with Alt.
      if byte < 0x20 || byte == 0x7F { return text(byte) }
    }
    return nil
  }

  private mutating func controlled(_ bytes: [UInt8], _ byte: UInt8) -> Key? {
    switch byte {
    case 0x20...0x3F where bytes.count < FieldBounds.keySequence:
      state = .control(bytes + [byte])
      return nil
    case 0x40...0x7E:
      state = .text
      return Self.key(of: bytes, byte)
    default:
      state = .text
      return byte < 0x20 ? text(byte) : nil
    }
  }

  private mutating func string(_ count: Int, _ byte: UInt8) -> Key? {
    switch byte {
    case 0x07: state = .text
    case 0x1B: state = .escape
    case 0..<0x20:
      state = .text
      return text(byte)
    default: state = count < FieldBounds.keySequence ? .string(count: count + 1) : .text
    }
    return nil
  }

  private static func key(of bytes: [UInt8], _ final: UInt8) -> Key? {
    let numbers = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    switch final {
    case UInt8(ascii: "~"):
      switch numbers.first {
      case 1, 7: return .home
      case 4, 8: return .end
      case 3: return .delete
      default: return nil
      }
    case UInt8(ascii: "R"):
      guard numbers.count == 2, let row = numbers[0], let column = numbers[1], row > 0, column > 0
      else { return nil }
      return .cursorAt(row: row, column: column)
    default: return arrow(final)
    }
  }

  private static func arrow(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }
}

/// Decodes UTF-8. Invalid bytes are dropped, and decoding continues with the next one.
public struct ScalarDecoder: Sendable {
  /// The first bytes of a character, and how many it lacks.
  private var bytes: [UInt8] = []
  private var missing = 0

  public init() {}

  /// - Returns: the character that the byte completes, a control character too.
  public mutating func take(_ byte: UInt8) -> Unicode.Scalar? {
    if missing > 0 {
      guard byte & 0xC0 == 0x80 else {
        missing = 0
        return take(byte)
      }
      bytes.append(byte)
      missing -= 1
      guard missing == 0 else { return nil }
      return String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
    }
    switch byte {
    case 0..<0x80: return Unicode.Scalar(byte)
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF: missing = 2
    case 0xF0...0xF4: missing = 3
    default: return nil
    }
    bytes = [byte]
    return nil
  }
}
