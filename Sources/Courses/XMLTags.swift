/// Walks through the tags of an XML file, as far as GPX needs it: elements with their local names,
/// attributes and texts. Comments, instructions and declarations are skipped; an entity that only a
/// DTD defines stays as it is.
struct XMLTags {
  struct Tag {
    /// Without a namespace's prefix.
    var name: String
    var isOpening: Bool
    /// `<a/>`: no closing tag follows.
    var isWhole: Bool
    var attributes: [(name: String, value: String)] = []
    /// Where it begins.
    var place: Int
  }

  private let bytes: [UInt8]
  private var at = 0
  /// The text since the last tag, as in the file.
  private var text: [UInt8] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The text since the last tag that `next` returned, without white space around it.
  var content: String {
    var text = Self.decoded(text)[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The line of a place, from 1 on.
  func line(of place: Int) -> Int { 1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") } }

  /// The next tag; `nil` at the end, and where the file is cut off inside one.
  mutating func next() -> Tag? {
    text = []
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "<") else {
        text.append(bytes[at])
        at += 1
        continue
      }
      if skip("<!--", to: "-->") || skip("<?", to: "?>") { continue }
      if has("<![CDATA[") {
        let start = at + 9
        guard skip("<![CDATA[", to: "]]>") else { return nil }
        // What it holds is no mark-up, not even an ampersand.
        for byte in bytes[start..<max(start, at - 3)] {
          if byte == UInt8(ascii: "&") { text += Array("&amp;".utf8) } else { text.append(byte) }
        }
        continue
      }
      if has("<!") {
        skipDeclaration()
        continue
      }
      return tag()
    }
    return nil
  }

  private func has(_ mark: StaticString) -> Bool {
    at + mark.utf8CodeUnitCount <= bytes.count
      && (0..<mark.utf8CodeUnitCount).allSatisfy { bytes[at + $0] == mark.utf8Start[$0] }
  }

  /// Skips from one mark to the other; an open end is the end of the file.
  private mutating func skip(_ mark: StaticString, to end: StaticString) -> Bool {
    guard has(mark) else { return false }
    at += mark.utf8CodeUnitCount
    while at < bytes.count, !has(end) { at += 1 }
    at = min(bytes.count, at + end.utf8CodeUnitCount)
    return true
  }

  private mutating func skipDeclaration() {
    var depth = 0
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if byte == UInt8(ascii: ">"), depth <= 0 { return }
    }
  }

  private mutating func tag() -> Tag? {
    let place = at
    at += 1
    let isClosing = at < bytes.count && bytes[at] == UInt8(ascii: "/")
    if isClosing { at += 1 }
    var tag = Tag(name: word(), isOpening: !isClosing, isWhole: false, place: place)
    while true {
      skipSpace()
      guard at < bytes.count else { return nil }
      if bytes[at] == UInt8(ascii: ">") {
        at += 1
        return tag
      }
      if bytes[at] == UInt8(ascii: "/") {
        tag.isWhole = true
        at += 1
        continue
      }
      let name = word()
      // Whatever it is, it must not stop the walk.
      if name.isEmpty {
        at += 1
        continue
      }
      skipSpace()
      guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { continue }
      at += 1
      skipSpace()
      guard at < bytes.count else { return nil }
      let quote = bytes[at]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
      at += 1
      let start = at
      while at < bytes.count, bytes[at] != quote { at += 1 }
      tag.attributes.append((name, Self.decoded(Array(bytes[start..<at]))))
      at += 1
    }
  }

  private mutating func skipSpace() {
    while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
  }

  /// A name without its prefix.
  private mutating func word() -> String {
    var start = at
    while at < bytes.count, bytes[at] > 0x20, !"/>=<\"'".utf8.contains(bytes[at]) {
      at += 1
      if bytes[at - 1] == UInt8(ascii: ":") { start = at }
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// Text with its entities resolved.
  private static func decoded(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      guard let end = rest.prefix(12).firstIndex(of: ";"),
        let character = character(rest[rest.index(after: start)..<end])
      else {
        result += "&"
        rest = rest.dropFirst()
        continue
      }
      result.unicodeScalars.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(_ entity: Substring) -> Unicode.Scalar? {
    switch entity {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard entity.first == "#" else { return nil }
      let digits = entity.dropFirst()
      let number =
        digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
      return number.flatMap { Unicode.Scalar($0) }
    }
  }
}
