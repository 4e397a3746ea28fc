internal import Glibc
internal import TrackerCore

extension UniqueID {
  /// A random identifier (version 4); `nil` when the system provides no random bytes.
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
