/// The elements of a list, while they are decoded.
struct JSONElements: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let path: JSONPath
  private(set) var currentIndex = 0

  init(elements: [JSONValue], path: JSONPath) {
    self.elements = elements
    self.path = path
  }

  var codingPath: [any CodingKey] { path.keys }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = try reader(Never.self).decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try Value(from: $0) }
  }

  mutating func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type
  ) throws -> KeyedDecodingContainer<Inner> {
    try next(type) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([JSONValue].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next(JSONReader.self) { $0 } }

  /// An element that cannot be decoded remains the current one.
  private mutating func next<Value>(
    _ type: any Any.Type, _ decode: (JSONReader) throws -> Value
  ) throws -> Value {
    let value = try decode(reader(type))
    currentIndex += 1
    return value
  }

  private func reader(_ type: any Any.Type) throws -> JSONReader {
    let path = JSONPath.step(JSONIndex(currentIndex), from: path)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, DecodingError.Context(codingPath: path.keys, debugDescription: "the list has ended"))
    }
    return JSONReader(value: elements[currentIndex], path: path)
  }
}
