/// One direction of a serial line in virtual time: what is put in comes out as fast as its rate
/// lets it.
struct PacedWire {
  private let baud: Int64?
  private var bytes: ArraySlice<UInt8> = []
  private var freeAt: Int64 = 0
  /// Bytes come out in chunks of this size, as UARTs with a buffer hand them on.
  private static let chunk = 64

  /// - Parameter baud: bits per second, 10 to a byte; `nil`: everything at once.
  init(baud: Int64?) { self.baud = baud }

  /// When something comes out, milliseconds.
  var nextAt: Int64? { bytes.isEmpty ? nil : freeAt }

  mutating func put(_ new: [UInt8], at now: Int64) {
    guard !new.isEmpty else { return }
    if bytes.isEmpty { freeAt = max(freeAt, now) + time(for: min(new.count, Self.chunk)) }
    bytes += new
  }

  mutating func take(at now: Int64) -> [UInt8] {
    guard let baud, baud > 0 else {
      defer { bytes = [] }
      return Array(bytes)
    }
    var taken: [UInt8] = []
    while !bytes.isEmpty, freeAt <= now {
      taken += bytes.prefix(Self.chunk)
      bytes = bytes.dropFirst(Self.chunk)
      if !bytes.isEmpty { freeAt += time(for: min(bytes.count, Self.chunk)) }
    }
    return taken
  }

  private func time(for count: Int) -> Int64 {
    // Rounded up: a line is never faster than its rate.
    baud.map { (Int64(count) * 10_000 + $0 - 1) / $0 } ?? 0
  }
}
