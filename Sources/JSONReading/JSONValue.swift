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

  /// Why a text is not JSON.
  public struct Problem: Error, Equatable {
    /// How many bytes of it are JSON.
    public var offset: Int
  }

  /// The brackets that a value may have around it. Courses have seven, servers' answers five; the
  /// bound limits the recursion in reading and decoding.
  public static let levels = 64

  /// Reads a whole text in UTF-8, with or without a byte order mark.
  public init(parsing bytes: [UInt8]) throws(Problem) {
    var parser = JSONParser(bytes)
    self = try parser.readAll()
  }
}
