// Texts, numbers and words.

extension JSONParser {
  // MARK: Texts

  mutating func readText(
    _ keyPath: String, isKey: Bool = false
  ) throws(JSONError) -> String {
    guard let quote = next else { throw problem(.noValue) }
    let opening = position
    advance()
    let start = position
    let isJSON5 = isJSON5
    var all: UInt8 = 0
    while let byte = next, byte != quote, byte != UInt8(ascii: "\\") {
      if isJSON5, endsLine(byte) { break }
      all |= byte
      advance()
    }
    // Few texts have escapes, and most are ASCII, which needs no validation.
    if next == quote {
      guard all < 0x80 else { return try text(bytes[start..<position], keyPath) }
      defer { advance() }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    if isJSON5 {
      let end = try endOfText(quote, opening)
      if isKey {
        move(to: end)
        throw problem(.escapedKey(String(decoding: bytes[start..<end], as: UTF8.self)))
      }
    }
    var unescaped = Array(bytes[start..<position])
    while let byte = next {
      if byte == quote { return try text(unescaped[...], keyPath) }
      advance()
      if byte == UInt8(ascii: "\\") {
        try readEscape(into: &unescaped, keyPath)
      } else {
        unescaped.append(byte)
      }
    }
    throw problem(.openText)
  }

  /// Where the closing quote is. A missing quote is reported before any other problem of a text.
  private func endOfText(_ quote: UInt8, _ opening: Int) throws(JSONError) -> Int {
    var end = position
    while end < limit, bytes[end] != quote, !endsLine(bytes[end]) {
      let isEscape = bytes[end] == UInt8(ascii: "\\")
      end += 1
      if isEscape { end += bytes[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1 }
    }
    guard end < limit, bytes[end] == quote else { throw problem(.openText, at: opening) }
    return end
  }

  /// A person has forgotten the quote.
  private func endsLine(_ byte: UInt8) -> Bool { isJSON5 && (byte == 0x0A || byte == 0x0D) }

  /// Ends a text at its quote.
  private mutating func text(
    _ bytes: ArraySlice<UInt8>, _ keyPath: String
  ) throws(JSONError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw badText(keyPath) }
    advance()
    return text
  }

  /// With the line of the key.
  private func badText(_ keyPath: String) -> JSONError {
    var problem = problem(.badText, at: position, keyPath)
    if let line = outline?.lines[keyPath] { problem.line = line }
    return problem
  }

  private mutating func readEscape(
    into text: inout [UInt8], _ keyPath: String
  ) throws(JSONError) {
    guard let byte = next else { throw problem(.openText) }
    advance()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += try readScalar(keyPath).utf8
    case _ where isJSON5: try readJSON5Escape(byte, into: &text, keyPath)
    default: throw badText(keyPath)
    }
  }

