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
