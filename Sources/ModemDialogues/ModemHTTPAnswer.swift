import Uplink

/// The parts of an answer received so far.
struct ModemHTTPAnswer: Sendable, Equatable {
  var status: Int32 = 0
  /// Bytes of the body; `nil`: not known, because the server sends it in chunks. Then the modem
  /// marks its end with `+HTTPREAD: 0` (A76XX Series AT Command Manual V1.11).
  var length: Int? = 0
  var headers: [HTTPHeader] = []
  var body: [UInt8] = []
  /// Bytes received of the current piece.
  var pieceBytes = 0

  /// Of a body without a length, the modem has said OK after a piece: its end, if nothing follows.
  var mayBeWhole = false

  /// How many bytes may still come.
  var left: Int { (length ?? ModemBounds.answerBytes) - body.count }
  var isWhole: Bool { length.map { body.count >= $0 } ?? mayBeWhole }

  /// Reads `1,200,57` or `1,200,chunk`: method, status, length.
  static func report(_ text: Substring) -> (code: Int, length: Int?)? {
    let fields = text.split(separator: ",").map { field in field.filter { !$0.isWhitespace } }
    guard fields.count == 3, let code = Int(fields[1]) else { return nil }
    if fields[2].lowercased().hasPrefix("chunk") { return (code, nil) }
    guard let length = Int(fields[2]), length >= 0 else { return nil }
    return (code, length)
  }

  /// Handles a header block, including the status line.
  mutating func take(head bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append(HTTPHeader(String(line[..<colon]), String(value)))
    }
  }
}
