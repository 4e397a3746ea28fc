import LeanUplink
import TrackerCore
import Uplink

// Reads the answer out of the modem.
extension ModemHTTP {
  mutating func take(_ bytes: [UInt8], _ step: Step, at now: Instant) -> [UInt8] {
    if step == .heading {
      answer.take(head: bytes)
      enter(.heading, until: now + ModemBounds.restLimit)
    }
    if step == .reading {
      answer.body += bytes
      answer.pieceBytes += bytes.count
      // The end of the piece is still to be reported.
      if answer.isWhole { enter(.reading, until: now + ModemBounds.restLimit) }
    }
    return []
  }

  /// Requests the next piece of the body.
  mutating func read(at now: Instant) -> [UInt8] {
    if answer.isWhole { return close(answered, at: now) }
    answer.pieceBytes = 0
    // Without a length all of it is one piece: only then does the modem mark the answer's end.
    let count = answer.length == nil ? answer.left : min(ModemBounds.pieceBytes, answer.left)
    return say(
      "\(ModemWebWords.read.text)\(answer.body.count),\(count)", .reading,
      for: ModemBounds.pieceLimit, at: now)
  }

  /// So many bytes follow; none: a piece has ended, and with it an answer without a length. `nil`:
  /// more than expected.
  mutating func readPiece(of count: Int?, at now: Instant) -> [UInt8] {
    guard let count, count > 0 else {
      guard answer.length == nil else { return readOn(at: now) }
      let isEnd = count == 0
      return close(
        isEnd ? answered : broken(.unreadableAnswer), at: now)
    }
    stream.expect(count)
    answer.mayBeWhole = false
    enter(.reading, until: now + ModemBounds.pieceLimit)
    return []
  }

  /// A piece has ended; an empty one is an error.
  mutating func readOn(at now: Instant) -> [UInt8] {
    guard answer.pieceBytes > 0 else {
      return close(broken(.lostAnswer), at: now)
    }
    return read(at: now)
  }

  var answered: ModemHTTPResult {
    ModemHTTPResult(
      reply: .response(status: answer.status, headers: answer.headers, body: answer.body))
  }
}

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

extension ModemHTTPCode {
  var phrase: ModemPhrase {
    switch number {
    case 601, 709, 717: .noConnection
    case 603, 713: .nameNotFound
    case 704: .closed
    case 705: .noAnswer
    case 706, 718: .broke
    case 712, 714: .noServer
    case 710, 715: .tlsFailed
    case 719: .noAuthority
    case 720: .serverTooSlow
    default: .failed
    }
  }
}
