/// Where each key of a JSON5 text is.
public struct JSONOutline: Sendable, Equatable {
  /// The brackets that a value may have around it: settings files have five.
  static let levels = 31

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
  ) throws(JSONProblem) -> (value: JSONValue, outline: JSONOutline) {
    var parser = JSONParser(json5: bytes)
    let value = try parser.readAll()
    return (value, parser.outline ?? JSONOutline())
  }

  /// Where the blanks and comments end that begin in the middle of a text.
  public static func afterBlanks(
    in bytes: [UInt8], from position: Int
  ) throws(JSONProblem) -> Int {
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
