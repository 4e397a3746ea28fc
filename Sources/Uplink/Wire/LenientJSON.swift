import JSONReading

/// An integer as servers really write it, possibly as a text. Anything unusable is `nil` and never
/// an error, so that one odd member does not hide the others.
struct LenientInteger: Decodable {
  var value: Int64?

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.singleValueContainer() else { return }
    if let whole = try? container.decode(Int64.self) {
      value = whole
    } else if let real = try? container.decode(Double.self) {
      value = Int64(exactly: real.rounded())
    } else if let text = try? container.decode(String.self) {
      value = Int64(text)
    }
  }
}

struct LenientFlag: Decodable {
  var value: Bool?

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.singleValueContainer() else { return }
    if let flag = try? container.decode(Bool.self) {
      value = flag
    } else if let text = try? container.decode(String.self) {
      value = text == "true" ? true : text == "false" ? false : nil
    }
  }
}

struct LenientText: Decodable {
  var value: String?

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.singleValueContainer() else { return }
    value = try? container.decode(String.self)
  }
}

/// A member that is `nil` when it is not of the expected type.
struct Lenient<Value: Decodable>: Decodable {
  var value: Value?

  init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// A coding key with any name.
struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

enum Answer {
  /// The JSON object in a body; `nil` for anything else, including a truncated one.
  static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
    guard let first = body.first(where: { !Self.blanks.contains($0) }),
      first == UInt8(ascii: "{") || first == 0xEF
    else { return nil }
    return try? JSONDecoder().decode(type, from: body)
  }

  private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
}
