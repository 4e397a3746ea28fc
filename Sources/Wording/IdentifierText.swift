public import TrackerCore

/// The forms in which servers write an identifier (RFC 9562 §4).
extension UniqueID {
  /// `0b6f…-….`: 36 characters in lower case.
  public var lowercaseText: String { Self.string(text()) }
  public var uppercaseText: String { Self.string(text(isUppercase: true)) }
  /// `{0B6F…}`: as ArcGIS writes a GlobalID.
  public var bracedText: String { "{\(uppercaseText)}" }

  /// Reads either case, with or without hyphens and enclosing braces.
  public init?(text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(text: bytes.span)
  }

  private static func string(_ characters: InlineArray<36, UInt8>) -> String {
    let bytes = characters.span
    return bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

/// Base64 with padding (RFC 4648 §4), for HTTP's basic authentication and images in pages.
public enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  public static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let group = bytes[position..<min(position + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        let digit = Self.digits[Int(bits >> UInt32(18 - 6 * index) & 63)]
        text.append(index <= group.count ? digit : UInt8(ascii: "="))
      }
      position += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
