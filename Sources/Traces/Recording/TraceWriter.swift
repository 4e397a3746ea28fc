/// Writes records as the lines of a trace.
struct TraceWriter {
  var bytes: [UInt8] = []
  /// The fields of the record being written; `end` turns them into sentences.
  var fields = FieldWriter()

  /// Before a body come `$PTRK`, the letter and a comma; after it `*hh` CR LF.
  private static let bodyBytes = TraceBounds.sentenceBytes - 7 - 5

  /// Ends a record: one sentence, or several if it does not fit into one.
  mutating func end(_ kind: RecordKind) {
    let body = fields.bytes
    var start = 0
    while body.count - start > Self.bodyBytes {
      let end = Self.cut(body, near: start + Self.bodyBytes)
      sentence(.more, body[start..<end])
      start = end
    }
    sentence(kind, body[start...])
    fields.clear()
  }

  /// Writes escaped bytes of a receiver; each sentence is a record.
  mutating func receiver(_ raw: some Collection<UInt8>) {
    var escaped = FieldWriter()
    escaped.text([UInt8](raw).span)
    let body = escaped.bytes
    var start = 0
    while start < body.count {
      let end = Self.cut(body, near: min(body.count, start + Self.bodyBytes))
      sentence(.receiver, body[start..<end])
      start = end
    }
  }

  /// Writes the TAG block of a receiver's chunk, on a separate line, because some readers look for
  /// sentences at the beginning of a line only (gpsbabel 1.8).
  mutating func tag(_ milliseconds: Int64) {
    bytes.append(.backslash)
    let start = bytes.count
    bytes.append("s:gnss,c:")
    bytes.append(number: milliseconds)
    checksum(from: start)
    bytes.append("\\\r\n")
  }

  mutating func comment(_ text: String) {
    bytes.append("# ")
    // Without control characters, so that a comment stays on one line.
    for byte in text.utf8.prefix(400) where byte >= 0x20 && byte != 0x7F { bytes.append(byte) }
    bytes.append("\r\n")
  }

  private mutating func sentence(_ kind: RecordKind, _ body: ArraySlice<UInt8>) {
    bytes.append(.dollar)
    let start = bytes.count
    bytes.append("PTRK")
    bytes.append(kind.rawValue)
    bytes.append(.comma)
    bytes.append(contentsOf: body)
    checksum(from: start)
    bytes.append("\r\n")
  }

  private mutating func checksum(from start: Int) {
    let sum = bytes[start...].reduce(0, ^)
    bytes.append(.star)
    bytes.append(hexadecimal: sum)
  }

  /// Where to split a body without splitting an escape.
  private static func cut(_ body: [UInt8], near end: Int) -> Int {
    if end == body.count { return end }
    if body[end - 1] == .caret { return end - 1 }
    return body[end - 2] == .caret ? end - 2 : end
  }
}
