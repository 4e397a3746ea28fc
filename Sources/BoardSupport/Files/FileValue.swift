import FoundationEssentials
import Wording

/// A value in a JSON5 file, not interpreted yet.
public indirect enum FileValue: Sendable, Equatable {
  case object([String: FileValue])
  case list([FileValue])
  case text(String)
  case integer(Int64)
  /// A number with a fraction or an exponent, or too large for an integer. No setting accepts one:
  /// physical quantities are texts with a unit.
  case number(Double)
  case boolean(Bool)
  case null

  /// For error messages in English: `the text "75 mA"`, `an object { … }`.
  var summary: String { summaryTexts.english }

  var summaryTexts: Texts {
    switch self {
    case .object: FilePhrase.object.texts
    case .list: FilePhrase.list.texts
    case .text(let text): FilePhrase.text.texts(quoted(text))
    case .integer(let number): FilePhrase.number.texts("\(number)")
    case .number(let number): FilePhrase.number.texts("\(number)")
    case .boolean(let boolean): "\(boolean)".texts
    case .null: "null".texts
    }
  }
}

extension FileValue: Decodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      var members: [String: FileValue] = [:]
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(FileValue.self, forKey: key)
      }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [FileValue] = []
      while !container.isAtEnd { elements.append(try container.decode(FileValue.self)) }
      self = .list(elements)
    } else {
      self = try Self.single(in: decoder.singleValueContainer())
    }
  }

  private static func single(in container: any SingleValueDecodingContainer) throws -> FileValue {
    if container.decodeNil() { return .null }
    if let boolean = try? container.decode(Bool.self) { return .boolean(boolean) }
    if let text = try? container.decode(String.self) { return .text(text) }
    if let integer = try? container.decode(Int64.self) { return .integer(integer) }
    return .number(try container.decode(Double.self))
  }
}

extension FileValue {
  /// The place in the file, as reported by JSONDecoder, that could not be read.
  struct Unreadable: Error {
    var keyPath: String
  }

  /// Reads JSON5 text.
  static func decode(_ bytes: [UInt8]) throws(Unreadable) -> FileValue {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(FileValue.self, from: Data(bytes))
    } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context)
    {
      throw Unreadable(keyPath: keyPath(context.codingPath))
    } catch {
      throw Unreadable(keyPath: "")
    }
  }

  private static func keyPath(_ codingPath: [any CodingKey]) -> String {
    var result = ""
    for key in codingPath {
      if let index = key.intValue {
        result += "[\(index)]"
      } else {
        result += result.isEmpty ? key.stringValue : "." + key.stringValue
      }
    }
    return result
  }
}
