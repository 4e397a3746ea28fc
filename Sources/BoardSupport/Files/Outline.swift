/// Where each key of a JSON5 text is.
struct Outline: Sendable, Equatable {
  /// Line by key path: `loads.board` → 14, `coverage[2]` → 9. The first line is 1.
  private(set) var lines: [String: Int] = [:]
  /// The bytes of each member of an object, from its key to the end of its value, and those of its
  /// value, by key path. The whole object, with an empty path, has no key.
  private(set) var extents: [String: Extent] = [:]

  struct Extent: Sendable, Equatable {
    var member: Range<Int>
    var value: Range<Int>
  }

  /// A place where the text is not valid JSON5, or has a duplicate key.
  struct Fault: Error, Equatable {
    var line: Int
    var keyPath = ""
    var message: String
  }

  /// Without lines.
  init() {}

  /// Reads a JSON5 text, an object.
  static func read(_ bytes: [UInt8]) throws(Fault) -> (value: FileValue, outline: Outline) {
    var outline = Outline()
    var scanner = JSON5Scanner(bytes)
    try scanner.skipBlanks()
    guard scanner.next == UInt8(ascii: "{") else {
      throw scanner.fault("expected \"{\", found \(scanner.found); use a JSON5 file")
    }
    let start = scanner.position
    let value = try outline.readValue(&scanner, keyPath: "", depth: 0)
    let whole = start..<scanner.position
    outline.extents[""] = Extent(member: whole, value: whole)
    try scanner.skipBlanks()
    if scanner.next != nil {
      throw scanner.fault("expected the end of the file, found \(scanner.found); remove it")
    }
    return (value, outline)
  }

  private mutating func readValue(
    _ scanner: inout JSON5Scanner, keyPath: String, depth: Int
  ) throws(Fault) -> FileValue {
    // Our files have at most five levels. The bound limits the recursion.
    guard depth < 32 else { throw scanner.fault("is nested too deep; 32 levels are allowed") }
    switch scanner.next {
    case UInt8(ascii: "{"): return try readObject(&scanner, keyPath: keyPath, depth: depth)
    case UInt8(ascii: "["): return try readList(&scanner, keyPath: keyPath, depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard let text = JSON5Escapes.replaced(in: try scanner.readText()) else {
        throw Fault(
          line: lines[keyPath] ?? scanner.line, keyPath: singleLine(keyPath),
          message: "is not a valid JSON5 value; check its digits, quotes and escapes")
      }
      return .text(text)
    case nil: throw scanner.fault("the file ends where a value should be; complete it")
    default: return try scanner.readLiteral()
    }
  }

  private mutating func readObject(
    _ scanner: inout JSON5Scanner, keyPath: String, depth: Int
  ) throws(Fault) -> FileValue {
    let opening = scanner.line
    scanner.advance()
    var seen: [String: Int] = [:]
    var members: [String: FileValue] = [:]
    while true {
      try scanner.skipBlanks()
      if scanner.take("}") { return .object(members) }
      let line = scanner.line
      let start = scanner.position
      let key = try scanner.readKey(openedOn: opening)
      let path = keyPath.isEmpty ? key : "\(keyPath).\(key)"
      if let first = seen.updateValue(line, forKey: key) {
        throw Fault(
          line: line, keyPath: singleLine(path),
          message: "is a duplicate, the first is on line \(first); remove one")
      }
      lines[path] = line
      try scanner.skipBlanks()
      guard scanner.take(":") else {
        throw scanner.fault("expected \":\" after the key \(quoted(key)), found \(scanner.found)")
      }
      try scanner.skipBlanks()
      let valueStart = scanner.position
      members[key] = try readValue(&scanner, keyPath: path, depth: depth + 1)
      let end = scanner.position
      extents[path] = Extent(member: start..<end, value: valueStart..<end)
      try scanner.skipBlanks()
      if !scanner.take(",") && scanner.next != UInt8(ascii: "}") {
        throw scanner.missingSeparator(before: "}", openedOn: opening)
      }
    }
  }

  private mutating func readList(
    _ scanner: inout JSON5Scanner, keyPath: String, depth: Int
  ) throws(Fault) -> FileValue {
    let opening = scanner.line
    scanner.advance()
    var elements: [FileValue] = []
    while true {
      try scanner.skipBlanks()
      if scanner.take("]") { return .list(elements) }
      let path = "\(keyPath)[\(elements.count)]"
      lines[path] = scanner.line
      elements.append(try readValue(&scanner, keyPath: path, depth: depth + 1))
      try scanner.skipBlanks()
      if !scanner.take(",") && scanner.next != UInt8(ascii: "]") {
        throw scanner.missingSeparator(before: "]", openedOn: opening)
      }
    }
  }
}
