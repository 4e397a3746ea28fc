/// The fields of a query string and of an urlencoded form, as a server reads them (WHATWG URL
/// standard §5.1).
struct RequestForm {
  private var fields: [String: [UInt8]] = [:]

  init(query: String, body: [UInt8]) {
    for part in [Array(query.utf8), body] {
      for pair in part.split(separator: UInt8(ascii: "&")) {
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        let key = String(decoding: Self.decoded(name), as: UTF8.self)
        // What comes first counts: the address wins over the body.
        if fields[key] == nil { fields[key] = Self.decoded(pair.dropFirst(name.count + 1)) }
      }
    }
  }

  func bytes(_ name: String) -> [UInt8]? { fields[name] }

  /// A field's text; empty is as good as absent.
  func text(_ name: String) -> String? {
    guard let bytes = fields[name], !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Throws: that it is neither true nor false.
  func flag(_ name: String, default other: Bool) throws(ServiceError) -> Bool {
    switch text(name)?.lowercased() {
    case nil: return other
    case "true", "1": return true
    case "false", "0": return false
    default: throw .invalid(name)
    }
  }

  /// Undoes percent escapes and the plus for a space; an escape that is none stands for itself.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else {
        result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      result.append(value)
      rest.removeFirst(2)
    }
    return result
  }
}
