/// Distinguishes quoted strings in JSON from what is between them.
struct JSONQuotes {
  private var isInside = false
  private var isEscaped = false

  /// - Returns: whether the byte belongs to a quoted string, including its quotes.
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
