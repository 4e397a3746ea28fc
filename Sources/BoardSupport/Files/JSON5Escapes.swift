/// The escapes of a JSON5 text (JSON5 §5.1).
enum JSON5Escapes {
  /// The text with the escapes replaced; `nil` if one is unknown or incomplete.
  static func replaced(in text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar != "\\" {
        result.append(scalar)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      switch escaped {
      case "\"", "'", "\\", "/": result.append(escaped)
      case "b": result.append("\u{8}")
      case "f": result.append("\u{C}")
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "t": result.append("\t")
      case "v": result.append("\u{B}")
      case "0": result.append("\0")
      // A text goes on in the next line.
      case "\n", "\u{2028}", "\u{2029}": break
      case "\r": if rest.first == "\n" { rest.removeFirst() }
      case "x", "u":
        guard let found = number(in: &rest, digits: escaped == "x" ? 2 : 4) else { return nil }
        result.append(found)
      default: return nil
      }
    }
    return String(result)
  }

  /// The character with a number of so many digits; of a pair of surrogates, both are read.
  private static func number(
    in rest: inout Substring.UnicodeScalarView, digits: Int
  ) -> Unicode.Scalar? {
    guard let first = unit(in: &rest, digits: digits) else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, rest.popFirst() == "\\", rest.popFirst() == "u",
      let second = unit(in: &rest, digits: 4), (0xDC00...0xDFFF).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private static func unit(
    in rest: inout Substring.UnicodeScalarView, digits: Int
  ) -> UInt32? {
    var unit: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = rest.popFirst().flatMap({ Character($0).hexDigitValue }) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}
