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
  mutating func normal() -> Double {
    var sum: UInt64 = 0
    for _ in 0..<3 {
      let bits = next()
      sum += (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    }
    return (Double(sum) + 6) * 0x1p-16 - 6
  }
}

/// What differs from one day to another in the simulated world, drawn from a run's seed.
///
/// What a scenario states is as it states. Each spread has its nominal value in the middle, and
/// each quantity a stream of random numbers of its own, so that one more draw of one leaves the
/// others as they are. No distributions measured at a race are at hand: all are assumptions,
/// unverified.
public struct Variation: Sendable {
  /// How a quantity is distributed, by quantiles; between them it is uniform.
  struct Spread: Sendable {
    /// Shares of all draws, in ten-thousandths.
    private static let shares: [Int64] = [0, 500, 2500, 5000, 7500, 9500, 10_000]
    /// The least value, that of 5, 25, 50, 75 and 95 % of the draws, and the greatest.
    let values: [Int64]

    init(_ values: [Int64]) {
      precondition(values.count == Self.shares.count)
      self.values = values
    }

    func draw(_ generator: inout SeededGenerator) -> Int64 {
      let share = Int64(generator.whole(in: 0...10_000))
      let upper = Self.shares.dropFirst().firstIndex { share <= $0 } ?? Self.shares.count - 1
      let (from, to) = (Self.shares[upper - 1], Self.shares[upper])
      let rise = values[upper] - values[upper - 1]
      return values[upper - 1] + rise * (share - from) / (to - from)
    }
  }

  // In ten-thousandths of the nominal value.

  /// Of a meter of the battery's voltage, for a whole run: a divider of 1 % resistors that halves
  /// the voltage is off by 1 % at most.
  static let meterGain = Spread([9900, 9930, 9970, 10_000, 10_030, 10_070, 10_100])
  /// Of each of its readings.
  static let meterNoise = Spread([9950, 9970, 9990, 10_000, 10_010, 10_030, 10_050])

  // In percent of the nominal value.

  /// From a modem's readiness to its registration.
  static let registration = Spread([50, 60, 80, 100, 150, 300, 600])
  /// A round trip. It is drawn for each connection and request.
  static let latency = Spread([40, 50, 75, 100, 150, 300, 600])
  /// From a receiver's wake-up to its first fix. Data sheets state the hot start for an open sky;
  /// with a weak signal, that of a SIM5320's receiver takes three times as long when cold.
  static let firstFix = Spread([50, 70, 90, 100, 150, 400, 1500])

  /// `+CSQ`, 0...31: -113 dBm and 2 dB more for each.
  static let signal = Spread([4, 7, 12, 16, 20, 26, 31])
  /// How far the server's clock is ahead, milliseconds: most servers use NTP.
  static let serverClock = Spread([-90_000, -1000, -50, 0, 50, 1000, 90_000])

  /// How far the server's clock is ahead of UTC.
  let serverClockAhead: Milliseconds
  private var registrations: SeededGenerator
  private var latencies: SeededGenerator
  private var firstFixes: SeededGenerator
  private var signals: SeededGenerator
  private var readings: SeededGenerator
  private let gain: Int64

  public init(seed: UInt64) {
    func stream(_ number: UInt64) -> SeededGenerator { SeededGenerator(seed: seed, stream: number) }
    registrations = stream(111)
    latencies = stream(112)
    firstFixes = stream(113)
    signals = stream(114)
    var clock = stream(115)
    serverClockAhead = Milliseconds(Self.serverClock.draw(&clock))
    readings = stream(116)
    gain = Self.meterGain.draw(&readings)
  }

  mutating func registration(_ nominal: Milliseconds) -> Milliseconds {
    nominal.scaled(byPercent: Self.registration.draw(&registrations))
  }

  mutating func latency(_ nominal: Milliseconds) -> Milliseconds {
    nominal.scaled(byPercent: Self.latency.draw(&latencies))
  }

  mutating func firstFix(_ nominal: Milliseconds) -> Milliseconds {
    nominal.scaled(byPercent: Self.firstFix.draw(&firstFixes))
  }

  /// A meter's reading of a voltage, millivolts.
  mutating func reading(_ millivolts: Double) -> Double {
    millivolts * Double(gain * Self.meterNoise.draw(&readings)) / 1e8
  }

  mutating func signal() -> Int64 { Self.signal.draw(&signals) }
}

extension Milliseconds {
  fileprivate func scaled(byPercent percent: Int64) -> Milliseconds {
    Milliseconds(count * percent / 100)
  }
}
