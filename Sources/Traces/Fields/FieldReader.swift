import TrackerCore

/// A value that can be read from the fields of a record.
protocol FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError)
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

  mutating func field() throws(RecordError) -> ArraySlice<UInt8> {
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

  mutating func value<Value: FieldReadable>() throws(RecordError) -> Value {
    try Value(from: &self)
  }

  mutating func word() throws(RecordError) -> String {
    String(decoding: try field(), as: UTF8.self)
  }

  mutating func number<Number: FixedWidthInteger>() throws(RecordError) -> Number {
    guard let number = Number(try word()) else { throw .field(.notANumber) }
    return number
  }

  /// A field with its escapes resolved.
  mutating func text() throws(RecordError) -> [UInt8] { try Self.resolve(try field()) }

  mutating func string() throws(RecordError) -> String {
    String(decoding: try text(), as: UTF8.self)
  }

  func expectEnd() throws(RecordError) {
    if !isAtEnd { throw .field(.tooMany) }
  }

  static func resolve(_ field: ArraySlice<UInt8>) throws(RecordError) -> [UInt8] {
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

extension FieldWriter {
  mutating func clear() {
    bytes.removeAll()
    beginRecord()
  }

  mutating func text(_ text: String) { self.text(Array(text.utf8).span) }
}

// Reads single values from a field.

extension FieldReadable where Self: FixedWidthInteger {
  init(from fields: inout FieldReader) throws(RecordError) { self = try fields.number() }
}

extension Bool: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    switch try fields.number() as Int {
    case 0: self = false
    case 1: self = true
    default: throw .field(.notANumber)
    }
  }
}

extension Optional: FieldReadable where Wrapped: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self = fields.skipBlank() ? nil : try Wrapped(from: &fields)
  }
}

extension FieldReadable where Self: NamedValue {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    for raw in UInt8.min...UInt8.max {
      guard let value = Self(rawValue: raw), "\(value.name)" == word else { continue }
      self = value
      return
    }
    throw .field(.unknownWord(word))
  }
}

extension Milliseconds: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) { self.init(try fields.number()) }
}

extension Instant: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(milliseconds: try fields.number())
  }
}

extension UTC: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(milliseconds: try fields.number())
  }
}

extension CaptureKey: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) { self.init(try fields.number()) }
}

extension RequestID: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) { self.init(try fields.number()) }
}

extension InlineText: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let bytes = try fields.text()
    self.init(bytes.span)
  }
}

extension InlineArray: FieldReadable where Element: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self = try Self { (_: Int) throws(RecordError) in try fields.value() }
  }
}

extension Int32: FieldReadable {}
extension Int64: FieldReadable {}
extension UInt8: FieldReadable {}
extension UInt32: FieldReadable {}
extension UInt64: FieldReadable {}

extension InputPin: FieldReadable {}
extension SerialRole: FieldReadable {}
extension Origin: FieldReadable {}
extension EmergencyRecord.Stage: FieldReadable {}
extension EmergencyAnswer.Kind: FieldReadable {}
extension OrderKey: FieldReadable {}
extension SessionRecord.Ending: FieldReadable {}
extension BetweenUploads: FieldReadable {}
extension ReceiverUse: FieldReadable {}
extension Sleep: FieldReadable {}
extension Chemistry: FieldReadable {}
extension ModemFamily: FieldReadable {}
extension ModemRest: FieldReadable {}
extension ReceiverDialect: FieldReadable {}
extension Bearer: FieldReadable {}
extension PINState: FieldReadable {}
