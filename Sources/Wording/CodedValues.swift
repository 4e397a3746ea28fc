public import TrackerCore

// How the core's times, exact numbers and sets are encoded.

extension Milliseconds: Codable {
  public init(from decoder: any Decoder) throws { self.init(try Int64(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try count.encode(to: encoder) }
}

/// In milliseconds since 1970.
extension UTC: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try Int64(from: decoder))
  }
  public func encode(to encoder: any Encoder) throws { try milliseconds.encode(to: encoder) }
}

/// In milliseconds since the start.
extension Instant: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try Int64(from: decoder))
  }
  public func encode(to encoder: any Encoder) throws { try milliseconds.encode(to: encoder) }
}

/// A floating-point number that is encoded as a text and decoded to the same bits, which a figure,
/// with its fixed number of decimals, is not.
@propertyWrapper
public struct ExactNumber: Sendable, Equatable, Codable {
  public var wrappedValue: Double

  public init(wrappedValue: Double) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let value = Double(text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no number"))
    }
    wrappedValue = value
  }

  public func encode(to encoder: any Encoder) throws {
    try wrappedValue.description.encode(to: encoder)
  }
}

/// A set that is encoded in the order of its type: the order of a set differs between processes.
@propertyWrapper
public struct InOrder<Word: CaseIterable & Hashable & Codable & Sendable>: Sendable, Equatable,
  Codable
{
  public var wrappedValue: Set<Word>

  public init(wrappedValue: Set<Word>) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws { wrappedValue = Set(try [Word](from: decoder)) }

  public func encode(to encoder: any Encoder) throws {
    try Word.allCases.filter(wrappedValue.contains).encode(to: encoder)
  }
}
