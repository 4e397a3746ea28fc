/// A JSON value as read (RFC 8259).
public indirect enum JSONValue: Sendable, Equatable {
  /// Of equal keys the first counts.
  case object([String: JSONValue])
  case list([JSONValue])
  case text(String)
  /// A number without fraction and exponent.
  case whole(Int64)
  /// Any other number.
  case real(Double)
  case boolean(Bool)
  case null

  /// Reads a whole text in UTF-8, with or without a byte order mark.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes)
    self = try parser.readAll()
  }

  /// A number, finite as all numbers of JSON are; the nearest one, if it is too long for that.
  public var number: Double? {
    switch self {
    case .whole(let number): Double(number)
    case .real(let number): number
    case .object, .list, .text, .boolean, .null: nil
    }
  }

  /// A whole number, however it is written: 1, 1.0 or 1e0.
  public var wholeNumber: Int64? {
    switch self {
    case .whole(let number): number
    case .real(let number): Int64(exactly: number)
    case .object, .list, .text, .boolean, .null: nil
    }
  }
}

/// Why a text is not JSON, or not JSON5.
public struct JSONError: Error, Equatable {
  public enum Cause: Sendable, Equatable {
    /// JSON5 files are objects.
    case noObject
    case noValue
    /// Not a value, up to the next character that could follow one.
    case notAValue(String)
    case notANumber(String)
    /// What is a key here, or the bracket of the object that was opened on that line.
    case noKey(opening: Int)
    /// Keys of our JSON5 files have no escapes.
    case escapedKey(String)
    case noColon(after: String)
    case noSeparator(before: Unicode.Scalar, opening: Int)
    case openText
    case openComment
    /// An unknown or incomplete escape, or no UTF-8.
    case badText
    /// In JSON5 files each key may occur only once.
    case duplicateKey(firstLine: Int)
    case tooDeep
    /// Something follows the value.
    case rest
  }

  public var cause: Cause
  /// How many bytes of the text are right.
  public var offset: Int
  /// Counts from 1.
  public var line: Int
  /// Where in a JSON5 text: `loads.board`, `coverage[2]`; empty where that does not matter.
  public var keyPath = ""
  /// Whether the text ends before its value does.
  public var isEarlyEnd: Bool
}

/// Reads a list's elements one at a time, because the values of a whole list take twenty times as
/// much memory as its text.
public struct JSONListReader {
  private var parser: JSONParser
  private var isFirst = true

  /// - Parameter bytes: a whole text in UTF-8: the list.
  /// - Throws: `JSONError` if it does not begin with a list.
  public init(_ bytes: [UInt8]) throws(JSONError) {
    parser = JSONParser(bytes)
    try parser.beginList()
  }

  /// The next element; `nil` after the last one, which only blanks may follow.
  ///
  /// - Parameter limit: the bytes that it may have at most.
  /// - Throws: `JSONError` if it is not JSON, or longer.
  public mutating func next(atMost limit: Int) throws(JSONError) -> JSONValue? {
    defer { isFirst = false }
    return try parser.readElement(isFirst: isFirst, atMost: limit)
  }
}

extension JSONDecoder {
  /// Decodes a value that has been read.
  public func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
    try Value(from: JSONReader(value: value))
  }
}

/// Where each key of a JSON5 text is.
public struct JSONOutline: Sendable, Equatable {
  /// Line by key path: `loads.board` → 14, `coverage[2]` → 9. The first line is 1.
  public private(set) var lines: [String: Int] = [:]
  /// The bytes of each member of an object, from its key to the end of its value, and those of its
  /// value, by key path. The whole object, with an empty path, has no key.
  public private(set) var extents: [String: Extent] = [:]

  public struct Extent: Sendable, Equatable {
    public var member: Range<Int>
    public var value: Range<Int>
  }

  /// Without lines.
  public init() {}

  /// Reads a JSON5 text, an object, in UTF-8.
  public static func read(
    _ bytes: [UInt8]
  ) throws(JSONError) -> (value: JSONValue, outline: JSONOutline) {
    var parser = JSONParser(json5: bytes)
    let value = try parser.readAll()
    return (value, parser.outline ?? JSONOutline())
  }

  /// Where the blanks and comments end that begin in the middle of a text.
  public static func afterBlanks(
    in bytes: [UInt8], from position: Int
  ) throws(JSONError) -> Int {
    try JSONParser.afterBlanks(in: bytes, from: position)
  }

  /// Whether a word or a number ends before it.
  public static func isDelimiter(_ byte: UInt8) -> Bool {
    byte == 0x20 || (9...13).contains(byte) || ",:{}[]\"'/".utf8.contains(byte)
  }

  mutating func add(line: Int, at path: String) { lines[path] = line }

  mutating func add(member: Range<Int>, value: Range<Int>, at path: String) {
    extents[path] = Extent(member: member, value: value)
  }

  mutating func setWhole(_ whole: Range<Int>) {
    extents[""] = Extent(member: whole, value: whole)
  }
}

extension [UInt8] {
  /// Appends a text as JSON, with its quotes (RFC 8259 §7).
  ///
  /// Escapes quotes, backslashes and what could end a line or act on a terminal: the control
  /// characters, C1 among them, and the line separators of JavaScript.
  public mutating func appendJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    // Nearly all texts have nothing to escape.
    var text = text
    let isPlain = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) else {
        return false
      }
      append(contentsOf: bytes)
      return true
    }
    if !isPlain { for scalar in text.unicodeScalars { append(escaping: scalar) } }
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
