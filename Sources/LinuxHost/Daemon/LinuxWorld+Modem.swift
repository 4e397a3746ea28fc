import CaptureStore
import ModemDialogues
import TrackerCore
import Uplink

// The daemon's own dialogues with the modem.
extension LinuxWorld {
  /// Reads a readable line; hides a PIN that a modem repeats.
  ///
  /// - Returns: how many bytes are in the buffer.
  mutating func hear(
    _ entry: Line, _ revents: Int16, into buffer: inout MutableSpan<UInt8>
  ) -> Int {
    guard entry.role == .modem, pinMask != nil else {
      return entry.line.ready(revents, at: now, into: &buffer)
    }
    // Leave room for what the mask has held back.
    var came = [UInt8](repeating: 0, count: buffer.count - PINMask.longestPIN)
    var room = came.mutableSpan
    let count = entry.line.ready(revents, at: now, into: &room)
    came.removeSubrange(count...)
    // The bytes of a request are not recorded, and a body must not be changed.
    let passed =
      modemOperations.isActive ? (pinMask?.release() ?? []) + came : pinMask?.pass(came) ?? []
    for (place, byte) in passed.enumerated() { buffer[place] = byte }
    return passed.count
  }

  /// Passes bytes to the current operation.
  ///
  /// - Returns: how many bytes are in the buffer, for the core: before it hears of the operation's
  ///   end.
  mutating func hearModem(_ bytes: [UInt8], into buffer: inout MutableSpan<UInt8>) -> Int {
    sayToModem(modemOperations.receive(bytes, at: now))
    handleCompletedOperations()
    let news = modemOperations.takeNews().prefix(buffer.count)
    for (place, byte) in news.enumerated() { buffer[place] = byte }
    return news.count
  }

  /// Handles deadlines and completed operations.
  mutating func tendModem() {
    sayToModem(modemOperations.deadlineReached(at: now))
    handleCompletedOperations()
  }

  /// Ends the request if the line does not accept the bytes: a modem waiting for the rest would
  /// take the next commands for it.
  mutating func sayToModem(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, let modem = parts.modem else { return }
    foreignTalk.sent(bytes)
    if modem.send(bytes, at: now) { return }
    log.write(.warning, "the modem's line accepts no data", ["bytes": "\(bytes.count)"])
    modem.discardUnsent()
    let closing = modemOperations.lineRefused(at: now)
    guard modem.isConnected, closing.isEmpty || modem.send(closing, at: now) else {
      _ = modemOperations.abandon(.lineLost)
      return
    }
  }

  /// The modem is needed for something else: ends the current operation without a result.
  mutating func endModemOperations() {
    sayToModem(modemOperations.abandon(.needed))
    handleCompletedOperations()
  }

  private mutating func handleCompletedOperations() {
    while let event = modemOperations.takeCompleted() {
      switch event {
      case .texted(let id, let wasSent):
        completions.append(.textFinished(id, wasSent: wasSent))
      case .replied(let result):
        modemProblem = result.problem.map { ($0, result.cause) }
        go(courier.receive(result.reply, at: clock.hostTime))
        if result.isNetworkLost { completions.append(.linkChanged(isUp: false)) }
      }
    }
  }

  /// Sends one short message with the last stored position.
  mutating func sendText(_ id: RequestID) {
    guard parts.modem != nil, let number = parts.textTo, let capture = status.lastCapture?.capture
    else {
      completions.append(.textFinished(id, wasSent: false))
      return
    }
    sayToModem(
      modemOperations.begin(id, to: number, text: PositionText.text(of: capture), at: now))
  }
}
