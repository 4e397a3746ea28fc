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

  /// For error messages: `text "75 mA"`, `an object`.
  var summary: String {
    switch self {
    case .object: "an object { … }"
    case .list: "a list [ … ]"
    case .text(let text): "the text \(quoted(text))"
    case .integer(let number): "the number \(number)"
    case .number(let number): "the number \(number)"
    case .boolean(let boolean): "\(boolean)"
    case .null: "null"
    }
  }
}
