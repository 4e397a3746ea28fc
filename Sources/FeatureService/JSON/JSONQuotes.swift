/// Tells the quoted texts of JSON from what stands between them.
struct JSONQuotes {
  private var isInside = false
  private var isEscaped = false

  /// - Returns: whether the next byte belongs to a quoted text; its quotes do.
  mutating func take(_ byte: UInt8) -> Bool {
    let wasInside = isInside
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\"") {
      isInside.toggle()
    } else {
      isEscaped = isInside && byte == UInt8(ascii: "\\")
    }
    return wasInside || isInside
  }
}
