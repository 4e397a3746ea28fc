public import TrackerCore

/// Takes the bytes of a text, one after the other. What is written into it is inlinable, so that it
/// is as fast for another module's type.
public protocol ByteSink: ~Copyable {
  mutating func append(_ byte: UInt8)
}

extension InlineText: ByteSink {}

extension ByteSink where Self: ~Copyable {
  @inlinable @inline(never) public mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
  }

  /// `value` units of a power of ten: `(-1250, places: 3)` is `-1.250`, and `-1.25` without the
  /// zeros at its end.
  @inlinable @inline(never) public mutating func append(
    decimal value: Int64, places: Int, keepsZeros: Bool = false
  ) {
    var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
    var count = 0
    var rest = value.magnitude
    while rest > 0 || count <= places {
      digits[count] += UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      count += 1
    }
    var last = 0
    while !keepsZeros, last < places, digits[last] == UInt8(ascii: "0") { last += 1 }
    if value < 0 { append(UInt8(ascii: "-")) }
    while count > last {
      if count == places { append(UInt8(ascii: ".")) }
      count -= 1
      append(digits[count])
    }
  }

  /// `2026-04-18T09:30:00.250Z`; nothing outside the years 0 to 9999.
  @inline(never) public mutating func append(date: UTC, isInForm: Bool = false) {
    // `forEachByte` takes a closure, which cannot change this and be written in place.
    var characters = InlineText<24>()
    CivilTime(date)?.forEachByte { characters.append($0) }
    for index in 0..<characters.count {
      if isInForm { append(formByte: characters[index]) } else { append(characters[index]) }
    }
  }

  /// As browsers send it: `application/x-www-form-urlencoded` (WHATWG URL standard §5.2).
  @inlinable @inline(never) public mutating func append(formByte byte: UInt8) {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "*"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      append(byte)
    case UInt8(ascii: " "): append(UInt8(ascii: "+"))
    default:
      append(UInt8(ascii: "%"))
      append(Self.digit(byte >> 4))
      append(Self.digit(byte & 15))
    }
  }

  @usableFromInline static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }
}
