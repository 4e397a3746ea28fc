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
