import Testing

@testable import TrackerCore

/// What is expected of the cold by the time of day.
@Suite struct NightTests {
  private func ahead(_ hours: Int64, from hour: Int64) -> Int64 {
    Night.coolingAhead(within: .hours(hours), from: .hours(hour))
  }

  @Test func `It is warmest in the afternoon and coldest at sunrise, without a jump between`() {
    #expect(Night.cold(at: .hours(15)) == 0 && Night.cold(at: .hours(6)) == 1000, again(Self.self))
    var last = Night.cold(at: .hours(-1))
    for minute in Int64(-59)...24 * 60 {
      let cold = Night.cold(at: .minutes(minute))
      #expect((0...1000).contains(cold) && abs(cold - last) <= 5, again(Self.self, "\(minute)"))
      last = cold
    }
    // Half of the cold has come some four hours after the warmest hour.
    #expect((450...550).contains(Night.cold(at: .minutes(19 * 60 + 25))), again(Self.self))
  }

  @Test func `A whole night is ahead by day, less of it in the evening, and none after it`() {
    #expect(ahead(24, from: 15) == 1000 && ahead(24, from: 9) > 500, again(Self.self))
    let evening = (15...30).map { ahead(20, from: $0) }
    #expect(evening == evening.sorted(by: >) && evening.last == 0, again(Self.self, "\(evening)"))
    #expect(ahead(4, from: 6) == 0 && ahead(4, from: 10) == 0, again(Self.self))
    #expect(ahead(4, from: 15) > 0 && ahead(4, from: 15) < 500, again(Self.self))
    #expect(ahead(0, from: 18) == 0 && ahead(-3, from: 18) == 0, again(Self.self))
  }

  @Test func `The time of day by the sun follows date and place of the receiver`() throws {
    var bench = Bench()
    var tracker = bench.tracker
    let atStart = tracker.solarHour(at: bench.now)
    bench.run(seconds: 60)
    tracker = bench.tracker
    let place = try #require(tracker.lastPosition)
    let utc = try #require(tracker.clock.moment(at: bench.now).utc)
    let later = tracker.solarHour(at: bench.now)
    let hour = try #require(later)
    #expect(atStart == nil, again(Self.self))
    let day = 86_400.0
    let expected =
      (Double(utc.milliseconds) / 1000 + Double(place.longitude) / 1e7 / 15 * 3600)
      .truncatingRemainder(dividingBy: day)
    #expect(abs(Double(hour.count) / 1000 - expected) < 1, again(Self.self, "\(hour) \(expected)"))
    #expect(place.longitude != 0, again(Self.self))
  }

  @Test func `Any number is a time of day`() {
    for hour in [Int64.min, -1, 0, Int64.max] {
      for time in [Int64.min, -1, 0, Int64.max] {
        let ahead = Night.coolingAhead(within: Milliseconds(time), from: Milliseconds(hour))
        #expect((0...1000).contains(ahead), again(Self.self, "\(hour) \(time)"))
      }
    }
  }

  @Test func `A drop in the evening is no sign of a higher drain, one by day is`() throws {
    var board = Board.bench.battery
    board.capacityAtFreezingPercent = 70
    func drain(from hour: Int64) throws -> Int64 {
      var gauge = BatteryGauge(board)
      for minute in Int64(0)...240 {
        // Two percent an hour, of which the loads explain half.
        gauge.measure(
          BatteryReading(millivolts: 8000, percent: UInt8(90 - minute / 30)),
          at: .start + .minutes(minute),
          .init(
            microamps: Int64(board.capacity / 3_600_000 / 100), time: .minutes(minute > 0 ? 1 : 0)),
          hour: .hours(hour) + .minutes(minute))
      }
      return try #require(gauge.estimate).drain
    }
    let (evening, day) = (try drain(from: 16), try drain(from: 11))
    #expect(day > 1_020_000, again(Self.self, "\(day)"))
    #expect(evening - 1_000_000 < (day - 1_000_000) * 3 / 4, again(Self.self, "\(evening) \(day)"))
  }
}
