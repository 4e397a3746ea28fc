/// A hash of a run: runs with the same digest did the same.
///
/// 64-bit FNV-1a (Fowler, Noll, Vo), which is not cryptographic.
public struct Digest: Sendable, Equatable {
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  public init() {}

  public mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// Sixteen hexadecimal digits.
  public var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
