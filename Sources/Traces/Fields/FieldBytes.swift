typealias FieldBytes = [UInt8]

extension FieldWriter {
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    beginRecord()
  }

  mutating func text(_ text: String) { self.text(Array(text.utf8).span) }
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
