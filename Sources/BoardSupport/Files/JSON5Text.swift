import JSONReading

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
