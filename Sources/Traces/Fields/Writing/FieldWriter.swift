import TrackerCore

/// Writes the fields of one record, separated by commas, with `^hh` for characters that NMEA 0183
/// reserves or that are not printable ASCII.
struct FieldWriter {
  /// Where they go: kept here, hashed in firmware, which has no allocator.
  var bytes = FieldBytes()
  private var count = 0

  mutating func beginRecord() { count = 0 }

  mutating func add(_ value: some FieldWritable) { value.write(to: &self) }

  // One for each number of values: Embedded Swift has no parameter packs.

  mutating func add(_ a: some FieldWritable, _ b: some FieldWritable) {
    add(a)
    add(b)
  }

  mutating func add(_ a: some FieldWritable, _ b: some FieldWritable, _ c: some FieldWritable) {
    add(a, b)
    add(c)
  }

  mutating func add(
    _ a: some FieldWritable, _ b: some FieldWritable, _ c: some FieldWritable,
    _ d: some FieldWritable
  ) {
    add(a, b)
    add(c, d)
  }

  mutating func add(_ name: StaticString, _ a: some FieldWritable) {
    word(name)
    add(a)
  }

  mutating func add(_ name: StaticString, _ a: some FieldWritable, _ b: some FieldWritable) {
    add(name, a)
    add(b)
  }

  mutating func add(
    _ name: StaticString, _ a: some FieldWritable, _ b: some FieldWritable, _ c: some FieldWritable
  ) {
    add(name, a)
    add(b, c)
  }

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

extension UInt8 {
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let bang = UInt8(ascii: "!")
  static let hash = UInt8(ascii: "#")
  static let dollar = UInt8(ascii: "$")
  static let star = UInt8(ascii: "*")
  static let plus = UInt8(ascii: "+")
  static let comma = UInt8(ascii: ",")
  static let backslash = UInt8(ascii: "\\")
  static let caret = UInt8(ascii: "^")

  var isPrintable: Bool { self >= 0x20 && self < 0x7F }

  /// Whether a field can have it without escape (NMEA 0183, table of reserved characters).
  var isPlain: Bool {
    switch self {
    case .bang, .dollar, .star, .comma, .backslash, .caret, UInt8(ascii: "~"): false
    default: isPrintable
    }
  }

  /// The value of a hexadecimal digit.
  var hexadecimal: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The upper-case digit of a value below 16.
  var hexadecimalDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
  }
}

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
