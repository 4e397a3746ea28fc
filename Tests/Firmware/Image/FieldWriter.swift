import TrackerCore

/// Stands for the one of Traces: hashes the fields instead of keeping them, and needs no allocator.
struct FieldWriter {
  /// FNV-1a.
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  private var count = 0

  private mutating func append(_ byte: UInt8) {
    digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  mutating func begin(_ kind: RecordKind) {
    append(kind.rawValue)
    count = 0
  }

  mutating func end() { append(.lineFeed) }

  mutating func add(_ value: some FieldWritable) { value.write(to: &self) }

  mutating func word(_ text: StaticString) {
    separate()
    for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
  }

  mutating func number(_ value: some FixedWidthInteger) {
    separate()
    append(decimal: Int64(value))
  }

  mutating func plus(_ value: some FixedWidthInteger) {
    append(.plus)
    append(decimal: Int64(value))
  }

  mutating func blank() { separate() }

  mutating func text(_ text: Span<UInt8>) {
    separate()
    for index in text.indices { append(escaping: text[index]) }
  }

  mutating func text<let capacity: Int>(_ text: InlineText<capacity>) {
    separate()
    for index in 0..<text.count { append(escaping: text[index]) }
  }

  private mutating func append(decimal value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var count = 0
    var rest = value.magnitude
    repeat {
      digits[count] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
      count += 1
    } while rest > 0
    while count > 0 {
      count -= 1
      append(digits[count])
    }
  }

  private mutating func append(escaping byte: UInt8) {
    if byte.isPlain { return append(byte) }
    append(.caret)
    append((byte >> 4).hexadecimalDigit)
    append((byte & 15).hexadecimalDigit)
  }

  private mutating func separate() {
    if count > 0 { append(.comma) }
    count += 1
  }
}

/// Tapes have no settings that are read anew: those are named with texts of the host.
extension Configuration: FieldWritable {
  func write(to fields: inout FieldWriter) {}
}
