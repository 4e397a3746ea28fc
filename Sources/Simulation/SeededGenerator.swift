import TrackerCore

/// A pseudo-random generator with the same numbers on every machine for the same seed.
///
/// xoshiro256** by David Blackman and Sebastiano Vigna, with its state initialised by SplitMix64 as
/// they recommend (prng.di.unimi.it). Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Equatable {
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64
  private var d: UInt64

  /// - Parameters:
  ///   - seed: any number.
  ///   - stream: a different number for each user of the same seed, so that an additional draw in
  ///     one place does not affect another.
  public init(seed: UInt64, stream: UInt64 = 0) {
    var state = SplitMix64(seed: seed ^ (stream &* 0xD1B5_4A32_D192_ED03))
    a = state.next()
    b = state.next()
    c = state.next()
    d = state.next()
  }

  public mutating func next() -> UInt64 {
    let product = b &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = b << 17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 45) | (d >> 19)
    return result
  }

  /// A number in 0..<1 with 53 random bits.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A whole number in `range`. Its bias is below 1e-12 for every range shorter than a million.
  public mutating func whole(in range: ClosedRange<Int>) -> Int {
    let count = UInt64(range.upperBound - range.lowerBound) &+ 1
    return range.lowerBound + Int(next().multipliedFullWidth(by: count).high)
  }

  /// True once in `count` draws on average.
  public mutating func once(in count: Double) -> Bool { unit() * count < 1 }

  /// An approximately normal number with mean 0 and variance 1, never beyond 6.
  ///
  /// The sum of twelve uniform numbers: this needs no logarithm, which differs between libraries.
  public mutating func normal() -> Double {
    var sum: UInt64 = 0
    for _ in 0..<3 {
      let bits = next()
      sum += (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    }
    return (Double(sum) + 6) * 0x1p-16 - 6
  }
}