  /// JSON5 §5.1 and §5.2.
  private mutating func readJSON5Escape(
    _ byte: UInt8, into text: inout [UInt8], _ keyPath: String
  ) throws(JSONError) {
    switch byte {
    case UInt8(ascii: "'"): text.append(byte)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "0"): text.append(0x00)
    case UInt8(ascii: "x"):
      let unit = try readUnit(digits: 2, keyPath)
      text += Unicode.Scalar(UInt8(unit)).utf8
    // The text goes on in the next line.
    case 0x0A: break
    case 0x0D: _ = take("\n")
    // U+2028 and U+2029.
    case 0xE2
    where next == 0x80 && position + 1 < bytes.count
      && (0xA8...0xA9).contains(bytes[position + 1]):
      advance(by: 2)
    default: throw badText(keyPath)
    }
  }

  /// What follows `\u`; of a pair of surrogates both. A half, which servers do send, becomes U+FFFD
  /// and leaves the rest readable.
  private mutating func readScalar(_ keyPath: String) throws(JSONError) -> Unicode.Scalar {
    let first = try readUnit(digits: 4, keyPath)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let afterFirst = position
    if first < 0xDC00, take("\\"), take("u"), case let second = try readUnit(digits: 4, keyPath),
      (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    {
      return scalar
    }
    move(to: afterFirst)
    return "\u{FFFD}"
  }

  private mutating func readUnit(
    digits: Int, _ keyPath: String
  ) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw badText(keyPath)
      }
      unit = unit << 4 | UInt32(digit)
      advance()
    }
    return unit
  }

  // MARK: Words and numbers

  mutating func readLiteral(_ first: UInt8) throws(JSONError) -> JSONValue {
    let start = position
    let isNumber =
      Self.isDigit(first) || first == UInt8(ascii: "-")
      || isJSON5 && (first == UInt8(ascii: "+") || first == UInt8(ascii: "."))
    if let value = isNumber ? try readNumber() : readWord() {
      // People write JSON5: the problem names the whole word.
      guard isJSON5, let byte = next, !JSONOutline.isDelimiter(byte) else { return value }
    }
    guard isJSON5 else { throw isNumber ? problem(.noValue) : noWord }
    move(to: start)
    let literal = upcomingLiteral
    guard !literal.isEmpty else { throw problem(.noValue) }
    throw problem(isNumber ? .notANumber(literal) : .notAValue(literal))
  }

  /// Up to what could follow it.
  private var upcomingLiteral: String {
    String(decoding: bytes[position...].prefix { !JSONOutline.isDelimiter($0) }, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private mutating func readWord() -> JSONValue? {
    takes("true") ? .boolean(true) : takes("false") ? .boolean(false) : takes("null") ? .null : nil
  }

  private mutating func takes(_ word: StaticString) -> Bool {
    guard word.withUTF8Buffer({ bytes[position..<limit].starts(with: $0) }) else { return false }
    advance(by: word.utf8CodeUnitCount)
    return true
  }

  /// A word that the text cuts off is an early end, too.
  private var noWord: JSONError {
    var problem = problem(.noValue)
    let isCut = ["true", "false", "null"].contains { $0.utf8.starts(with: bytes[position...]) }
    problem.isEarlyEnd = problem.isEarlyEnd || isCut
    return problem
  }

  /// - Returns: `nil` where JSON5 has no number, or none that is finite.
  private mutating func readNumber() throws(JSONError) -> JSONValue? {
    let start = position
    let isNegative = take("-")
    if isJSON5 {
      if !isNegative { _ = take("+") }
      if takes("Infinity") { return .real(isNegative ? -.infinity : .infinity) }
      if takes("NaN") { return .real(.nan) }
      if next == UInt8(ascii: "0"), follows("x") || follows("X") {
        return readHexadecimal(isNegative)
      }
    }
    // JSON5 needs digits on one side of the point only.
    let whole = skipDigits(alone: "0")
    guard whole > 0 || isJSON5 && next == UInt8(ascii: ".") else { return try failed() }
    let end = position
    if take(".") {
      let fraction = skipDigits()
      guard fraction > 0 || isJSON5 && whole > 0 else { return try failed() }
    }
    if take("e") || take("E") {
      _ = take("-") || take("+")
      guard skipDigits() > 0 else { return try failed() }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if position == end, let number = Int64(text) { return .whole(number) }
    guard let number = Double(text), number.isFinite else { return try failed() }
    return .real(number)
  }

  /// In JSON the problem says how many bytes are right, in JSON5 it names the whole word.
  private func failed() throws(JSONError) -> JSONValue? {
    guard isJSON5 else { throw problem(.noValue) }
    return nil
  }

  private mutating func readHexadecimal(_ isNegative: Bool) -> JSONValue? {
    advance(by: 2)
    let digits = bytes[position...].prefix { Character(Unicode.Scalar($0)).isHexDigit }
    guard let number = UInt64(String(decoding: digits, as: UTF8.self), radix: 16) else {
      return nil
    }
    advance(by: digits.count)
    guard let whole = Int64(exactly: number) else {
      return .real(isNegative ? -Double(number) : Double(number))
    }
    return .whole(isNegative ? -whole : whole)
  }

  /// - Parameter alone: no other digit follows that one.
  /// - Returns: how many there were.
  private mutating func skipDigits(alone: Unicode.Scalar? = nil) -> Int {
    if let alone, take(alone) { return 1 }
    let start = position
    while let byte = next, Self.isDigit(byte) { advance() }
    return position - start
  }
}
