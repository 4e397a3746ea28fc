import TrackerCore

/// Writes the fields of one record, separated by commas, with `^hh` for characters that NMEA 0183
/// reserves or that are not printable ASCII.
struct FieldWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

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

  mutating func text(_ text: String) {
    separate()
    for byte in text.utf8 { append(escaping: byte) }
  }

  private mutating func append(escaping byte: UInt8) {
    if byte.isPlain {
      bytes.append(byte)
    } else {
      bytes.append(.caret)
      bytes.append(hexadecimal: byte)
    }
  }

  private mutating func separate() {
    if count > 0 { bytes.append(.comma) }
    count += 1
  }
}

extension [UInt8] {
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(number value: some FixedWidthInteger) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = UInt64(value.magnitude)
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }

  /// Two upper-case digits.
  mutating func append(hexadecimal byte: UInt8) {
    append((byte >> 4).hexadecimalDigit)
    append((byte & 15).hexadecimalDigit)
  }

  mutating func append(_ span: Span<UInt8>) {
    span.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
