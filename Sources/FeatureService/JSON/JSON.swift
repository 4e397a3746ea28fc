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
