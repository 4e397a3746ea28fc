/// Seeded numbers that keep forty trackers from calling at the same moment after an outage.
///
/// SplitMix64 (Steele, Lea, Flood 2014): one word of state, good enough for jitter.
struct Jitter: Sendable, Equatable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// 75 % to 125 % of a delay.
  mutating func around(_ delay: Milliseconds) -> Milliseconds {
    Milliseconds(delay.count * Int64(75 + next() % 51) / 100)
  }
}
