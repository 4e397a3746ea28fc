import JSONReading

/// A JSON value to be written; members keep their order.
indirect enum JSON: Sendable {
  case object([(String, JSON)])
  case list([JSON])
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case null
  /// Text that is JSON already.
  case ready([UInt8])

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendJSON(member.0)
        bytes.append(UInt8(ascii: ":"))
        member.1.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .text(let text): bytes.appendJSON(text)
    case .integer(let number): bytes.append(contentsOf: String(number).utf8)
    case .number(let number): bytes.appendJSON(number)
    case .boolean(let boolean): bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
    case .null: bytes.append(contentsOf: "null".utf8)
    case .ready(let ready): bytes.append(contentsOf: ready)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int64) { self = .integer(number) }
  init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
  init(arrayLiteral elements: JSON...) { self = .list(elements) }
  init(dictionaryLiteral members: (String, JSON)...) { self = .object(members) }
}

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
