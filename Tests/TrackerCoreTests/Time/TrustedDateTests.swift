import NMEA
import Testing

@testable import TrackerCore

/// When a date is believed.
@Suite struct TrustedDateTests {
  static let day: Int64 = 86_400_000
  /// 2026-06-01T08:00:00Z.
  static let now: Int64 = 1_780_300_800_000
  static let rollover: Int64 = 1024 * 7 * day

  struct Tape {
    var clock = Clock(notBefore: Configuration().notBefore)
    /// Hears a date; returns whether the clock is then trusted.
    mutating func hear(_ utc: Int64?, at now: Int64, hasFix: Bool = true) -> Bool {
      var epoch = Epoch()
      epoch.mode = hasFix ? .threeDimensional : .noFix
      if let utc {
        epoch.dayNumber = Int32(utc / day)
        epoch.timeOfDayMilliseconds = Int32(utc % day)
      }
      _ = clock.hear(epoch, at: .at(now))
      return clock.isTrusted
    }
    /// Hears a date a second apart until it is trusted or has been heard ten times.
    mutating func settle(_ utc: Int64, from start: Int64, hasFix: Bool = true) -> Int {
      for count in 0..<10 {
        let elapsed = Int64(count) * 1000
        if hear(utc + elapsed, at: start + elapsed, hasFix: hasFix) { return count + 1 }
      }
      return .max
    }
  }

  @Test func `A date is trusted after three reports that advance with the monotonic clock`() {
    var tape = Tape()
    #expect(tape.clock.utc(at: .at(0)) == nil, again(Self.self))
    #expect(tape.settle(Self.now, from: 500) == 4, again(Self.self))
    #expect(tape.clock.utc(at: .at(60_500)) == UTC(milliseconds: Self.now + 60_000))
    #expect(tape.clock.correctionWeeks == 0, again(Self.self))
  }

  @Test(arguments: [(Int64(5000), true), (5001, false), (-5000, true), (-5001, false)])
  func `A step beyond five seconds costs the trust, and the new date earns it again`(
    _ step: Int64, _ isTrusted: Bool
  ) {
    var tape = Tape()
    _ = tape.settle(Self.now, from: 0)
    #expect(tape.hear(Self.now + 60_000 + step, at: 60_000) == isTrusted, again(Self.self))
    let next = Self.now + 61_000 + step
    #expect(tape.settle(next, from: 61_000) == (isTrusted ? 1 : 3), again(Self.self))
  }

  @Test(arguments: [(Int64(1), Int32(1024)), (2, 2048)])
  func `A week rollover is put right`(_ rollovers: Int64, _ weeks: Int32) {
    var tape = Tape()
    let raw = Self.now - rollovers * Self.rollover
    #expect(tape.settle(raw, from: 0) == 4, again(Self.self))
    #expect(tape.clock.correctionWeeks == weeks, again(Self.self))
    #expect(tape.clock.utc(at: .at(3000)) == UTC(milliseconds: Self.now + 3000))
  }

  @Test func `A rollover in mid-race keeps the trust`() {
    var tape = Tape()
    _ = tape.settle(Self.now, from: 0)
    #expect(tape.hear(Self.now + 10_000 - Self.rollover, at: 10_000) == true, again(Self.self))
    #expect(tape.clock.utc(at: .at(10_000)) == UTC(milliseconds: Self.now + 10_000))
  }

  static let wrong: [Int64] = [
    // An old recording: 2012-10-06. A rollover later is 2032, too far from the build date.
    Int64(1_349_517_600_000),
    // Clocks that were never set: 1970, 1979, the first day of GPS.
    0, 1000, 315_000_000_000, 315_964_800_000,
    // Later than anybody will run this build.
    1_767_225_600_000 + 88 * 366 * 86_400_000,
    4_102_444_800_000,
  ]

  @Test(arguments: wrong)
  func `A date that is neither right nor a rollover is not trusted, and not changed`(_ raw: Int64) {
    var tape = Tape()
    #expect(tape.settle(raw, from: 0) == .max, again(Self.self))
    #expect(tape.clock.correctionWeeks == 0, again(Self.self))
    #expect(tape.clock.utc(at: .at(9000)) == UTC(milliseconds: raw + 9000), again(Self.self))
  }

  @Test func `The dates at the bounds of belief`() {
    let build = Configuration().notBefore.milliseconds
    let latest = build + Bounds.believableSpan.count
    let corrected = build + Bounds.correctableSpan.count
    for (raw, isBelieved) in [
      (build, true), (latest - 10_000, true), (latest + 1, false),
      (build - 10_000, false), (corrected - 10_000 - Self.rollover, true),
      (corrected + 1 - Self.rollover, false),
    ] {
      var tape = Tape()
      // Standing still at the bound is within the tolerance.
      for second in Int64(0)..<4 { _ = tape.hear(raw, at: second * 1000) }
      #expect(tape.clock.isTrusted == isBelieved, again(Self.self, "\(raw - build) ms;"))
    }
  }

  @Test func `A receiver without a fix proves nothing, but what it said counts once it has one`() {
    var tape = Tape()
    #expect(tape.settle(Self.now, from: 0, hasFix: false) == .max, again(Self.self))
    #expect(tape.hear(Self.now + 10_000, at: 10_000) == true, again(Self.self))
    #expect(
      tape.hear(Self.now + 11_000, at: 11_000, hasFix: false) == true, "a tunnel costs no trust")
  }

  @Test func `A leap second is no step`() {
    var tape = Tape()
    let midnight = Self.now / Self.day * Self.day + Self.day
    _ = tape.settle(midnight - 10_000, from: 0)
    var epoch = Epoch()
    epoch.mode = .threeDimensional
    epoch.dayNumber = Int32(midnight / Self.day) - 1
    epoch.timeOfDayMilliseconds = 86_400_000
    let date = tape.clock.hear(epoch, at: .at(10_000))
    #expect(tape.clock.isTrusted && date == UTC(milliseconds: midnight), again(Self.self))
    #expect(tape.hear(midnight, at: 11_000) == true, again(Self.self))
    #expect(tape.hear(midnight + 1000, at: 12_000) == true, again(Self.self))
  }

  @Test func `A report without a date changes nothing`() {
    var tape = Tape()
    _ = tape.settle(Self.now, from: 0)
    let before = tape.clock
    #expect(tape.hear(nil, at: 500_000) == true, again(Self.self))
    #expect(tape.clock == before, again(Self.self))
  }

  @Test func `Extreme dates and instants do not trap`() {
    for notBefore: Int64 in [.min, 0, .max] {
      var clock = Clock(notBefore: UTC(milliseconds: notBefore))
      for day: Int32 in [.min, .max, 0, 20_000, .min] {
        for now: Int64 in [.min, .max, 0, -1, .min + 1, .max - 1] {
          var epoch = Epoch()
          epoch.mode = .twoDimensional
          epoch.dayNumber = day
          epoch.timeOfDayMilliseconds = now < 0 ? .min : .max
          _ = clock.hear(epoch, at: .at(now))
          _ = clock.utc(at: .at(0 &- now))
        }
      }
    }
  }
}
