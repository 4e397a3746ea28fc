import TrackerCore

/// A dialogue with a modem; while it is active, all bytes from the modem go to it.
protocol ModemDialogue: Sendable {
  var isActive: Bool { get }
  var stream: ModemStream { get set }
  /// - Returns: what to send.
  mutating func hear(_ piece: ModemStream.Piece, at now: Instant) -> [UInt8]
}

extension ModemDialogue {
  /// Handles bytes from the modem. Those after the end of the dialogue are ignored.
  ///
  /// - Returns: what to send.
  mutating func receive(_ bytes: some Sequence<UInt8>, at now: Instant) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes where isActive {
      guard let piece = stream.take(byte) else { continue }
      output += hear(piece, at: now)
    }
    return output
  }
}
