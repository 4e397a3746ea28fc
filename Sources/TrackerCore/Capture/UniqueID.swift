/// A universally unique identifier (RFC 9562), as two halves of 64 bits.
public struct UniqueID: Sendable, Equatable, Hashable {
  /// The first eight bytes, in big-endian order.
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identifier of one capture of a device. It is always the same, so that a server can
  /// recognise a capture that it has already.
  ///
  /// A UUID of version 8 (RFC 9562 §5.8). 32 bits hold the sequence number, XORed with bits of the
  /// device's identifier, so no two captures of a device share one; the other 90 are a hash of the
  /// device's identifier.
  public init(device: UniqueID, sequence: UInt32) {
    let mixed = SplitMix64.mix(device.high ^ SplitMix64.mix(device.low))
    let tail = UInt64(sequence ^ UInt32(truncatingIfNeeded: mixed))
    let rest = SplitMix64.mix(device.low ^ mixed)
    high = (mixed & ~0xF000) | 0x8000
    low = 0x8000_0000_0000_0000 | (rest >> 2 & 0x3FFF_FFFF_0000_0000) | tail
  }
}

extension UniqueID {
  /// The next identifier to try for a capture whose identifier `taken` belongs to another capture
  /// on the server, because two devices have the same identity (a copied card).
  ///
  /// It is derived from what distinguishes the two captures, time and position, so that it is the
  /// same whichever way the capture reaches the server.
  public init(replacing taken: UniqueID, of capture: Capture) {
    let place =
      UInt64(UInt32(bitPattern: capture.position.latitude)) << 32
      | UInt64(UInt32(bitPattern: capture.position.longitude))
    let time = UInt64(bitPattern: capture.utc?.milliseconds ?? .min)
    let first = SplitMix64.mix(taken.high ^ SplitMix64.mix(place ^ SplitMix64.mix(time)))
    let second = SplitMix64.mix(taken.low ^ first)
    high = (first & ~0xF000) | 0x8000
    low = 1 << 63 | (second & 0x3FFF_FFFF_FFFF_FFFF)
  }
}
