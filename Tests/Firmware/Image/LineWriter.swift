import TrackerCore

/// Stands for the one of Reports: hashes the lines instead of keeping them, and needs no allocator.
struct LineWriter {
  /// FNV-1a.
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  private mutating func add(_ byte: UInt8) {
    digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  mutating func text(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { add(text.utf8Start[index]) }
  }

  mutating func number(_ value: some BinaryInteger) { decimal(Int64(value)) }

  private mutating func decimal(_ value: Int64) {
    if value < 0 { add(UInt8(ascii: "-")) }
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
      add(digits[count])
    }
  }

  mutating func field(_ name: StaticString, _ value: some BinaryInteger) {
    key(name)
    number(value)
  }

  mutating func field(_ name: StaticString, _ value: (some BinaryInteger)?) {
    if let value { field(name, value) }
  }

  mutating func field(_ name: StaticString, _ value: Bool) {
    key(name)
    text(value ? "yes" : "no")
  }

  mutating func field(_ name: StaticString, _ value: StaticString) {
    key(name)
    text(value)
  }

  mutating func field<let capacity: Int>(_ name: StaticString, quoting value: InlineText<capacity>)
  {
    key(name)
    add(UInt8(ascii: "\""))
    for index in 0..<value.count {
      let byte = value[index]
      let isPlain = byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"")
      add(isPlain ? byte : UInt8(ascii: "_"))
    }
    add(UInt8(ascii: "\""))
  }

  mutating func field(_ name: StaticString, _ reason: Reason?) {
    key(name)
    text(reason?.key ?? "none")
    if let detail = reason?.detail {
      add(UInt8(ascii: ":"))
      number(detail)
    }
  }

  mutating func end() { add(UInt8(ascii: "\n")) }

  private mutating func key(_ name: StaticString) {
    add(UInt8(ascii: " "))
    text(name)
    add(UInt8(ascii: "="))
  }
}
