extension [UInt8] {
  /// Appends the shortest number that reads back as the same one, or null for numbers that are not
  /// finite.
  mutating func appendJSON(_ number: Double) {
    guard number.isFinite else { return append(contentsOf: "null".utf8) }
    append(contentsOf: number.description.utf8)
  }

  /// The same JSON with line breaks and indentation, for people (`f=pjson`).
  var prettyJSON: [UInt8] {
    var result: [UInt8] = []
    var depth = 0
    var quotes = JSONQuotes()
    func lineBreak(_ depth: Int) -> [UInt8] {
      [0x0A] + [UInt8](repeating: 0x20, count: 1 * Swift.max(depth, 0))
    }
    for (index, byte) in enumerated() {
      if quotes.take(byte) {
        result.append(byte)
        continue
      }
      let isEmpty = index + 1 < count && (self[index + 1] == 0x5D || self[index + 1] == 0x7D)
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        result.append(byte)
        if !isEmpty { result += lineBreak(depth) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        let last = result.last
        if last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { result += lineBreak(depth) }
        result.append(byte)
      case UInt8(ascii: ","):
        result.append(byte)
        result += lineBreak(depth)
      case UInt8(ascii: ":"):
        result += [byte, 0x20]
      default: result.append(byte)
      }
    }
    return result
  }
}
