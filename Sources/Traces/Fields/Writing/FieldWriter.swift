import TrackerCore

/// Writes the fields of one record, separated by commas, with `^hh` for characters that NMEA 0183
/// reserves or that are not printable ASCII.
struct FieldWriter {
  /// Where they go: kept here, hashed in firmware, which has no allocator.
  var bytes = FieldBytes()
  private var count = 0

  mutating func beginRecord() { count = 0 }

  mutating func add(_ value: some FieldWritable) { value.write(to: &self) }

  mutating func word(_ text: StaticString) {
    separate()
    bytes.append(text)
  }

  mutating func number(_ value: some FixedWidthInteger) {
    separate()
    bytes.append(number: value)
  }

  /// Appends `+` and a number to the field before.
  mutating func plus(_ value: some FixedWidthInteger) {
    bytes.append(.plus)
    bytes.append(number: value)
  }

  /// An empty field: no value.
  mutating func blank() { separate() }

  mutating func text(_ text: Span<UInt8>) {
    separate()
    for index in text.indices { append(escaping: text[index]) }
  }

  mutating func text<let capacity: Int>(_ text: InlineText<capacity>) {
    separate()
    for index in 0..<text.count { append(escaping: text[index]) }
  }

  private mutating func append(escaping byte: UInt8) {
    if byte.isPlain { return bytes.append(byte) }
    bytes.append(.caret)
    bytes.append((byte >> 4).hexadecimalDigit)
    bytes.append((byte & 15).hexadecimalDigit)
  }

  private mutating func separate() {
    if count > 0 { bytes.append(.comma) }
    count += 1
  }
}
