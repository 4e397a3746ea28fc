/// Reads one JSON text.
struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0
  /// Where reading ends, the text's end or before.
  private var end: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func readAll() throws(JSONValue.Problem) -> JSONValue {
    let value = try readValue(inside: 0)
    skipBlanks()
    guard position == bytes.count else { throw problem }
    return value
  }

  // MARK: One element at a time

  mutating func beginList() throws(JSONValue.Problem) {
    skipBlanks()
    guard take("[") else { throw problem }
  }

  /// - Returns: `nil` after the last one.
  mutating func readElement(
    isFirst: Bool, atMost limit: Int
  ) throws(JSONValue.Problem) -> JSONValue? {
    skipBlanks()
    let isNext = isFirst || take(",")
    skipBlanks()
    if take("]") {
      skipBlanks()
      guard position == bytes.count else { throw problem }
      return nil
    }
    guard isNext else { throw problem }
    end = min(bytes.count, position + limit)
    defer { end = bytes.count }
    return try readValue(inside: 1)
  }

  private var problem: JSONValue.Problem { JSONValue.Problem(offset: position) }

  /// The next byte; `nil` at the end.
  private var next: UInt8? { position < end ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func readValue(inside depth: Int) throws(JSONValue.Problem) -> JSONValue {
    skipBlanks()
    guard let byte = next, depth <= JSONValue.levels else { throw problem }
    switch byte {
    case UInt8(ascii: "{"): return .object(try readObject(inside: depth + 1))
    case UInt8(ascii: "["): return .list(try readList(inside: depth + 1))
    case UInt8(ascii: "\""): return .text(try readText())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try readNumber()
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONValue.Problem) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    let isHere = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
    guard isHere else { throw problem }
    position = end
    return value
  }

  /// As in a list, the last comma may have nothing after it, as Foundation allows.
  private mutating func readObject(
    inside depth: Int
  ) throws(JSONValue.Problem) -> [String: JSONValue] {
    position += 1
    var members: [String: JSONValue] = [:]
    repeat {
      skipBlanks()
      if take("}") { return members }
      guard next == UInt8(ascii: "\"") else { throw problem }
      let key = try readText()
      skipBlanks()
      guard take(":") else { throw problem }
      let value = try readValue(inside: depth)
      if members[key] == nil { members[key] = value }
      skipBlanks()
    } while take(",")
    guard take("}") else { throw problem }
    return members
  }

  private mutating func readList(inside depth: Int) throws(JSONValue.Problem) -> [JSONValue] {
    position += 1
    var elements: [JSONValue] = []
    repeat {
      skipBlanks()
      if take("]") { return elements }
      elements.append(try readValue(inside: depth))
      skipBlanks()
    } while take(",")
    guard take("]") else { throw problem }
    return elements
  }

  // MARK: Texts

  /// Control characters and halves of pairs, which servers do send, leave the rest readable.
  private mutating func readText() throws(JSONValue.Problem) -> String {
    position += 1
    let start = position
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
    // Few texts have escapes.
    if next == UInt8(ascii: "\"") { return try text(bytes[start..<position]) }
    var unescaped = Array(bytes[start..<position])
    while let byte = next {
      if byte == UInt8(ascii: "\"") { return try text(unescaped[...]) }
      position += 1
      if byte == UInt8(ascii: "\\") {
        try readEscape(into: &unescaped)
      } else {
        unescaped.append(byte)
      }
    }
    throw problem
  }

  /// Ends a text at its quote.
  private mutating func text(_ bytes: ArraySlice<UInt8>) throws(JSONValue.Problem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw problem }
    position += 1
    return text
  }

  private mutating func readEscape(into text: inout [UInt8]) throws(JSONValue.Problem) {
    guard let byte = next else { throw problem }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += Array(Character(try readScalar()).utf8)
    default: throw problem
    }
  }

  /// What follows `\u`; of a pair of surrogates both. A half becomes U+FFFD.
  private mutating func readScalar() throws(JSONValue.Problem) -> Unicode.Scalar {
    let first = try readUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let afterFirst = position
    if first < 0xDC00, take("\\"), take("u"), case let second = try readUnit(),
      (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    {
      return scalar
    }
    position = afterFirst
    return "\u{FFFD}"
  }

  private mutating func readUnit() throws(JSONValue.Problem) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw problem
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  // MARK: Numbers

  private mutating func readNumber() throws(JSONValue.Problem) -> JSONValue {
    let start = position
    _ = take("-")
    if !take("0") { try skipDigits() }
    let isWhole = next.map { !".eE".utf8.contains($0) } ?? true
    if take(".") { try skipDigits() }
    if take("e") || take("E") {
      _ = take("-") || take("+")
      try skipDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let number = Int64(text) { return .whole(number) }
    guard let number = Double(text), number.isFinite else { throw problem }
    return .real(number)
  }

  /// One digit or more.
  private mutating func skipDigits() throws(JSONValue.Problem) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw problem }
  }
}
