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
