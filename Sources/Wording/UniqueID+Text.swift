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
