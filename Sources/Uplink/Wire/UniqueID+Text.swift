public import TrackerCore

/// The forms in which servers write an identifier (RFC 9562 §4).
extension UniqueID {
  /// `0b6f…-….`: 36 characters in lower case.
  public var lowercaseText: String { text(digits: "0123456789abcdef") }
  public var uppercaseText: String { text(digits: "0123456789ABCDEF") }
  /// `{0B6F…}`: as ArcGIS writes a GlobalID.
  public var bracedText: String { "{\(uppercaseText)}" }

  private func text(digits: StaticString) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 { bytes.append(UInt8(ascii: "-")) }
      let half = index < 16 ? high : low
      let nibble = Int(half >> UInt64(60 - index % 16 * 4) & 15)
      bytes.append(digits.utf8Start[nibble])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads either case, with or without hyphens in their places and braces around.
  public init?(text: some StringProtocol) {
    var bytes = Array(text.utf8.prefix(40))
    if bytes.first == UInt8(ascii: "{") {
      guard bytes.count > 2, bytes.removeLast() == UInt8(ascii: "}") else { return nil }
      bytes.removeFirst()
    }
    guard bytes.count == 36 || bytes.count == 32 else { return nil }
    if bytes.count == 36 {
      // From the end, so that the places of the others stay.
      for place in [23, 18, 13, 8] {
        guard bytes.remove(at: place) == UInt8(ascii: "-") else { return nil }
      }
    }
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    for (index, byte) in bytes.enumerated() {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      if index < 16 {
        halves.high = halves.high << 4 | UInt64(digit)
      } else {
        halves.low = halves.low << 4 | UInt64(digit)
      }
    }
    self.init(high: halves.high, low: halves.low)
  }
}
