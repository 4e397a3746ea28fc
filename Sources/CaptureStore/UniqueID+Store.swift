internal import Glibc
internal import TrackerCore

extension UniqueID {
  /// A random one (version 4); `nil` when the system gives no random bytes.
  static func random() -> UniqueID? {
    var bytes: (UInt64, UInt64) = (0, 0)
    let count = withUnsafeMutableBytes(of: &bytes) { buffer -> Int in
      let descriptor = Glibc.open("/dev/urandom", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return -1 }
      defer { close(descriptor) }
      // Reads of up to 256 bytes are never short or interrupted (random(4)).
      return Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    }
    guard count == 16 else { return nil }
    return UniqueID(
      high: bytes.0 & ~0xF000 | 0x4000, low: bytes.1 & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
  }

  /// In the usual form, small letters: 8-4-4-4-12 hexadecimal digits.
  var text: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var place = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          buffer[place] = UInt8(ascii: "-")
          place += 1
        }
        let half = digit < 16 ? high : low
        let nibble = UInt8(half >> UInt64(60 - digit % 16 * 4) & 15)
        buffer[place] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
        place += 1
      }
      return place
    }
  }

  /// Its 32 hexadecimal digits, small, without hyphens.
  var digits: String { text.filter { $0 != "-" } }

  /// Reads 32 hexadecimal digits of either case, with or without hyphens.
  init?(text: String) {
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    var digits = 0
    for byte in text.utf8 where byte != UInt8(ascii: "-") {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      guard digits < 32 else { return nil }
      if digits < 16 {
        halves.high = halves.high << 4 | UInt64(digit)
      } else {
        halves.low = halves.low << 4 | UInt64(digit)
      }
      digits += 1
    }
    guard digits == 32 else { return nil }
    self.init(high: halves.high, low: halves.low)
  }
}
