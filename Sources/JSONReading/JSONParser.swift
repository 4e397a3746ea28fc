/// Reads one JSON text (RFC 8259), or one JSON5 text with the places of its members.
///
/// JSON is what servers and other programs write: what they often get wrong and is clear
/// nevertheless is taken, such as control characters and half a pair of surrogates in a text, or a
/// comma after the last element. JSON5 is written by people: what looks like a mistake is a
/// problem, such as a key that is there twice.
struct JSONParser {
  let bytes: [UInt8]
  private(set) var position = 0
  /// Where reading ends: the end of the text, or before it.
  private(set) var limit: Int
  let isJSON5: Bool
  /// Only for JSON5.
  private(set) var outline: JSONOutline?
  /// The brackets that a value may have around it.
  private let levels: Int
  /// The line noted last, and where it was.
  private var counted = (line: 1, offset: 0)

  init(_ bytes: [UInt8]) {
    self.init(bytes, outline: nil, levels: JSONBounds.levels)
  }

  /// A text in JSON5.
  init(json5 bytes: [UInt8]) {
    self.init(bytes, outline: JSONOutline(), levels: JSONBounds.settingsLevels)
  }

  private init(_ bytes: [UInt8], outline: JSONOutline?, levels: Int) {
    self.bytes = bytes
    self.outline = outline
    isJSON5 = outline != nil
    self.levels = levels
    limit = bytes.count
    // Some editors add a byte order mark to UTF-8.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func readAll() throws(JSONError) -> JSONValue {
    try skipBlanks()
    if isJSON5, next != UInt8(ascii: "{") { throw problem(.noObject) }
    let start = position
    let value = try readValue(inside: 0)
    outline?.setWhole(start..<position)
    try skipBlanks()
    guard position == bytes.count else { throw problem(.rest) }
    return value
  }

  // MARK: One element at a time

  mutating func beginList() throws(JSONError) {
    try skipBlanks()
    guard take("[") else { throw problem(.noValue) }
  }

  /// - Returns: `nil` after the last one.
  mutating func readElement(isFirst: Bool, atMost limit: Int) throws(JSONError) -> JSONValue? {
    try skipBlanks()
    let isNext = isFirst || take(",")
    try skipBlanks()
    if take("]") {
      try skipBlanks()
      guard position == bytes.count else { throw problem(.rest) }
      return nil
    }
    guard isNext else { throw problem(.noSeparator(before: "]", opening: 1)) }
    self.limit = min(bytes.count, position + limit)
    defer { self.limit = bytes.count }
    return try readValue(inside: 1)
  }

  // MARK: Values

  /// - Parameter keyPath: only for JSON5.
  private mutating func readValue(
    inside depth: Int, _ keyPath: String = ""
  ) throws(JSONError) -> JSONValue {
    guard depth <= levels else { throw problem(.tooDeep) }
    guard let byte = next else { throw problem(.noValue) }
    switch byte {
    case UInt8(ascii: "{"): return .object(try readObject(inside: depth + 1, keyPath))
    case UInt8(ascii: "["): return .list(try readList(inside: depth + 1, keyPath))
    case UInt8(ascii: "\""): return .text(try readText(keyPath))
    case UInt8(ascii: "'") where isJSON5: return .text(try readText(keyPath))
    default: return try readLiteral(byte)
    }
  }

  private mutating func readObject(
    inside depth: Int, _ keyPath: String
  ) throws(JSONError) -> [String: JSONValue] {
    let opening = position
    position += 1
    var members: [String: JSONValue] = [:]
    repeat {
      try skipBlanks()
      if take("}") { return members }
      let start = position
      let key = try readKey(openedAt: opening)
      var path = ""
      if isJSON5 {
        path = keyPath.isEmpty ? key : "\(keyPath).\(key)"
        if members[key] != nil {
          let first = outline?.lines[path] ?? 1
          throw problem(.duplicateKey(firstLine: first), at: start, path)
        }
        note(path, at: start)
      }
      try skipBlanks()
      guard take(":") else { throw problem(.noColon(after: key)) }
      try skipBlanks()
      let valueStart = position
      let value = try readValue(inside: depth, path)
      if members[key] == nil { members[key] = value }
      outline?.add(member: start..<position, value: valueStart..<position, at: path)
      try skipBlanks()
    } while take(",")
    guard take("}") else {
      throw problem(.noSeparator(before: "}", opening: line(of: opening)))
    }
    return members
  }

