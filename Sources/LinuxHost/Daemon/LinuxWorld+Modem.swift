import CaptureStore
import ModemDialogues
import TrackerCore
import Uplink

// What the daemon itself says to the modem, and what comes of it.
extension LinuxWorld {
  /// Reads a line that is readable; what a modem repeats of the PIN is hidden.
  ///
  /// - Returns: how many bytes are in the buffer.
  mutating func hear(
    _ entry: Line, _ revents: Int16, into buffer: inout MutableSpan<UInt8>
  ) -> Int {
    guard entry.role == .modem, pinMask != nil else {
      return entry.line.ready(revents, at: now, into: &buffer)
    }
    // Less than the buffer holds, for the sake of what the mask has held back.
    var came = [UInt8](repeating: 0, count: buffer.count - PINMask.longestPIN)
    var room = came.mutableSpan
    let count = entry.line.ready(revents, at: now, into: &room)
    came.removeSubrange(count...)
    // A request's bytes are recorded nowhere, and a body must stay as it is.
    let passed =
      modemOperations.isActive ? (pinMask?.release() ?? []) + came : pinMask?.pass(came) ?? []
    for (place, byte) in passed.enumerated() { buffer[place] = byte }
    return passed.count
  }

  mutating func hearModem(_ bytes: [UInt8]) {
    sayToModem(modemOperations.receive(bytes, at: now))
    handleCompletedOperations()
  }

  /// What is due, and what has ended.
  mutating func tendModem() {
    sayToModem(modemOperations.deadlineReached(at: now))
    handleCompletedOperations()
  }

  /// What the line does not take ends the request: a modem that waits for the rest of one would
  /// take the next commands for it.
  mutating func sayToModem(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, let modem = parts.modem, !modem.send(bytes, at: now) else { return }
    log.write(.warning, "the modem's line refuses", ["bytes": "\(bytes.count)"])
    modem.discardUnsent()
    let closing = modemOperations.lineRefused(at: now)
    guard modem.isConnected, closing.isEmpty || modem.send(closing, at: now) else {
      _ = modemOperations.abandon()
      return
    }
  }

  /// The modem is wanted for something else: what is under way with it ends without a result.
  mutating func endModemOperations() {
    sayToModem(modemOperations.abandon())
    handleCompletedOperations()
  }

  private mutating func handleCompletedOperations() {
    while let event = modemOperations.takeCompleted() {
      switch event {
      case .texted(let id, let wasSent):
        completions.append(.textFinished(id, wasSent: wasSent))
      case .replied(let result):
        modemProblem = result.problem
        go(courier.receive(result.reply, at: clock.moment))
        if result.isNetworkLost { completions.append(.linkChanged(isUp: false)) }
      }
    }
  }

  /// One short message with the freshest position that there is.
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
