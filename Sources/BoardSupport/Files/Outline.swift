/// The line of each key of a JSON5 text.
///
/// JSONDecoder does not report lines, and silently takes the last of two equal keys. This parses
/// only the structure of the same text, and leaves texts and numbers to JSONDecoder.
struct Outline: Sendable, Equatable {
  /// Line by key path: `loads.board` → 14, `coverage[2]` → 9. The first line is 1.
  private(set) var lines: [String: Int] = [:]

  /// A place where the text is not valid JSON5, or has a duplicate key.
  struct Fault: Error, Equatable {
    var line: Int
    var keyPath = ""
    var message: String
  }

  /// Without lines.
  init() {}

  init(of bytes: [UInt8]) throws(Fault) {
    var scanner = JSON5Scanner(bytes)
    try scanner.skipBlanks()
    guard scanner.next == UInt8(ascii: "{") else {
      throw scanner.fault("expected \"{\", found \(scanner.found); use a JSON5 file")
    }
    try readValue(&scanner, keyPath: "", depth: 0)
    try scanner.skipBlanks()
    if scanner.next != nil {
      throw scanner.fault("expected the end of the file, found \(scanner.found); remove it")
    }
  }

  private mutating func readValue(
    _ scanner: inout JSON5Scanner, keyPath: String, depth: Int
  ) throws(Fault) {
    // Our files have at most five levels. The bound limits the recursion here and in JSONDecoder.
    guard depth < 32 else { throw scanner.fault("is nested too deep; 32 levels are allowed") }
    switch scanner.next {
    case UInt8(ascii: "{"): try readObject(&scanner, keyPath: keyPath, depth: depth)
    case UInt8(ascii: "["): try readList(&scanner, keyPath: keyPath, depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try scanner.readText()
    case nil: throw scanner.fault("the file ends where a value should be; complete it")
    default: try scanner.readLiteral()
    }
  }

  private mutating func readObject(
    _ scanner: inout JSON5Scanner, keyPath: String, depth: Int
  ) throws(Fault) {
    let opening = scanner.line
    scanner.advance()
    var seen: [String: Int] = [:]
    while true {
      try scanner.skipBlanks()
      if scanner.take("}") { return }
      let line = scanner.line
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
      try readValue(&scanner, keyPath: path, depth: depth + 1)
      try scanner.skipBlanks()
      if !scanner.take(",") && scanner.next != UInt8(ascii: "}") {
        throw scanner.missingSeparator(before: "}", openedOn: opening)
      }
    }
  }

  private mutating func readList(
    _ scanner: inout JSON5Scanner, keyPath: String, depth: Int
  ) throws(Fault) {
    let opening = scanner.line
    scanner.advance()
    var index = 0
    while true {
      try scanner.skipBlanks()
      if scanner.take("]") { return }
      let path = "\(keyPath)[\(index)]"
      lines[path] = scanner.line
      try readValue(&scanner, keyPath: path, depth: depth + 1)
      try scanner.skipBlanks()
      if !scanner.take(",") && scanner.next != UInt8(ascii: "]") {
        throw scanner.missingSeparator(before: "]", openedOn: opening)
      }
      index += 1
    }
  }
}
