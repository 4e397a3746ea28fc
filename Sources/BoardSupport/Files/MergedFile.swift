import JSONReading
import Wording

/// A settings file put together from parts of others. Errors about it name the file and line that
/// the place came from.
struct MergedFile {
  private var members: [String: JSONValue] = [:]
  private var origins: [String: FileNode.Origin] = [:]

  /// Puts a place of a file, with everything in it, at a key of the root or of a section.
  ///
  /// What is there already stays: of an object, the members that are missing are added.
  ///
  /// - Parameter value: instead of the place's own value.
  mutating func put(
    _ node: FileNode, at key: String, in section: String? = nil, as value: JSONValue? = nil
  ) {
    let place = section.map { "\($0).\(key)" } ?? key
    if let section {
      var inner: [String: JSONValue] = [:]
      if case .object(let old) = members[section] { inner = old }
      inner[key] = value ?? node.value
      members[section] = .object(inner)
      if origins[section] == nil {
        let parent = node.place.split(separator: ".").dropLast().joined(separator: ".")
        let line = node.file.outline.lines[parent]
        origins[section] = FileNode.Origin(path: node.file.path, line: line)
      }
    } else if members[key] != nil {
      for (inner, child) in node.children where !has(inner, in: key) {
        put(child, at: inner, in: key)
      }
      return
    } else {
      members[key] = value ?? node.value
    }
    origins[place] = node.origin
    for (old, line) in node.file.outline.lines where old.hasPrefix(node.place) {
      let rest = old.dropFirst(node.place.count)
      guard rest.first == "." || rest.first == "[" else { continue }
      origins[place + rest] = FileNode.Origin(path: node.file.path, line: line)
    }
  }

  private func has(_ key: String, in section: String) -> Bool {
    guard case .object(let inner) = members[section] else { return false }
    return inner[key] != nil
  }

  /// - Parameter path: for errors about the file as a whole.
  func root(path: String) -> FileNode {
    FileNode(
      file: FileNode.File(path: path, outline: JSONOutline(), origins: origins), place: "",
      keyPath: "", value: .object(members))
  }
}

extension FileNode {
  /// The members of an object in the order of the file.
  var children: [(key: String, node: FileNode)] {
    guard case .object(let members) = value else { return [] }
    let pairs = members.map { (key: $0.key, node: child($0.key, $0.value)) }
    return pairs.sorted { a, b in (a.node.line ?? 0, a.key) < (b.node.line ?? 0, b.key) }
  }
}

/// A JSON5 text whose members can be changed; comments, order and everything else stay as they are.
public struct JSON5Text: Sendable, Equatable {
  public private(set) var bytes: [UInt8]
  /// For errors.
  private let path: String

  /// - Throws: if it is not valid JSON5.
  public init(_ bytes: [UInt8], path: String) throws(FileError) {
    _ = try FileNode.parse(bytes, path: path)
    self.bytes = bytes
    self.path = path
  }

  public func root() throws(FileError) -> FileNode { try FileNode.parse(bytes, path: path) }

  /// Gives a member a value, which may be its first one.
  ///
  /// - Parameters:
  ///   - key: `team`, or with its section `server.user`; a section that is missing is added.
  ///   - text: the value; it is written as a text in quotes.
  public mutating func set(_ key: String, to text: String) throws(FileError) {
    try put(key, text.quotedJSON)
  }

  /// Removes a member, with its line if nothing else is on it.
  public mutating func remove(_ key: String) throws(FileError) {
    guard let place = try outline().extents[key] else { return }
    let comma = try blanksEnd(place.member.upperBound)
    let hasComma = bytes[comma] == UInt8(ascii: ",")
    var end = hasComma ? comma + 1 : place.member.upperBound
    var start = place.member.lowerBound
    while start > 0, isSpace(bytes[start - 1]) { start -= 1 }
    var after = end
    while after < bytes.count, isSpace(bytes[after]) { after += 1 }
    let beginsLine = start == 0 || isLineEnd(bytes[start - 1])
    if beginsLine, after < bytes.count, isLineEnd(bytes[after]) {
      end = after + 1
      if bytes[after] == UInt8(ascii: "\r"), end < bytes.count, bytes[end] == UInt8(ascii: "\n") {
        end += 1
      }
    } else if beginsLine {
      // What else is on the line, such as a comment, begins where the member began.
      start = place.member.lowerBound
      end = after
    }
    bytes.removeSubrange(start..<end)
  }

  private mutating func put(_ key: String, _ literal: String) throws(FileError) {
    let outline = try outline()
    if let place = outline.extents[key] {
      bytes.replaceSubrange(place.value, with: Array(literal.utf8))
      return
    }
    let parts = key.split(separator: ".").map(String.init)
    guard parts.count == 2 else { return try insert("\(key): \(literal)", in: "", outline) }
    guard let section = outline.extents[parts[0]] else {
      return try insert("\(parts[0]): { \(parts[1]): \(literal) }", in: "", outline)
    }
    guard bytes[section.value.lowerBound] == UInt8(ascii: "{") else {
      throw FileError(
        path: path, line: outline.lines[parts[0]], keyPath: parts[0],
        message: "is not an object; write { … }")
    }
    try insert("\(parts[1]): \(literal)", in: parts[0], outline)
  }

