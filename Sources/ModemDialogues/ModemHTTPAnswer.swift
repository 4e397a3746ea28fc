import Uplink

/// The parts of an answer received so far.
struct ModemHTTPAnswer: Sendable, Equatable {
  var status: Int32 = 0
  var length = 0
  var headers: [HTTPHeader] = []
  var body: [UInt8] = []
  /// Bytes received of the current piece.
  var pieceBytes = 0

  var isWhole: Bool { body.count >= length }

  /// Reads `1,200,57`: method, status, length.
  static func report(_ text: Substring) -> (code: Int, length: Int)? {
    let fields = text.split(separator: ",").map { field in
      Int(field.filter { !$0.isWhitespace })
    }
    guard fields.count == 3, let code = fields[1], let length = fields[2], length >= 0 else {
      return nil
    }
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
