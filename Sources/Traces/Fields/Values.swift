import TrackerCore

// How single values stand in a field.

extension FieldWritable where Self: FixedWidthInteger {
  func write(to fields: inout FieldWriter) { fields.number(self) }
}

extension FieldReadable where Self: FixedWidthInteger {
  init(from fields: inout FieldReader) throws(RecordingProblem) { self = try fields.number() }
}

extension Int32: FieldCodable {}
extension Int64: FieldCodable {}
extension UInt8: FieldCodable {}
extension UInt32: FieldCodable {}
extension UInt64: FieldCodable {}

extension Bool: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.number(self ? 1 : 0) }
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    switch try fields.number() as Int {
    case 0: self = false
    case 1: self = true
    default: throw .field(.notANumber)
    }
  }
}

/// No value is a field without content.
extension Optional: FieldWritable where Wrapped: FieldWritable {
  func write(to fields: inout FieldWriter) {
    if let self { fields.add(self) } else { fields.blank() }
  }
}

extension Optional: FieldReadable where Wrapped: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self = fields.skipBlank() ? nil : try Wrapped(from: &fields)
  }
}

/// An enumeration without payload goes by the names of its cases.
extension FieldWritable where Self: RawRepresentable, RawValue == UInt8 {
  func write(to fields: inout FieldWriter) { fields.text("\(self)") }
}

extension FieldReadable where Self: RawRepresentable, RawValue == UInt8 {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    for raw in UInt8.min...UInt8.max {
      guard let value = Self(rawValue: raw), "\(value)" == word else { continue }
      self = value
      return
    }
    throw .field(.unknownWord(word))
  }
}

extension Milliseconds: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.number(count) }
  init(from fields: inout FieldReader) throws(RecordingProblem) { self.init(try fields.number()) }
}

extension Instant: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.number(milliseconds) }
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(milliseconds: try fields.number())
  }
}

extension UTC: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.number(milliseconds) }
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(milliseconds: try fields.number())
  }
}

extension CaptureKey: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.number(number) }
  init(from fields: inout FieldReader) throws(RecordingProblem) { self.init(try fields.number()) }
}

extension RequestID: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.number(number) }
  init(from fields: inout FieldReader) throws(RecordingProblem) { self.init(try fields.number()) }
}

extension InlineText: FieldCodable {
  func write(to fields: inout FieldWriter) {
    let bytes = (0..<count).map { self[$0] }
    fields.text(bytes.span)
  }
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let bytes = try fields.text()
    self.init(bytes.span)
  }
}

/// 32 hexadecimal digits.
extension UniqueID: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.text(Self.digits(high) + Self.digits(low)) }

  private static func digits(_ half: UInt64) -> String {
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    guard word.utf8.count == 32, let high = UInt64(word.prefix(16), radix: 16),
      let low = UInt64(word.dropFirst(16), radix: 16)
    else { throw .field(.notANumber) }
    self.init(high: high, low: low)
  }
}

extension InlineArray: FieldWritable where Element: FieldWritable {
  func write(to fields: inout FieldWriter) { for index in indices { fields.add(self[index]) } }
}

extension InlineArray: FieldReadable where Element: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self = try Self { (_: Int) throws(RecordingProblem) in try fields.value() }
  }
}