  /// Adds a member at the end of an object.
  private mutating func insert(
    _ member: String, in section: String, _ outline: JSONOutline
  ) throws(FileError) {
    guard let object = outline.extents[section]?.value else { return }
    var brace = object.upperBound - 1
    let members = outline.extents.filter { key, _ in
      section.isEmpty
        ? !key.isEmpty : key.hasPrefix(section + ".")
    }
    if let end = members.values.map(\.member.upperBound).max() {
      if bytes[try blanksEnd(end)] != UInt8(ascii: ",") {
        bytes.insert(UInt8(ascii: ","), at: end)
        brace += 1
      }
    }
    var start = brace
    while start > 0, isSpace(bytes[start - 1]) { start -= 1 }
    let indent = String(repeating: " ", count: section.isEmpty ? 2 : 4)
    if start > object.lowerBound, isLineEnd(bytes[start - 1]) {
      let isWindows = start > 1 && bytes[start - 2] == UInt8(ascii: "\r")
      bytes.insert(
        contentsOf: "\(indent)\(member),\(isWindows ? "\r\n" : "\n")".utf8, at: start)
    } else {
      bytes.replaceSubrange(start..<brace, with: " \(member) ".utf8)
    }
  }

  private func outline() throws(FileError) -> JSONOutline {
    do { return try JSONOutline.read(bytes).outline } catch {
      throw FileError(error, in: bytes, path: path)
    }
  }

  /// A member is inside an object: something follows.
  private func blanksEnd(_ position: Int) throws(FileError) -> Int {
    do { return try JSONOutline.afterBlanks(in: bytes, from: position) } catch {
      throw FileError(error, in: bytes, path: path)
    }
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

// What is wrong with a settings file, in words.

extension JSONValue {
  /// For error messages in English: `the text "75 mA"`, `an object { … }`.
  var summary: String { summaryTexts.english }

  var summaryTexts: Texts {
    switch self {
    case .object: FilePhrase.object.texts
    case .list: FilePhrase.list.texts
    case .text(let text): FilePhrase.text.texts(quoted(text))
    case .whole(let number): FilePhrase.number.texts("\(number)")
    case .real(let number):
      FilePhrase.number.texts(wholeNumber.map { "\($0)" } ?? "\(number)")
    case .boolean(let boolean): "\(boolean)".texts
    case .null: "null".texts
    }
  }
}

extension FileError {
  /// A text that is no JSON5.
  init(_ problem: JSONError, in bytes: [UInt8], path: String) {
    self.init(
      path: path, line: problem.line, keyPath: singleLine(problem.keyPath),
      message: Self.message(problem, in: bytes))
  }

  private static func message(_ problem: JSONError, in bytes: [UInt8]) -> String {
    let found = found(at: problem.offset, in: bytes)
    let isAtEnd = problem.offset >= bytes.count
    switch problem.cause {
    case .noObject: return "expected \"{\", found \(found); use a JSON5 file"
    case .noValue where isAtEnd: return "the file ends where a value should be; complete it"
    case .noValue: return "expected a value, found \(found)"
    case .notAValue(let word): return "\(quoted(word)) is not a value; put text in quotes"
    case .notANumber(let word):
      return "\(quoted(word)) is not a number; correct it, or put it in quotes"
    case .noKey(let opening) where isAtEnd: return early("}", opening)
    case .noKey: return "expected a key, found \(found); keys are plain letters"
    case .escapedKey(let key):
      return "the key \(quoted(key)) has an escape; write it in plain letters"
    case .noColon(let key): return "expected \":\" after the key \(quoted(key)), found \(found)"
    case .noSeparator(let bracket, let opening) where isAtEnd: return early(bracket, opening)
    case .noSeparator(let bracket, _):
      return "expected \",\" or \"\(bracket)\", found \(found); add it (and quotes around any text)"
    case .openText: return "the text is not closed; add the quote"
    case .openComment: return "the comment has no end; add \"*/\""
    case .badText: return "is not a valid JSON5 value; check its digits, quotes and escapes"
    case .duplicateKey(let first):
      return "is a duplicate, the first is on line \(first); remove one"
    case .tooDeep: return "is nested too deep; 32 levels are allowed"
    case .rest: return "expected the end of the file, found \(found); remove it"
    }
  }

  private static func early(_ bracket: Unicode.Scalar, _ opening: Int) -> String {
    "the file ends before the \"\(bracket)\" for line \(opening); complete it"
  }

  /// What comes next.
  private static func found(at offset: Int, in bytes: [UInt8]) -> String {
    guard offset < bytes.count else { return "the end of the file" }
    let word = bytes[offset...].prefix(12).prefix { !JSONOutline.isDelimiter($0) }
    let shown = word.isEmpty ? bytes[offset...offset] : word
    return quoted(String(decoding: shown, as: UTF8.self))
  }
}
