/// A deterministic pseudo-random generator: SplitMix64 (Steele, Lea, Flood 2014). One word of
/// state; not for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable, Equatable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    defer { state &+= Self.step }
    return Self.mix(state)
  }

  /// The first number for a seed; every bit of it depends on every bit of the seed.
  static func mix(_ seed: UInt64) -> UInt64 {
    var word = seed &+ step
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
}

/// Seeded random numbers that keep forty trackers from connecting at the same moment after an
/// outage.
struct Jitter: Sendable, Equatable {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { numbers.next() }

  /// 75 % to 125 % of a delay.
  mutating func around(_ delay: Milliseconds) -> Milliseconds {
    Milliseconds(delay.count * Int64(75 + next() % 51) / 100)
  }
}
