/// A value that is one text to a script, and an object to a program of ours.
public protocol ScriptText {
  var scriptText: String { get }
}

/// Encodes values as figures, in the order of their members; what is `nil` is `none`. In place of
/// Foundation's JSON encoder, for the reasons of `JSONDecoder`, which reads what it writes.
public struct FigureEncoder {
  private let isForScripts: Bool

  public init(isForScripts: Bool = false) { self.isForScripts = isForScripts }

  /// - Throws: `EncodingError` if there is a number with a fraction: a figure says how many decimals
  ///   it has.
  public func encode(_ value: some Encodable) throws -> Figure {
    let place = FigurePlace()
    try FigureWriter(place: place, isForScripts: isForScripts).encode(value)
    return place.figure
  }
}

/// Where a figure is to stand. Containers of the same object add to it one after the other.
private final class FigurePlace {
  enum Content {
    case single(Figure)
    case list([FigurePlace])
    case object([(name: String, place: FigurePlace)])
  }

  var content = Content.single(.none)

  var figure: Figure {
    switch content {
    case .single(let figure): figure
    case .list(let places): .list(places.map(\.figure))
    case .object(let members): .object(members.map { Figure.Member($0.name, $0.place.figure) })
    }
  }

  func adding(_ name: String) -> FigurePlace {
    let place = FigurePlace()
    if case .object(let members) = content {
      content = .object(members + [(name, place)])
    } else {
      content = .object([(name, place)])
    }
    return place
  }

  var count: Int {
    if case .list(let places) = content { places.count } else { 0 }
  }

  func addingElement() -> FigurePlace {
    let place = FigurePlace()
    if case .list(let places) = content {
      content = .list(places + [place])
    } else {
      content = .list([place])
    }
    return place
  }
}

/// One value, while it is encoded.
private struct FigureWriter: Encoder, SingleValueEncodingContainer {
  let place: FigurePlace
  let isForScripts: Bool

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    place.content = .object([])
    return KeyedEncodingContainer(FigureMembers(writer: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.content = .list([])
    return FigureElements(writer: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func at(_ place: FigurePlace) -> FigureWriter {
    FigureWriter(place: place, isForScripts: isForScripts)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    if isForScripts, let value = value as? any ScriptText {
      put(.text(value.scriptText))
    } else {
      try value.encode(to: self)
    }
  }

  private func put(_ figure: Figure) { place.content = .single(figure) }

  func encodeNil() { put(.none) }
  func encode(_ value: Bool) { put(.boolean(value)) }
  func encode(_ value: String) { put(.text(value)) }
  func encode(_ value: Double) throws { throw fraction(value) }
  func encode(_ value: Float) throws { throw fraction(value) }
  func encode(_ value: Int) { put(.integer(value)) }
  func encode(_ value: Int8) { put(.integer(value)) }
  func encode(_ value: Int16) { put(.integer(value)) }
  func encode(_ value: Int32) { put(.integer(value)) }
  func encode(_ value: Int64) { put(.integer(value)) }
  func encode(_ value: UInt) { put(.integer(value)) }
  func encode(_ value: UInt8) { put(.integer(value)) }
  func encode(_ value: UInt16) { put(.integer(value)) }
  func encode(_ value: UInt32) { put(.integer(value)) }
  func encode(_ value: UInt64) { put(.integer(value)) }

  private func fraction(_ value: Any) -> EncodingError {
    EncodingError.invalidValue(
      value, EncodingError.Context(codingPath: [], debugDescription: "its decimals are not said"))
  }
}

private struct FigureMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: FigureWriter

  var codingPath: [any CodingKey] { [] }

  private func at(_ key: Key) -> FigureWriter { writer.at(writer.place.adding(key.stringValue)) }

  private func put<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeNil(forKey key: Key) { at(key).encodeNil() }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try at(key).encode(value)
  }

  /// Of optionals a container writes only those that have a value, unless it says otherwise for each
  /// type.
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try put(value, key)
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try put(value, key) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> {
    at(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    at(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { writer.at(writer.place.adding("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { at(key) }
}

private struct FigureElements: UnkeyedEncodingContainer {
  let writer: FigureWriter

  var codingPath: [any CodingKey] { [] }
  var count: Int { writer.place.count }

  private var next: FigureWriter { writer.at(writer.place.addingElement()) }

  func encodeNil() { next.encodeNil() }
  func encode<Value: Encodable>(_ value: Value) throws { try next.encode(value) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type
  ) -> KeyedEncodingContainer<Inner> {
    next.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next.unkeyedContainer() }
  func superEncoder() -> any Encoder { next }
}
