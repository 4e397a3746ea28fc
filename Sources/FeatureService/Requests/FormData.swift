/// The fields of a query string or an urlencoded form.
struct FormData: Sendable, Equatable {
  private var fields: [String: [UInt8]] = [:]

  init() {}

  init(_ bytes: some Collection<UInt8>) { add(bytes) }

  /// Adds fields; existing ones are kept. There are no errors: an invalid escape is kept as it is.
  mutating func add(_ bytes: some Collection<UInt8>) {
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let name = String(decoding: Self.decoded(pair[..<equals], plusIsSpace: true), as: UTF8.self)
      if fields[name] != nil { continue }
      let value = equals == pair.endIndex ? pair[equals...] : pair[equals...].dropFirst()
      fields[name] = Self.decoded(value, plusIsSpace: true)
    }
  }

  func bytes(_ name: String) -> [UInt8]? { fields[name] }

  func text(_ name: String) -> String? {
    fields[name].map { String(decoding: $0, as: UTF8.self) }
  }

  /// Decodes percent escapes (RFC 3986 §2.1) and, in forms, a plus as a space.
  static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      bytes.formIndex(after: &index)
      if byte == UInt8(ascii: "%"), index < bytes.endIndex,
        let high = hexadecimal(bytes[index])
      {
        let next = bytes.index(after: index)
        if next < bytes.endIndex, let low = hexadecimal(bytes[next]) {
          result.append(high << 4 | low)
          index = bytes.index(after: next)
          continue
        }
      }
      result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
    }
    return result
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
