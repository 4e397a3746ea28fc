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
      "AT+HTTPREAD=\(answer.body.count),\(count)", .reading, for: ModemBounds.pieceLimit, at: now)
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
