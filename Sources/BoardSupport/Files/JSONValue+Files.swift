import JSONReading
import Wording

// What is wrong with a settings file, in words.

extension JSONValue {
  /// For error messages in English: `the text "75 mA"`, `an object { … }`.
  var summary: String { summaryTexts.english }

  var summaryTexts: Texts {
    switch self {
    case .object: FilePhrase.object.texts
    case .list: FilePhrase.list.texts
    case .text(let text): FilePhrase.text.texts(quoted(text))
    case .whole(let number): FilePhrase.number.texts("\(number)")
    case .real(let number):
      FilePhrase.number.texts(wholeNumber.map { "\($0)" } ?? "\(number)")
    case .boolean(let boolean): "\(boolean)".texts
    case .null: "null".texts
    }
  }
}

extension FileError {
  /// A text that is no JSON5.
  init(_ problem: JSONError, in bytes: [UInt8], path: String) {
    self.init(
      path: path, line: problem.line, keyPath: singleLine(problem.keyPath),
      message: Self.message(problem, in: bytes))
  }

  private static func message(_ problem: JSONError, in bytes: [UInt8]) -> String {
    let found = found(at: problem.offset, in: bytes)
    let isAtEnd = problem.offset >= bytes.count
    switch problem.cause {
    case .noObject: return "expected \"{\", found \(found); use a JSON5 file"
    case .noValue where isAtEnd: return "the file ends where a value should be; complete it"
    case .noValue: return "expected a value, found \(found)"
    case .notAValue(let word): return "\(quoted(word)) is not a value; put text in quotes"
    case .notANumber(let word):
      return "\(quoted(word)) is not a number; correct it, or put it in quotes"
    case .noKey(let opening) where isAtEnd: return early("}", opening)
    case .noKey: return "expected a key, found \(found); keys are plain letters"
    case .escapedKey(let key):
      return "the key \(quoted(key)) has an escape; write it in plain letters"
    case .noColon(let key): return "expected \":\" after the key \(quoted(key)), found \(found)"
    case .noSeparator(let bracket, let opening) where isAtEnd: return early(bracket, opening)
    case .noSeparator(let bracket, _):
      return "expected \",\" or \"\(bracket)\", found \(found); add it (and quotes around any text)"
    case .openText: return "the text is not closed; add the quote"
    case .openComment: return "the comment has no end; add \"*/\""
    case .badText: return "is not a valid JSON5 value; check its digits, quotes and escapes"
    case .duplicateKey(let first):
      return "is a duplicate, the first is on line \(first); remove one"
    case .tooDeep: return "is nested too deep; 32 levels are allowed"
    case .rest: return "expected the end of the file, found \(found); remove it"
    }
  }

  private static func early(_ bracket: Unicode.Scalar, _ opening: Int) -> String {
    "the file ends before the \"\(bracket)\" for line \(opening); complete it"
  }

  /// What comes next.
  private static func found(at offset: Int, in bytes: [UInt8]) -> String {
    guard offset < bytes.count else { return "the end of the file" }
    let word = bytes[offset...].prefix(12).prefix { !JSONOutline.isDelimiter($0) }
    let shown = word.isEmpty ? bytes[offset...offset] : word
    return quoted(String(decoding: shown, as: UTF8.self))
  }
}
