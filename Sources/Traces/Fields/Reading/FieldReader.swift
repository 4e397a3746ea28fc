/// A value that can be read from the fields of a record.
protocol FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem)
}

typealias FieldCodable = FieldWritable & FieldReadable

/// What is wrong with a field.
public enum FieldError: Error, Sendable, Equatable {
  case missing
  case tooMany
  /// Not a number, or one that is out of range.
  case notANumber
  case unknownWord(String)
  /// A `^` without two hexadecimal digits.
  case badEscape
}

/// Reads the fields of one record in order.
struct FieldReader {
  private let bytes: [UInt8]
  /// Where the next field begins; beyond the end if none is left.
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position > bytes.count }
  /// The fields that have not been read.
  var rest: ArraySlice<UInt8> { isAtEnd ? [] : bytes[position...] }

  mutating func field() throws(RecordingProblem) -> ArraySlice<UInt8> {
    if isAtEnd { throw .field(.missing) }
    let end = bytes[position...].firstIndex(of: .comma) ?? bytes.endIndex
    defer { position = end + 1 }
    return bytes[position..<end]
  }

  /// Skips the next field if it is empty, and returns whether it did.
  mutating func skipBlank() -> Bool {
    guard position <= bytes.count else { return false }
    let isBlank = position == bytes.count || bytes[position] == .comma
    if isBlank { position += 1 }
    return isBlank
  }

  mutating func value<Value: FieldReadable>() throws(RecordingProblem) -> Value {
    try Value(from: &self)
  }

  mutating func word() throws(RecordingProblem) -> String {
    String(decoding: try field(), as: UTF8.self)
  }

  mutating func number<Number: FixedWidthInteger>() throws(RecordingProblem) -> Number {
    guard let number = Number(try word()) else { throw .field(.notANumber) }
    return number
  }

  /// A field with its escapes resolved.
  mutating func text() throws(RecordingProblem) -> [UInt8] { try Self.resolve(try field()) }

  mutating func string() throws(RecordingProblem) -> String {
    String(decoding: try text(), as: UTF8.self)
  }

  func expectEnd() throws(RecordingProblem) {
    if !isAtEnd { throw .field(.tooMany) }
  }

  static func resolve(_ field: ArraySlice<UInt8>) throws(RecordingProblem) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(field.count)
    var index = field.startIndex
    while index < field.endIndex {
      guard field[index] == .caret else {
        text.append(field[index])
        index += 1
        continue
      }
      guard index + 2 < field.endIndex, let high = field[index + 1].hexadecimal,
        let low = field[index + 2].hexadecimal
      else { throw .field(.badEscape) }
      text.append(high << 4 | low)
      index += 3
    }
    return text
  }
}
