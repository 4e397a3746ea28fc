/// The fields of a query string or a form. As in ArcGIS, their names are the same in capitals:
/// some clients write `outfields`.
struct FormData: Sendable, Equatable {
  private var fields: [String: [UInt8]] = [:]
  /// Whether there were more than `Bounds.formFields`; the others were dropped.
  private(set) var hasTooMany = false
  /// A field of more than `Bounds.textBytes` that is not a list of features, which are read one by
  /// one.
  private(set) var longField: String?

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

/// The fields of a `multipart/form-data` body (RFC 7578), as browsers, curl and requests send them.
struct Multipart {
  /// Why a body cannot be read.
  struct FormatError: Error, Equatable {
    var detail: String
  }

  /// `--` and the boundary.
  private let delimiter: [UInt8]

  /// - Parameter type: the Content-Type.
  /// - Returns: `nil` if it is of another kind.
  init?(type: String) throws(FormatError) {
    let parts = type.split(separator: ";").map(\.trimmed)
    guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
    let mark = "boundary="
    guard let part = parts.dropFirst().first(where: { $0.lowercased().hasPrefix(mark) }) else {
      throw FormatError(detail: "Its type names no boundary.")
    }
    let boundary = Self.unquoted(part.dropFirst(mark.count))
    // RFC 2046 §5.1.1.
    guard (1...70).contains(boundary.utf8.count) else {
      throw FormatError(detail: "The boundary that its type names is not valid.")
    }
    delimiter = Array("--\(boundary)".utf8)
  }

  /// Adds the parts of a body to a form; existing fields are kept.
  func add(_ body: [UInt8], to form: inout FormData) throws(FormatError) {
    guard var start = place(in: body[...]).map({ $0 + delimiter.count }) else {
      throw FormatError(detail: "Its boundary is not in it.")
    }
    while !body[start...].starts(with: Array("--".utf8)) {
      guard let head = Self.place(of: Self.blankLine, in: body[start...]),
        let end = place(in: body[(head + Self.blankLine.count - 2)...])
      else { throw FormatError(detail: "It ends within a part.") }
      guard let name = Self.name(String(decoding: body[start..<head], as: UTF8.self)) else {
        throw FormatError(detail: "A part has no name.")
      }
      // The line end before the delimiter belongs to that.
      let value = head + Self.blankLine.count
      form.add(name) { Array(body[value..<max(value, end - 2)]) }
      if form.hasTooMany { return }
      start = end + delimiter.count
    }
  }

  private static let blankLine = Array("\r\n\r\n".utf8)

  /// Where the next delimiter begins, which is at the start of a line.
  private func place(in bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.startIndex == 0, bytes.starts(with: delimiter) { return 0 }
    return Self.place(of: Array("\r\n".utf8) + delimiter, in: bytes).map { $0 + 2 }
  }

  private static func place(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      guard buffer.count >= wanted.count else { return nil }
      for start in 0...(buffer.count - wanted.count) where buffer[start] == wanted[0] {
        if buffer[start..<(start + wanted.count)].elementsEqual(wanted) {
          return bytes.startIndex + start
        }
      }
      return nil
    }
  }

  /// The field's name, from a part's headers.
  private static func name(_ headers: String) -> String? {
    for line in headers.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ";").map(\.trimmed)
      guard parts.first?.lowercased() == "content-disposition: form-data" else { continue }
      let mark = "name="
      return parts.first { $0.lowercased().hasPrefix(mark) }
        .map { unquoted($0.dropFirst(mark.count)) }
    }
    return nil
  }

  private static func unquoted(_ text: some StringProtocol) -> String {
    let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
    return isQuoted ? String(text.dropFirst().dropLast()) : String(text)
  }
}
