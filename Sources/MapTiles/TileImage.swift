/// A tile's image, as the file has it.
public struct TileImage: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case png, jpeg

    /// RFC 2046 and RFC 2083.
    public var mediaType: String {
      switch self {
      case .png: "image/png"
      case .jpeg: "image/jpeg"
      }
    }
  }

  public let kind: Kind
  public let bytes: [UInt8]

  /// `nil`: neither PNG nor JPEG, whatever the file's metadata says, cut off before its size, or
  /// larger than `TileBounds.longestSide`.
  public init?(_ bytes: [UInt8]) {
    guard let (kind, width, height) = Self.size(png: bytes) ?? Self.size(jpeg: bytes),
      (1...TileBounds.longestSide).contains(width), (1...TileBounds.longestSide).contains(height)
    else { return nil }
    (self.kind, self.bytes) = (kind, bytes)
  }

  /// The signature and the header chunk, which comes first (PNG 1.2 §3.1, §4.1.1).
  private static func size(png bytes: [UInt8]) -> (Kind, Int, Int)? {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]
    guard bytes.count >= 33, bytes.starts(with: start) else { return nil }
    func word(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (.png, word(16), word(20))
  }

  /// The frame header, which follows some other segments (ITU-T T.81 §B.1.1.3, §B.2.2).
  private static func size(jpeg bytes: [UInt8]) -> (Kind, Int, Int)? {
    guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    func pair(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    var at = 2
    while at + 9 <= bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      // Any number of 0xFF may precede a marker.
      if marker == 0xFF {
        at += 1
        continue
      }
      // C4, C8 and CC are tables, not frames.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return (.jpeg, pair(at + 7), pair(at + 5))
      }
      at += 2 + max(2, pair(at + 2))
    }
    return nil
  }
}
