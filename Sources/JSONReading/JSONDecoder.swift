/// Decodes values from JSON. In place of Foundation's decoder of the same name, which adds five
/// megabytes to a program and four to its memory.
public struct JSONDecoder: Sendable {
  public init() {}

  /// - Throws: `JSONError` if it is not JSON, `DecodingError` if it is other JSON.
  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try Value(from: JSONReader(value: try JSONValue(parsing: bytes)))
  }
}

/// The way to a value from the top.
indirect enum JSONPath {
  case top
  case step(any CodingKey, from: JSONPath)

  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = self
    while case .step(let key, let from) = path {
      keys.append(key)
      path = from
    }
    return keys.reversed()
  }
}

struct JSONIndex: CodingKey {
  var index: Int
  var intValue: Int? { index }
  var stringValue: String { "\(index)" }

  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { nil }
}

/// One value, while it is decoded.
struct JSONReader: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  var path = JSONPath.top

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(JSONMembers(members: members, path: path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let elements) = value else { throw mismatch([JSONValue].self) }
    return JSONElements(elements: elements, path: path)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_: Value.Type) throws -> Value { try Value(from: self) }

  func mismatch(_ type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "of another type")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  // MARK: Simple values

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .boolean(let boolean) = value else { throw mismatch(type) }
    return boolean
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .text(let text) = value else { throw mismatch(type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .whole(let number): return Double(number)
    case .real(let number): return number
    default: throw mismatch(type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

  /// A number such as 1.0 or 1e3 is whole too.
  private func whole<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    switch value {
    case .whole(let number):
      if let number = Number(exactly: number) { return number }
    // Not all that fit into an unsigned number fit into a signed one.
    case .real(let number):
      if let number = Number(exactly: number) { return number }
    case .object, .list, .text, .boolean, .null: break
    }
    throw mismatch(type)
  }

  func decode(_ type: Int.Type) throws -> Int { try whole(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }
}

/// The members of an object, while they are decoded.
struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]
  let path: JSONPath

  var codingPath: [any CodingKey] { path.keys }
  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try reader(key).decodeNil() }

  func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: reader(key))
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try reader(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try reader(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { JSONReader(value: .object(members), path: path) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }

  private func reader(_ key: Key) throws -> JSONReader {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: "is missing"))
    }
    return JSONReader(value: value, path: .step(key, from: path))
  }
}

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

  /// An element that cannot be decoded stays the current one.
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
