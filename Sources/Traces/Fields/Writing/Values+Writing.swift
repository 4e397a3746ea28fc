import TrackerCore

// Writes single values to a field.

extension FieldWritable where Self: FixedWidthInteger {
  func write(to fields: inout FieldWriter) { fields.number(self) }
}

extension Bool: FieldWritable {
  func write(to fields: inout FieldWriter) { fields.number(self ? 1 : 0) }
}

/// `nil` is an empty field.
extension Optional: FieldWritable where Wrapped: FieldWritable {
  func write(to fields: inout FieldWriter) {
    if let self { fields.add(self) } else { fields.blank() }
  }
}

extension Milliseconds: FieldWritable {
  func write(to fields: inout FieldWriter) { fields.number(count) }
}

extension Instant: FieldWritable {
  func write(to fields: inout FieldWriter) { fields.number(milliseconds) }
}

extension UTC: FieldWritable {
  func write(to fields: inout FieldWriter) { fields.number(milliseconds) }
}

extension CaptureKey: FieldWritable {
  func write(to fields: inout FieldWriter) { fields.number(number) }
}

extension RequestID: FieldWritable {
  func write(to fields: inout FieldWriter) { fields.number(number) }
}

extension InlineText: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.text(self)
  }
}

extension InlineArray: FieldWritable where Element: FieldWritable {
  func write(to fields: inout FieldWriter) { for index in indices { fields.add(self[index]) } }
}

extension Int32: FieldWritable {}
extension Int64: FieldWritable {}
extension UInt8: FieldWritable {}
extension UInt32: FieldWritable {}
extension UInt64: FieldWritable {}
