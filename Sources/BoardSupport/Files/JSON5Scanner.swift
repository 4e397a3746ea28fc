/// Reads the characters of a JSON5 text and keeps track of the line.
struct JSON5Scanner {
  private let bytes: [UInt8]
  private(set) var position = 0
  private(set) var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // Skip the byte order mark that some editors add to UTF-8.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Begins in the middle.
  init(_ bytes: [UInt8], from position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// The next byte; `nil` at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// What comes next, for error messages.
  var found: String {
    guard next != nil else { return "the end of the file" }
    var end = position
    while end < bytes.count && end < position + 12 && !Self.isDelimiter(bytes[end]) { end += 1 }
    if end == position { end += 1 }
    return quoted(String(decoding: bytes[position..<end], as: UTF8.self))
  }

  func fault(_ message: String) -> Outline.Fault {
    Outline.Fault(line: line, message: message)
  }

  func missingSeparator(before bracket: String, openedOn opening: Int) -> Outline.Fault {
    if next == nil {
      return fault("the file ends before the \"\(bracket)\" for line \(opening); complete it")
    }
    return fault(
      "expected \",\" or \"\(bracket)\", found \(found); add it (and quotes around any text)")
  }

  mutating func advance() {
    guard let byte = next else { return }
    position += 1
    // CR LF is one line end, and so is a single CR.
    let isReturn = byte == UInt8(ascii: "\r") && next != UInt8(ascii: "\n")
    if byte == UInt8(ascii: "\n") || isReturn { line += 1 }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    advance()
    return true
  }

  /// Skips white space and comments.
  mutating func skipBlanks() throws(Outline.Fault) {
    while let byte = next {
      if Self.isBlank(byte) {
        advance()
      } else if byte == UInt8(ascii: "/") && follows("/") {
        while let byte = next, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { advance() }
      } else if byte == UInt8(ascii: "/") && follows("*") {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(Outline.Fault) {
    let opening = line
    advance()
    advance()
    while next != nil {
      if next == UInt8(ascii: "*") && follows("/") {
        advance()
        advance()
        return
      }
      advance()
    }
    throw Outline.Fault(line: opening, message: "the comment has no end; add \"*/\"")
  }

  private func follows(_ character: Unicode.Scalar) -> Bool {
    position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: character)
  }

  /// A key, with or without quotes.
  mutating func readKey(openedOn opening: Int) throws(Outline.Fault) -> String {
    if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
      let key = try readText()
      guard !key.contains("\\") else {
        throw fault("the key \(quoted(key)) has an escape; write it in plain letters")
      }
      return key
    }
    let start = position
    while let byte = next, Self.isNamePart(byte) { advance() }
    guard position > start else {
      if next == nil {
        throw fault("the file ends before the \"}\" for line \(opening); complete it")
      }
      throw fault("expected a key, found \(found); keys are plain letters")
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The text between two quotes, with escapes unchanged.
  mutating func readText() throws(Outline.Fault) -> String {
    let opening = line
    let quote = next
    advance()
    let start = position
    while let byte = next, byte != quote {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        throw Outline.Fault(line: opening, message: "the text is not closed; add the quote")
      }
      // A quote or a line end after a backslash belongs to the text.
      if byte == UInt8(ascii: "\\") {
        advance()
        if next == UInt8(ascii: "\r") && follows("\n") { advance() }
      }
      advance()
    }
    guard next != nil else {
      throw Outline.Fault(line: opening, message: "the text is not closed; add the quote")
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    advance()
    return text
  }

  /// A number, `true`, `false` or `null`.
  mutating func readLiteral() throws(Outline.Fault) -> FileValue {
    let start = position
    while let byte = next, !Self.isDelimiter(byte) { advance() }
    let literal = String(decoding: bytes[start..<position], as: UTF8.self)
    if literal.isEmpty { throw fault("expected a value, found \(found)") }
    switch literal {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: break
    }
    guard let first = literal.utf8.first, Self.isNumberStart(first) else {
      throw fault("\(quoted(literal)) is not a value; put text in quotes")
    }
    guard let number = Self.number(literal) else {
      throw fault("\(quoted(literal)) is not a number; correct it, or put it in quotes")
    }
    return number
  }

  /// A number as JSON5 writes it; 1.0 and 1e3 are whole numbers.
  private static func number(_ literal: String) -> FileValue? {
    var digits = literal[...]
    let sign = digits.first == "-" ? -1.0 : 1.0
    if digits.first == "+" || digits.first == "-" { digits.removeFirst() }
    if digits == "Infinity" { return .number(sign * .infinity) }
    if digits == "NaN" { return .number(.nan) }
    // One sign at most.
    guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-")
    else { return nil }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      guard digits.dropFirst(2).allSatisfy(\.isHexDigit) else { return nil }
      guard let number = UInt64(digits.dropFirst(2), radix: 16) else { return nil }
      let whole = Int64(exactly: number).map { sign < 0 ? -$0 : $0 }
      return whole.map { .integer($0) } ?? .number(sign * Double(number))
    }
    let isOctal = digits.first == "0" && digits.dropFirst().first?.isNumber ?? false
    guard !isOctal, digits.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }) else {
      return nil
    }
    if let whole = Int64(literal) { return .integer(whole) }
    guard let number = Double(digits), number.isFinite else { return nil }
    return Int64(exactly: sign * number).map { .integer($0) } ?? .number(sign * number)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    isBlank(byte) || ",:{}[]\"'/".utf8.contains(byte)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  private static func isNumberStart(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
  }
}