  private mutating func readList(
    inside depth: Int, _ keyPath: String
  ) throws(JSONError) -> [JSONValue] {
    let opening = position
    position += 1
    var elements: [JSONValue] = []
    repeat {
      try skipBlanks()
      if take("]") { return elements }
      var path = ""
      if isJSON5 {
        path = "\(keyPath)[\(elements.count)]"
        note(path, at: position)
      }
      elements.append(try readValue(inside: depth, path))
      try skipBlanks()
    } while take(",")
    guard take("]") else {
      throw problem(.noSeparator(before: "]", opening: line(of: opening)))
    }
    return elements
  }

  private mutating func readKey(openedAt opening: Int) throws(JSONError) -> String {
    if next == UInt8(ascii: "\"") || isJSON5 && next == UInt8(ascii: "'") {
      return try readText("", isKey: true)
    }
    let start = position
    if isJSON5 { while let byte = next, Self.isNamePart(byte) { position += 1 } }
    guard position > start else { throw problem(.noKey(opening: line(of: opening))) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }
}

// MARK: - Characters

extension JSONParser {
  /// The next byte; `nil` at the end.
  var next: UInt8? { position < limit ? bytes[position] : nil }

  mutating func advance(by count: Int = 1) { position += count }
  mutating func move(to position: Int) { self.position = position }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  func follows(_ character: Unicode.Scalar) -> Bool {
    position + 1 < limit && bytes[position + 1] == UInt8(ascii: character)
  }

  /// Skips white space, and comments of JSON5.
  @inline(__always)
  mutating func skipBlanks() throws(JSONError) {
    while let byte = next, byte <= UInt8(ascii: "/") {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        if isJSON5, try skipOfJSON5(byte) { continue }
        return
      }
      position += 1
    }
  }

  /// - Returns: whether there was something to skip.
  private mutating func skipOfJSON5(_ byte: UInt8) throws(JSONError) -> Bool {
    switch byte {
    case 0x0B, 0x0C: position += 1
    case UInt8(ascii: "/") where follows("/"):
      while let byte = next, byte != 0x0A, byte != 0x0D { position += 1 }
    case UInt8(ascii: "/") where follows("*"): try skipComment()
    default: return false
    }
    return true
  }

  private mutating func skipComment() throws(JSONError) {
    let opening = position
    position += 2
    while next != nil {
      if next == UInt8(ascii: "*"), follows("/") {
        position += 2
        return
      }
      position += 1
    }
    throw problem(.openComment, at: opening)
  }

  /// Where the blanks and comments end that begin in the middle of a JSON5 text.
  static func afterBlanks(in bytes: [UInt8], from position: Int) throws(JSONError) -> Int {
    var parser = JSONParser(json5: bytes)
    parser.position = position
    try parser.skipBlanks()
    return parser.position
  }

  // MARK: Problems

  func problem(
    _ cause: JSONError.Cause, at offset: Int? = nil, _ keyPath: String = ""
  ) -> JSONError {
    JSONError(
      cause: cause, offset: offset ?? position, line: line(of: offset ?? position),
      keyPath: keyPath, isEarlyEnd: position >= bytes.count)
  }

  /// From the beginning: for problems.
  func line(of offset: Int) -> Int { lines(in: 0..<offset) + 1 }

  /// Notes the line of a place, which comes after the one noted last.
  private mutating func note(_ keyPath: String, at offset: Int) {
    counted = (counted.line + lines(in: counted.offset..<offset), offset)
    outline?.add(line: counted.line, at: keyPath)
  }

  /// CR LF is one line end, and so is a single CR.
  private func lines(in range: Range<Int>) -> Int {
    range.count { index in
      bytes[index] == 0x0A
        || bytes[index] == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
    }
  }
}
