import JSONReading

/// A tree of named figures: the content of a report, in its order.
public indirect enum Figure: Sendable, Equatable {
  case text(String)
  case whole(Int64)
  case boolean(Bool)
  /// Printed with a fixed number of decimals.
  case real(Double, decimals: Int)
  /// No value: there was nothing to measure.
  case none
  case list([Figure])
  case object([Member])

  public struct Member: Sendable, Equatable {
    public var name: String
    public var figure: Figure
    public init(_ name: String, _ figure: Figure) {
      self.name = name
      self.figure = figure
    }
  }

  public static func integer(_ value: some BinaryInteger) -> Figure {
    .whole(Int64(clamping: value))
  }

  /// The figure at a dotted path, `delivery.latency_s.p95`.
  public subscript(path path: String) -> Figure? {
    var current = self
    for name in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard case .object(let members) = current,
        let member = members.first(where: { $0.name == name })
      else { return nil }
      current = member.figure
    }
    return current
  }

  /// The object with another member at its end.
  public func adding(_ name: String, _ figure: Figure) -> Figure {
    guard case .object(let members) = self else { return self }
    return .object(members + [Member(name, figure)])
  }

  /// Every path that leads to a single value, not to an object or a list.
  public var paths: [String] {
    switch self {
    case .object(let members):
      members.flatMap { member in
        member.figure.paths.map { $0.isEmpty ? member.name : "\(member.name).\($0)" }
      }
    case .list: []
    case .text, .whole, .boolean, .real, .none: [""]
    }
  }
}

// MARK: - JSON

extension Figure {
  /// JSON (RFC 8259), indented by two spaces, with one line for each entry of a list.
  public var json: String {
    var text = ""
    write(into: &text, indentation: 0)
    return text + "\n"
  }

  /// The same on one line, without its end.
  public var line: String {
    var text = ""
    write(into: &text, indentation: -1)
    return text
  }

  private func write(into text: inout String, indentation: Int) {
    switch self {
    case .text(let value): text += value.quotedJSON
    case .whole(let value): text += String(value)
    case .boolean(let value): text += String(value)
    case .real(let value, let decimals): text += Self.fixed(value, decimals)
    case .none: text += "null"
    case .object(let members):
      writeAll(
        members.map { ($0.name.quotedJSON + ": ", $0.figure) }, "{", "}", &text, indentation)
    case .list(let figures):
      writeAll(figures.map { ("", $0) }, "[", "]", &text, indentation, inner: true)
    }
  }

  private func writeAll(
    _ entries: [(String, Figure)], _ open: String, _ close: String, _ text: inout String,
    _ indentation: Int, inner: Bool = false
  ) {
    guard !entries.isEmpty else {
      text += open + close
      return
    }
    let isFlat = indentation < 0
    let step = isFlat ? " " : "\n" + String(repeating: " ", count: indentation + 2)
    text += open
    for (index, entry) in entries.enumerated() {
      if index > 0 { text += "," }
      if !(isFlat && index == 0) { text += step }
      text += entry.0
      entry.1.write(into: &text, indentation: inner || isFlat ? -1 : indentation + 2)
    }
    if !isFlat { text += "\n" + String(repeating: " ", count: indentation) }
    text += close
  }

  /// A decimal number without an exponent, rounded half away from zero; `null` if not finite,
  /// or beyond what `Int64` can count at these decimals.
  public static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled.isFinite, abs(scaled) < 9e18 else { return "null" }
    let digits = String(Int64(abs(scaled)))
    let sign = scaled < 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}

/// A value that scripts read as one text, and our own programs as an object.
public protocol ScriptText {
  var scriptText: String { get }
}

/// Encodes values as figures, with their members in order; `nil` becomes `none`. `JSONDecoder`
/// reads the resulting JSON. In place of Foundation's encoder, which would add megabytes to a
/// program.
public struct FigureEncoder {
  private let isForScripts: Bool

  public init(isForScripts: Bool = false) { self.isForScripts = isForScripts }

  /// - Throws: `EncodingError` for a floating-point number, whose decimals a figure would have to
  ///   know.
  public func encode(_ value: some Encodable) throws -> Figure {
    let place = FigurePlace()
    try FigureWriter(place: place, codingPath: [], isForScripts: isForScripts).encode(value)
    return place.figure
  }
}

/// The place of one figure in the tree.
///
/// A value may ask for its container more than once, as a class and its superclass do: it goes on
/// with what it has. A container of another kind replaces it.
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

  private var members: [(name: String, place: FigurePlace)] {
    if case .object(let members) = content { members } else { [] }
  }

  private var elements: [FigurePlace] {
    if case .list(let places) = content { places } else { [] }
  }

  var count: Int { elements.count }

  func becomeObject() { content = .object(members) }
  func becomeList() { content = .list(elements) }

  /// The place of a member. One that is encoded a second time replaces the first.
  ///
  /// - Parameter isContainer: whether to go on with what there is.
  func member(_ name: String, isContainer: Bool) -> FigurePlace {
    var members = members
    let index = members.firstIndex { $0.name == name }
    if let index, isContainer { return members[index].place }
    let place = FigurePlace()
    if let index { members[index].place = place } else { members.append((name, place)) }
    content = .object(members)
    return place
  }

  func addingElement() -> FigurePlace {
    let place = FigurePlace()
    content = .list(elements + [place])
    return place
  }
}

/// The key of an element, or of a superclass.
private struct FigureKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

/// One value, while it is encoded.
private struct FigureWriter: Encoder, SingleValueEncodingContainer {
  let place: FigurePlace
  let codingPath: [any CodingKey]
  let isForScripts: Bool

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    place.becomeObject()
    return KeyedEncodingContainer(FigureMembers(writer: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.becomeList()
    return FigureElements(writer: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func at(_ place: FigurePlace, _ key: any CodingKey) -> FigureWriter {
    FigureWriter(place: place, codingPath: codingPath + [key], isForScripts: isForScripts)
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
      value,
      EncodingError.Context(
        codingPath: codingPath, debugDescription: "a figure needs its number of decimals"))
  }
}

private struct FigureMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: FigureWriter

  var codingPath: [any CodingKey] { writer.codingPath }

  private func at(_ key: any CodingKey, isContainer: Bool = false) -> FigureWriter {
    writer.at(writer.place.member(key.stringValue, isContainer: isContainer), key)
  }

  private func put<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeNil(forKey key: Key) { at(key).encodeNil() }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try at(key).encode(value)
  }

  /// By default a container omits optionals without a value; to write them, each type needs its own
  /// method.
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
    at(key, isContainer: true).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    at(key, isContainer: true).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { at(FigureKey(stringValue: "super"), isContainer: true) }
  func superEncoder(forKey key: Key) -> any Encoder { at(key, isContainer: true) }
}

private struct FigureElements: UnkeyedEncodingContainer {
  let writer: FigureWriter

  var codingPath: [any CodingKey] { writer.codingPath }
  var count: Int { writer.place.count }

  private var next: FigureWriter {
    let key = FigureKey(intValue: count)
    return writer.at(writer.place.addingElement(), key)
  }

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
