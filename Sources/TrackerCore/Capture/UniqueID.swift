/// A universally unique identifier (RFC 9562), as two halves of 64 bits.
public struct UniqueID: Sendable, Equatable, Hashable {
  /// The first eight bytes, in big-endian order.
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identifier of one capture of a device. It is always the same, so that a server can
  /// recognise a capture that it has already.
  ///
  /// A UUID of version 8 (RFC 9562 §5.8). 32 bits hold the sequence number, XORed with bits of the
  /// device's identifier, so no two captures of a device share one; the other 90 are a hash of the
  /// device's identifier.
  public init(device: UniqueID, sequence: UInt32) {
    let mixed = SplitMix64.mix(device.high ^ SplitMix64.mix(device.low))
    let tail = UInt64(sequence ^ UInt32(truncatingIfNeeded: mixed))
    let rest = SplitMix64.mix(device.low ^ mixed)
    high = (mixed & ~0xF000) | 0x8000
    low = 0x8000_0000_0000_0000 | (rest >> 2 & 0x3FFF_FFFF_0000_0000) | tail
  }

  /// The number of the capture that it identifies; `nil`: it is none of that device's.
  public func sequence(of device: UniqueID) -> UInt32? {
    let first = UniqueID(device: device, sequence: 0)
    let sequence = UInt32(truncatingIfNeeded: low ^ first.low)
    return UniqueID(device: device, sequence: sequence) == self ? sequence : nil
  }
}

extension UniqueID {
  /// The next identifier to try for a capture whose identifier `taken` belongs to another capture
  /// on the server, because two devices have the same identity (a copied card).
  ///
  /// It is derived from what distinguishes the two captures, time and position, so that it is the
  /// same whichever way the capture reaches the server.
  public init(replacing taken: UniqueID, of capture: Capture) {
    let place =
      capture.position.map {
        UInt64(UInt32(bitPattern: $0.latitude)) << 32 | UInt64(UInt32(bitPattern: $0.longitude))
      } ?? .max
    let time = UInt64(bitPattern: capture.utc?.milliseconds ?? .min)
    let first = SplitMix64.mix(taken.high ^ SplitMix64.mix(place ^ SplitMix64.mix(time)))
    let second = SplitMix64.mix(taken.low ^ first)
    high = (first & ~0xF000) | 0x8000
    low = 1 << 63 | (second & 0x3FFF_FFFF_FFFF_FFFF)
  }
}

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
