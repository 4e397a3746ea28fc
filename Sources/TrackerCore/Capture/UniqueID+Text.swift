/// The usual form of an identifier, 8-4-4-4-12 hexadecimal digits (RFC 9562 §4).
extension UniqueID {
  /// 36 characters of ASCII, without braces.
  public func text(isUppercase: Bool = false) -> InlineArray<36, UInt8> {
    let tens = isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")
    var characters = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
    for digit in 0..<32 {
      let half = digit < 16 ? high : low
      let nibble = UInt8(half >> UInt64(60 - digit % 16 * 4) & 15)
      characters[Self.place(ofDigit: digit)] =
        nibble < 10 ? UInt8(ascii: "0") + nibble : tens + nibble - 10
    }
    return characters
  }

  /// Reads either case, with or without hyphens and enclosing braces.
  ///
  /// - Returns: `nil` for anything else.
  public init?(text: Span<UInt8>) {
    var (start, count) = (0, text.count)
    if count > 2, text[0] == UInt8(ascii: "{") {
      guard text[count - 1] == UInt8(ascii: "}") else { return nil }
      (start, count) = (1, count - 2)
    }
    guard count == 36 || count == 32 else { return nil }
    let hasHyphens = count == 36
    var (high, low): (UInt64, UInt64) = (0, 0)
    for digit in 0..<32 {
      let place = start + (hasHyphens ? Self.place(ofDigit: digit) : digit)
      guard let value = Self.value(ofDigit: text[place]) else { return nil }
      if digit < 16 { high = high << 4 | value } else { low = low << 4 | value }
    }
    for hyphen in 0..<4 where hasHyphens {
      guard text[start + 8 + 5 * hyphen] == UInt8(ascii: "-") else { return nil }
    }
    self.init(high: high, low: low)
  }

  /// The index of a digit in the form with hyphens.
  private static func place(ofDigit digit: Int) -> Int {
    digit < 8 ? digit : digit < 20 ? digit + (digit - 4) / 4 : digit + 4
  }

  private static func value(ofDigit byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
