/// The fields of a query string or a form. As in ArcGIS, their names are the same in capitals:
/// some clients write `outfields`.
struct FormData: Sendable, Equatable {
  private var fields: [String: [UInt8]] = [:]
  /// Whether there were more than `Bounds.formFields`; the others were dropped.
  private(set) var hasTooMany = false
  /// A field of more than `Bounds.textBytes` that is not a list of features, which are read one by
  /// one.
  private(set) var longField: String?

  init() {}

  init(_ bytes: some Collection<UInt8>) { add(bytes) }

  /// Adds urlencoded fields; existing ones are kept. There are no errors: an invalid escape is kept
  /// as it is.
  mutating func add(_ bytes: some Collection<UInt8>) {
    // Not split as a whole: the places of eight million empty pairs take 300 MB.
    var rest = bytes[...]
    while !rest.isEmpty, !hasTooMany {
      let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
      let pair = rest[..<end]
      rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
      if pair.isEmpty { continue }
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let name = String(decoding: Self.decoded(pair[..<equals], plusIsSpace: true), as: UTF8.self)
      let value = equals == pair.endIndex ? pair[equals...] : pair[equals...].dropFirst()
      add(name) { Self.decoded(value, plusIsSpace: true) }
    }
  }

  /// Adds one field, unless there is one of that name.
  mutating func add(_ name: String, _ value: () -> [UInt8]) {
    let name = name.lowercased()
    if fields[name] != nil { return }
    guard fields.count < Bounds.formFields else {
      hasTooMany = true
      return
    }
    let value = value()
    if value.count > Bounds.textBytes, !["features", "adds", "updates"].contains(name) {
      longField = name
      return
    }
    fields[name] = value
  }

  func bytes(_ name: String) -> [UInt8]? { fields[name.lowercased()] }

  func text(_ name: String) -> String? {
    bytes(name).map { String(decoding: $0, as: UTF8.self) }
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
