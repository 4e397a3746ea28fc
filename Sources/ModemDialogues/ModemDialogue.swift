import TrackerCore

/// A conversation with a modem; while it is active, the modem's bytes belong to it.
protocol ModemDialogue: Sendable {
  var isActive: Bool { get }
  var stream: ModemStream { get set }
  /// - Returns: what to send.
  mutating func hear(_ piece: ModemStream.Piece, at now: Instant) -> [UInt8]
}

extension ModemDialogue {
  /// Takes in what the modem says. What comes after the dialogue's end is ignored.
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
