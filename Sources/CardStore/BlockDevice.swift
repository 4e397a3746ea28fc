/// A memory card, or a file in place of one: blocks of 512 bytes, each written as a whole.
public protocol BlockDevice: ~Copyable {
  var blockCount: UInt32 { get }
  /// Starts a card anew that could not be read; `blockCount` may be another one then.
  mutating func begin()
  /// - Returns: `false` if the block cannot be read.
  mutating func read(_ number: UInt32, into block: inout Block) -> Bool
  /// Returns when the block is on the card. If the power fails before, the card may have the old
  /// block, the new one, or neither.
  ///
  /// - Returns: `false` if it may not be on the card.
  mutating func write(_ block: inout Block, to number: UInt32) -> Bool
}

extension BlockDevice where Self: ~Copyable {
  public mutating func begin() {}
}

/// The bytes of a block. Numbers lie in it with their lowest byte first. It is never copied, and
/// passed `inout` even to be read: what is only borrowed is copied at this size, and a controller
/// has little stack.
public struct Block: ~Copyable, Sendable {
  public static let size = 512

  public var bytes = InlineArray<512, UInt8>(repeating: 0)

  public init() {}

  mutating func clear() {
    for index in 0..<Self.size { bytes[index] = 0 }
  }

  @inline(never) mutating func put(_ value: UInt64, _ count: Int, at place: Int) {
    for index in 0..<count {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  mutating func put(_ value: UInt32, at place: Int) { put(UInt64(value), 4, at: place) }
  mutating func put(_ value: Int32, at place: Int) { put(UInt32(bitPattern: value), at: place) }

  @inline(never) mutating func number(_ count: Int, at place: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[place + index]) << UInt64(8 * index) }
    return value
  }

  mutating func number(at place: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(4, at: place)) }
  mutating func signed(at place: Int) -> Int32 { Int32(bitPattern: number(at: place)) }

  // MARK: The seal

  /// Each block begins with the mark of its kind, a checksum of what follows, and the number of the
  /// log that it belongs to.
  static let content = 16

  @inline(never) mutating func seal(_ mark: UInt32, of log: UInt64) {
    put(mark, at: 0)
    put(log, 8, at: 8)
    put(checksum(), at: 4)
  }

  @inline(never) mutating func isSealed(_ mark: UInt32) -> Bool {
    number(at: 0) == mark && number(at: 4) == checksum()
  }

  mutating func log() -> UInt64 { number(8, at: 8) }

  /// Tells one content from another.
  mutating func fingerprint() -> UInt64 { number(8, at: 0) ^ UInt64(checksum()) << 16 }

  /// CRC-32 as of IEEE 802.3, reflected.
  private mutating func checksum() -> UInt32 {
    var remainder = ~UInt32(0)
    for index in 8..<Self.size {
      remainder ^= UInt32(bytes[index])
      for _ in 0..<8 { remainder = remainder >> 1 ^ (0xEDB8_8320 & (0 &- (remainder & 1))) }
    }
    return ~remainder
  }
}
