/// Hashes what is appended: FNV-1a, as Traces does for a run's digest.
struct FieldBytes {
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func append(_ byte: UInt8) {
    digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
  }

  mutating func append(number value: some FixedWidthInteger) { append(decimal: Int64(value)) }

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
}
