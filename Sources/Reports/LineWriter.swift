import TrackerCore

/// Builds lines of text as bytes, without a `String` per line.
struct LineWriter {
  var bytes: [UInt8] = []

  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  mutating func text(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func number(_ value: some BinaryInteger) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = UInt64(value.magnitude)
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// ` name=value`.
  mutating func field(_ name: StaticString, _ value: some BinaryInteger) {
    key(name)
    number(value)
  }

  /// ` name=value`, and nothing when there is no value.
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

  /// ` name="value"`; control characters and quotes become `_`, so that a line stays a line.
  mutating func field<let capacity: Int>(_ name: StaticString, quoting value: InlineText<capacity>)
  {
    key(name)
    bytes.append(UInt8(ascii: "\""))
    for index in 0..<value.count {
      let byte = value[index]
      let isPlain = byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"")
      bytes.append(isPlain ? byte : UInt8(ascii: "_"))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func field(_ name: StaticString, _ reason: Reason?) {
    key(name)
    text(reason?.key ?? "none")
    if let detail = reason?.detail {
      bytes.append(UInt8(ascii: ":"))
      number(detail)
    }
  }

  mutating func end() { bytes.append(UInt8(ascii: "\n")) }

  private mutating func key(_ name: StaticString) {
    bytes.append(UInt8(ascii: " "))
    text(name)
    bytes.append(UInt8(ascii: "="))
  }
}
