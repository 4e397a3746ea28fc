import JSONReading
import LeanUplink
import TrackerCore

/// Writes JSON (RFC 8259): keys in the order in which they are added, no white space.
///
/// Not Foundation's, because the bytes have to be the same everywhere and numbers are exact
/// decimals.
struct JSONText: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  init() {}

  mutating func object(_ content: (inout JSONText) -> Void) {
    enclose("{", content, "}")
  }

  mutating func array(_ content: (inout JSONText) -> Void) {
    enclose("[", content, "]")
  }

  private mutating func enclose(
    _ open: Unicode.Scalar, _ content: (inout JSONText) -> Void, _ close: Unicode.Scalar
  ) {
    separate()
    bytes.append(UInt8(ascii: open))
    needsComma = false
    content(&self)
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }

  mutating func key(_ key: String) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func string(_ text: String) {
    separate()
    bytes.appendJSON(text)
    needsComma = true
  }

  mutating func integer(_ value: some BinaryInteger) { word(String(value)) }
  mutating func boolean(_ value: Bool) { word(value ? "true" : "false") }
  mutating func null() { word("null") }

  /// `value` units of a power of ten: `decimal(-1234, places: 3)` is `-1.234`.
  mutating func decimal(_ value: Int64, places: Int) {
    word(decimalText(value, places: places))
  }

  private mutating func word(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }
}

extension [UInt8]: ByteSink {}

/// A decimal number without trailing zeros: `(12500, places: 3)` is `12.5`.
func decimalText(_ value: Int64, places: Int) -> String {
  var bytes: [UInt8] = []
  bytes.append(decimal: value, places: places)
  return String(decoding: bytes, as: UTF8.self)
}

extension InlineText {
  /// As a string; invalid UTF-8 becomes U+FFFD.
  public var text: String {
    var bytes: [UInt8] = []
    for index in 0..<count { bytes.append(self[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A form as browsers send it: `application/x-www-form-urlencoded` (WHATWG URL standard §5.2).
struct FormText: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []

  init() {}

  mutating func add(_ name: String, _ value: String) {
    add(name, bytes: Array(value.utf8))
  }

  mutating func add(_ name: String, bytes value: [UInt8]) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    encode(name.utf8)
    bytes.append(UInt8(ascii: "="))
    bytes.reserveCapacity(bytes.count + value.count * 2)
    encode(value)
  }

  /// The form as the query of an address.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func encode(_ plain: some Sequence<UInt8>) {
    for byte in plain { bytes.append(formByte: byte) }
  }
}
