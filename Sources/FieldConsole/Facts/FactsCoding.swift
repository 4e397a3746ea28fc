import JSONReading
public import TrackerCore
public import Wording

// `TrackerFacts` on their way from one program to another, as JSON; and for scripts.

extension TrackerFacts {
  /// Incremented when a program that does not know the change would misread the facts. Members that
  /// are added or removed are no such change.
  public static let format = 2

  /// The message, on one line.
  public var message: String {
    FigureEncoder().figure(FactsMessage(format: Self.format, facts: self)).line
  }

  /// Reads a message. A missing fact has its value in `TrackerFacts()`, and unknown members are
  /// skipped. Control characters become spaces, and a number near the ends of `Int64` counts as
  /// missing.
  public init(message: String) throws(FactsError) {
    guard let value = try? JSONValue(parsing: Array(message.utf8)) else { throw .notFacts }
    let known = try? JSONDecoder().decode(FactsFormat.self, from: value)
    guard let known else { throw .notFacts }
    guard known.format == Self.format else { throw .otherFormat(known.format) }
    let complete = value.tamed.completed(by: Self.unknown)
    guard let message = try? JSONDecoder().decode(FactsMessage.self, from: complete) else {
      throw .notFacts
    }
    self = message.facts
  }

  /// A message in which nothing is known.
  private static let unknown: JSONValue = {
    do { return try JSONValue(parsing: Array(TrackerFacts().message.utf8)) } catch {
      preconditionFailure("facts are not encoded as JSON: \(error)")
    }
  }()

  /// For scripts: what people read is in English, and a fact of several parts is one text.
  var figures: [Figure.Member] {
    FigureEncoder(isForScripts: true).figure(self).members.flatMap(\.figure.members)
  }
}

extension FigureEncoder {
  /// Facts have no floating-point number, the one thing that cannot be encoded: a test encodes all.
  fileprivate func figure(_ facts: some Encodable) -> Figure {
    do { return try encode(facts) } catch { preconditionFailure("not encodable: \(error)") }
  }
}

extension Figure {
  /// Of what is encoded as an object, like facts and each of their groups.
  fileprivate var members: [Member] {
    guard case .object(let members) = self else { preconditionFailure("facts without names") }
    return members
  }
}

/// Why a message cannot be read as facts.
public enum FactsError: Error, Equatable {
  case notFacts
  /// From a program of another version, with another format.
  case otherFormat(Int)
}

private struct FactsFormat: Decodable {
  var format: Int
}

private struct FactsMessage: Codable {
  var format: Int
  var facts: TrackerFacts
}

extension JSONValue {
  /// The value with control characters as spaces, and without numbers so near the ends of `Int64`
  /// that a sum of a few would overflow.
  fileprivate var tamed: JSONValue {
    switch self {
    case .object(let members): .object(members.mapValues(\.tamed))
    case .list(let elements): .list(elements.map(\.tamed))
    case .text(let text): .text(text.plain)
    case .whole(let number): number.magnitude < 1 << 56 ? self : .null
    case .real, .boolean, .null: self
    }
  }

  /// The object with members of another one where it has none, or only `null`.
  fileprivate func completed(by other: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let others) = other else {
      return self == .null ? other : self
    }
    return .object(own.merging(others) { $0.completed(by: $1) })
  }
}

// MARK: Values of other modules

/// By its name, `backingOff 503`.
extension Reason: Codable {
  public init(from decoder: any Decoder) throws {
    self = try decoder.word { Reason(name: $0) }
  }
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

/// By its code, `ca`.
extension Language: Codable {
  public init(from decoder: any Decoder) throws {
    self = try decoder.word { Language(code: $0) }
  }
  public func encode(to encoder: any Encoder) throws { try code.encode(to: encoder) }
}

extension Decoder {
  /// The value that a word stands for.
  fileprivate func word<Value>(_ value: (String) -> Value?) throws -> Value {
    let word = try String(from: self)
    if let value = value(word) { return value }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: codingPath, debugDescription: "\(word) is not known"))
  }
}

/// An optional word that JSON has as an empty text if it is `nil`.
@propertyWrapper
public struct EmptyIfNone<Word: RawRepresentable<String> & Codable & Sendable & Equatable>:
  Sendable, Equatable, Codable
{
  public var wrappedValue: Word?

  public init(wrappedValue: Word?) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws {
    wrappedValue = try String(from: decoder).isEmpty ? nil : Word(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try (wrappedValue?.rawValue ?? "").encode(to: encoder)
  }
}

/// A value that copies of its owner share until one of them changes it.
///
/// The compiler copies a struct part by part wherever it is stored or passed on: without this, the
/// copies of `TrackerFacts` alone were 600 KB of trackerctl.
@propertyWrapper
public struct Shared<Value: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  public var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }

  public static func == (one: Shared, other: Shared) -> Bool {
    one.box === other.box || one.box.value == other.box.value
  }

  public init(from decoder: any Decoder) throws { box = Box(try Value(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try box.value.encode(to: encoder) }
}
