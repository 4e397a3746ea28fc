extension [UInt8] {
  /// Appends a text as JSON, with its quotes (RFC 8259 §7).
  ///
  /// Escaped are quotes, backslashes and what could end a line or act on a terminal: the control
  /// characters, C1 among them, and the line separators of JavaScript.
  public mutating func appendJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    // Nearly all texts have nothing to escape.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
      append(contentsOf: text.utf8)
    } else {
      for scalar in text.unicodeScalars { append(escaping: scalar) }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escaping scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\":
      append(UInt8(ascii: "\\"))
      append(UInt8(ascii: scalar))
    case "\n": append(contentsOf: "\\n".utf8)
    case "\r": append(contentsOf: "\\r".utf8)
    case "\t": append(contentsOf: "\\t".utf8)
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{2029}":
      let digits = String(scalar.value, radix: 16)
      append(contentsOf: "\\u".utf8)
      append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.count))
      append(contentsOf: digits.utf8)
    default: append(contentsOf: scalar.utf8)
    }
  }
}

extension String {
  /// The text as JSON, with its quotes.
  public var quotedJSON: String {
    var bytes: [UInt8] = []
    bytes.appendJSON(self)
    return String(decoding: bytes, as: UTF8.self)
  }
}
