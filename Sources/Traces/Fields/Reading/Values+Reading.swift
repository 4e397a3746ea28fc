import TrackerCore

// Reads single values from a field.

extension FieldReadable where Self: FixedWidthInteger {
  init(from fields: inout FieldReader) throws(RecordingProblem) { self = try fields.number() }
}

extension Bool: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    switch try fields.number() as Int {
    case 0: self = false
    case 1: self = true
    default: throw .field(.notANumber)
    }
  }
}

extension Optional: FieldReadable where Wrapped: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self = fields.skipBlank() ? nil : try Wrapped(from: &fields)
  }
}

extension FieldReadable where Self: NamedValue {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
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
  init(from fields: inout FieldReader) throws(RecordingProblem) { self.init(try fields.number()) }
}

extension Instant: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(milliseconds: try fields.number())
  }
}

extension UTC: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(milliseconds: try fields.number())
  }
}

extension CaptureKey: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) { self.init(try fields.number()) }
}

extension RequestID: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) { self.init(try fields.number()) }
}

extension InlineText: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let bytes = try fields.text()
    self.init(bytes.span)
  }
}

extension InlineArray: FieldReadable where Element: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self = try Self { (_: Int) throws(RecordingProblem) in try fields.value() }
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
extension OrderKey: FieldReadable {}
extension SessionRecord.Ending: FieldReadable {}
extension BetweenUploads: FieldReadable {}
extension ReceiverUse: FieldReadable {}
extension Chemistry: FieldReadable {}
extension ModemFamily: FieldReadable {}
extension ModemRest: FieldReadable {}
extension ReceiverDialect: FieldReadable {}
extension Bearer: FieldReadable {}
extension PINState: FieldReadable {}
