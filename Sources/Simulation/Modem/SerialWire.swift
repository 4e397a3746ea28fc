import TrackerCore

/// One direction of a serial line in virtual time, limited by its baud rate.
struct SerialWire: Sendable {
  private let baud: Int64?
  private var bytes: ArraySlice<UInt8> = []
  private var freeAt = Instant.start
  /// Bytes come out in chunks of this size, as from a UART with a buffer.
  private static let chunk = 64

  /// - Parameter baud: bits per second, 10 per byte; `nil`: no limit.
  init(baud: Int64?) { self.baud = baud.flatMap { $0 > 0 ? $0 : nil } }

  /// When the next bytes come out; `nil`: there are none.
  var nextAt: Instant? { bytes.isEmpty ? nil : freeAt }

  mutating func put(_ new: [UInt8], at now: Instant) {
    guard !new.isEmpty else { return }
    if bytes.isEmpty { freeAt = max(freeAt, now) + time(for: min(new.count, Self.chunk)) }
    bytes += new
  }

  mutating func take(at now: Instant) -> [UInt8] {
    var taken: [UInt8] = []
    while !bytes.isEmpty, freeAt <= now {
      let count = baud == nil ? bytes.count : Self.chunk
      taken += bytes.prefix(count)
      bytes = bytes.dropFirst(count)
      if !bytes.isEmpty { freeAt = freeAt + time(for: min(bytes.count, Self.chunk)) }
    }
    return taken
  }

  private func time(for count: Int) -> Milliseconds {
    // Rounded up, so that the line is never faster than its rate.
    Milliseconds(baud.map { (Int64(count) * 10_000 + $0 - 1) / $0 } ?? 0)
  }
}
