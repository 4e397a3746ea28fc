/// Reads a list's elements one at a time, because the values of a whole list take twenty times as
/// much memory as its text.
public struct JSONListReader {
  private var parser: JSONParser
  private var isFirst = true

  /// - Parameter bytes: a whole text in UTF-8: the list.
  /// - Throws: `JSONProblem` if it does not begin with a list.
  public init(_ bytes: [UInt8]) throws(JSONProblem) {
    parser = JSONParser(bytes)
    try parser.beginList()
  }

  /// The next element; `nil` after the last one, which also nothing but blanks may follow.
  ///
  /// - Parameter limit: the bytes that it may have at most.
  /// - Throws: `JSONProblem` if it is not JSON, or longer.
  public mutating func next(atMost limit: Int) throws(JSONProblem) -> JSONValue? {
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
