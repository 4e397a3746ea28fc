internal import SystemCalls
internal import TrackerCore

extension UniqueID {
  /// A random identifier (version 4); `nil` when the system provides no random bytes.
  static func random() -> UniqueID? {
    // Reads of up to 256 bytes are never short (random(4)).
    guard let source = try? Descriptor(opening: "/dev/urandom", .read),
      let bytes = try? source.firstBytes(atMost: 16), bytes.count == 16
    else { return nil }
    let (high, low) = bytes.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    return UniqueID(high: high & ~0xF000 | 0x4000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
  }

  /// The usual form, in lower case.
  var text: String {
    let characters: InlineArray<36, UInt8> = text()
    return characters.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Its 32 hexadecimal digits in lower case, without hyphens.
  var digits: String { text.filter { $0 != "-" } }

  init?(text: String) {
    let bytes = Array(text.utf8)
    self.init(text: bytes.span)
  }
}
