/// The bytes of records, kept or only hashed: most runs need no more of theirs than a digest.
struct FieldBytes {
  private(set) var kept: [UInt8] = []
  /// Of everything appended; `nil`: the bytes are kept.
  private(set) var digest: Digest?

  /// - Parameter digest: what it is hashed into.
  init(digest: Digest? = nil) { self.digest = digest }

  mutating func append(_ byte: UInt8) {
    if digest == nil { kept.append(byte) } else { digest?.add(byte) }
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(number value: some FixedWidthInteger) {
    UInt8.withDigits(of: value) { append($0) }
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard digest != nil else { return kept.append(contentsOf: text) }
    for byte in text { digest?.add(byte) }
  }

  mutating func removeAll() { kept.removeAll(keepingCapacity: true) }
}

extension UInt8 {
  /// The characters of a number.
  static func withDigits(
    of value: some FixedWidthInteger, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    // The longest has 20 digits and a sign. They are found from the last one on.
    var digits = InlineArray<21, UInt8>(repeating: 0)
    var first = digits.count
    var rest = UInt64(value.magnitude)
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    if value < 0 {
      first -= 1
      digits[first] = UInt8(ascii: "-")
    }
    digits.span.extracting(first..<digits.count).withUnsafeBufferPointer { body($0) }
  }
}

extension [UInt8] {
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(number value: some FixedWidthInteger) {
    UInt8.withDigits(of: value) { append(contentsOf: $0) }
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
