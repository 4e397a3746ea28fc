/// A JSON value as read (RFC 8259).
public indirect enum JSONValue: Sendable, Equatable {
  /// Of equal keys the first counts.
  case object([String: JSONValue])
  case list([JSONValue])
  case text(String)
  /// A number without fraction and exponent.
  case whole(Int64)
  /// Any other number.
  case real(Double)
  case boolean(Bool)
  case null

  /// The brackets that a value may have around it. Courses have seven, servers' answers five; the
  /// bound limits the recursion in reading and decoding.
  public static let levels = 64

  /// Reads a whole text in UTF-8, with or without a byte order mark.
  public init(parsing bytes: [UInt8]) throws(JSONProblem) {
    var parser = JSONParser(bytes)
    self = try parser.readAll()
  }

  /// A whole number, however it is written: 1, 1.0 or 1e0.
  public var wholeNumber: Int64? {
    switch self {
    case .whole(let number): number
    case .real(let number): Int64(exactly: number)
    case .object, .list, .text, .boolean, .null: nil
    }
  }
}

/// Why a text is no JSON, or no JSON5.
public struct JSONProblem: Error, Equatable {
  public enum Cause: Sendable, Equatable {
    /// JSON5 files are objects.
    case noObject
    case noValue
    /// A word or a number that is none, up to the next character that could follow one.
    case notAValue(String)
    case notANumber(String)
    /// What is a key here, or the bracket of the object that was opened on that line.
    case noKey(opening: Int)
    /// Keys of JSON5 are plain here.
    case escapedKey(String)
    case noColon(after: String)
    case noSeparator(before: Unicode.Scalar, opening: Int)
    case openText
    case openComment
    /// An unknown or incomplete escape, or no UTF-8.
    case badText
    /// JSON5 files have each key once.
    case duplicateKey(firstLine: Int)
    case tooDeep
    /// Something follows the value.
    case rest
  }

  public var cause: Cause
  /// How many bytes of the text are right.
  public var offset: Int
  /// Counts from 1.
  public var line: Int
  /// Where in a JSON5 text: `loads.board`, `coverage[2]`; empty where that does not matter.
  public var keyPath = ""
  /// Whether the text ends before its value does.
  public var isEarlyEnd: Bool
}
