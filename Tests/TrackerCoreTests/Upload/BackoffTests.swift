import Testing

@testable import TrackerCore

@Suite struct BackoffTests {
  static let table: [(failures: Int32, seconds: Int64)] = [
    (.min, 15), (0, 15), (1, 15), (2, 30), (3, 60), (4, 120), (5, 300), (6, 600), (7, 1200),
    (8, 1800), (9, 1800), (100, 1800), (.max, 1800),
  ]

  @Test(arguments: table)
  func `The wait follows the table`(_ failures: Int32, _ seconds: Int64) {
    #expect(Backoff.delay(failures: failures) == .seconds(seconds), again(Self.self))
  }

  @Test func `Waits stay within a quarter of the table for every seed, and are spread out`() {
    var first: Set<Int64> = []
    for seed in UInt64(0)..<500 {
      var tape = UploaderTape(Self.self, pending: 5, seed: seed &* 0x9E37_79B9)
      _ = tape.play(.begin, at: .at(0))
      var now = Instant.start
      for failure in 1...10 {
        _ = tape.play(.uploaded(UInt32(failure), .unreachable, pending: 5), at: now)
        let wait = tape.wait.map { ($0.until - now).count } ?? -1
        let delay = Backoff.delay(failures: Int32(failure)).count
        let isWithin = wait >= delay * 75 / 100 && wait <= delay * 125 / 100
        #expect(isWithin, again(Self.self, "seed \(seed), failure \(failure): \(wait) ms;"))
        if failure == 1 { first.insert(wait) }
        now = tape.wait?.until ?? now
        _ = tape.resume()
      }
    }
    #expect(first.count > 45, "forty trackers must not call together: \(first.count) waits")
  }

  @Test func `A success begins the table anew`() {
    var tape = UploaderTape(Self.self, pending: 5)
    _ = tape.play(.begin, at: .at(0))
    for id: UInt32 in 1...6 {
      _ = tape.play(.uploaded(id, .unreachable, pending: 5), at: .at(0))
      _ = tape.resume()
    }
    _ = tape.play(.uploaded(7, .took(1), pending: 4), at: .at(0))
    _ = tape.play(.uploaded(8, .unreachable, pending: 4), at: .at(0))
    #expect(tape.wait.map { $0.until <= .at(18_750) } == true, again(Self.self))
  }

  @Test func `A question that brought captures home begins the table anew`() {
    var tape = UploaderTape(Self.self, pending: 5)
    _ = tape.play(.begin, at: .at(0))
    for id: UInt32 in 1...6 {
      _ = tape.play(.uploaded(id, .unreachable, pending: 5), at: .at(0))
      _ = tape.resume()
    }
    tape.at(0, .uploaded(7, .ambiguous, pending: 5), .reconcile(8))
    tape.at(0, .reconciled(8, .settled(confirmed: 1), pending: 4), .upload(9, .oldest(50)))
    tape.at(0, .uploaded(9, .unreachable, pending: 4))
    #expect(tape.wait.map { $0.until <= .at(18_750) } == true, again(Self.self))
  }

  @Test(arguments: [
    (Milliseconds(Int64.min), Int64(11), Int64(19)), (-5, 11, 19), (0, 11, 19),
    (.seconds(1), 11, 19), (.seconds(300), 300, 300), (.minutes(60), 3600, 3600),
    (.seconds(3601), 3600, 3600), (Milliseconds(.max), 3600, 3600), (.seconds(.max), 3600, 3600),
  ])
  func `Retry-After is honoured up to an hour, and never makes a wait shorter`(
    _ retryAfter: Milliseconds, _ least: Int64, _ most: Int64
  ) {
    var tape = UploaderTape(Self.self, pending: 5)
    _ = tape.play(.begin, at: .at(0))
    let busy = UploadOutcome.busy(status: 503, retryAfter: retryAfter)
    _ = tape.play(.uploaded(1, busy, pending: 5), at: .at(0))
    let until = tape.wait?.until ?? .at(-1)
    let isWithin = until >= .at(least * 1000) && until <= .at(most * 1000)
    #expect(isWithin, again(Self.self, "\(until);"))
  }

  @Test func `Jitter is the same for the same seed`() {
    var one = Jitter(seed: 3)
    var other = Jitter(seed: 3)
    for _ in 0..<100 { #expect(one.next() == other.next(), again(Self.self)) }
    // The reference values of SplitMix64 for seed 1234567
    // (rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64).
    var reference = Jitter(seed: 1_234_567)
    #expect(reference.next() == 6_457_827_717_110_365_317, again(Self.self))
    #expect(reference.next() == 3_203_168_211_198_807_973, again(Self.self))
  }
}
