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

  /// Usual daily lows of January and July, from memory.
  private static let cities: [(name: String, latitude: Int32, metres: Int32, lows: [Int64])] = [
    ("Girona", 420, 100, [1, 17]), ("London", 515, 20, [3, 14]), ("Montreal", 455, 50, [-14, 17]),
    ("Moscow", 558, 150, [-9, 14]), ("Madrid", 404, 650, [0, 18]), ("Beijing", 399, 50, [-8, 22]),
    ("New York", 407, 10, [-3, 20]), ("Tokyo", 357, 10, [1, 22]), ("Delhi", 286, 200, [7, 27]),
    ("Hong Kong", 223, 10, [15, 27]), ("Singapore", 13, 10, [24, 25]),
    ("Nairobi", -13, 1700, [12, 11]), ("Sydney", -339, 20, [19, 8]),
    ("Stockholm", 593, 30, [-4, 13]), ("Anchorage", 612, 30, [-12, 11]),
  ]

  /// A day of 2026, from 0 on.
  private static func day(_ number: Int64) -> UTC {
    UTC(milliseconds: 1_767_225_600_000 + number * 86_400_000)
  }

  @Test func `A night is as cold as its season, its latitude and its height have them`() {
    var colder = 0
    for city in Self.cities {
      for (month, low) in zip([1, 7], city.lows) {
        let coldest = Night.coldest(
          at: Coordinate(latitude: city.latitude * 1_000_000, longitude: 0),
          altitude: city.metres * 1000, on: Self.day(Int64(month - 1) * 30 + 19))
        if low < coldest { colder += 1 }
        #expect(
          abs(low - 7 - coldest) <= 12,
          again(Self.self, "\(city.name), month \(month): \(coldest), usually \(low)"))
      }
    }
    let girona = [19, 107, 199].map {
      Night.coldest(
        at: Coordinate(latitude: 420_000_000, longitude: 0), altitude: 70_000, on: Self.day($0))
    }
    #expect(girona == [-9, -1, 10], again(Self.self, "\(girona), in the README, too"))
    // Inland winters in the east of the continents.
    #expect(colder <= 3, again(Self.self, "\(colder) of 30"))
  }

  @Test func `Seasons come and go without a jump, half a year later south of the equator`() {
    func year(_ latitude: Int32) -> [Int64] {
      (0...366 as ClosedRange<Int64>).map { day in
        Night.coldest(
          at: Coordinate(latitude: latitude, longitude: 0), altitude: 0, on: Self.day(day))
      }
    }
    let (north, south) = (year(450_000_000), year(-450_000_000))
    #expect(zip(north, north.dropFirst()).allSatisfy { abs($0 - $1) <= 1 }, again(Self.self))
    #expect(north[204] - north[22] >= 20 && south[22] - south[204] >= 20, again(Self.self))
    #expect(Set(year(0)).count <= 2, again(Self.self))
  }

  @Test func `Any place and date have a night`() {
    for latitude in [Int32.min, -900_000_000, 0, 900_000_000, .max] {
      for altitude in [Int32.min, 0, .max] {
        for date in [Int64.min, -1, 0, .max] {
          let coldest = Night.coldest(
            at: Coordinate(latitude: latitude, longitude: 0), altitude: altitude,
            on: UTC(milliseconds: date))
          #expect((-100...30).contains(coldest), again(Self.self, "\(latitude) \(date)"))
        }
      }
    }
  }

  @Test func `A warm night takes less, a frosty one more, and a thermometer tells which it is`() {
    func ahead(
      _ coldest: Int64, _ celsius: Int32? = nil, hour: Milliseconds? = .hours(15)
    ) -> Int64 {
      Weather(hour: hour, celsius: celsius, coldest: coldest).coolingAhead(within: .hours(24))
        / 1000
    }
    #expect(ahead(0) == 1000 && ahead(10) == 500 && ahead(-10) == 1500, again(Self.self))
    #expect(ahead(20) == 0 && ahead(30) == 0, again(Self.self))
    // Fourteen degrees at most, and no more than the season has.
    #expect(ahead(-10, 20) == 700 && ahead(15, 20) == 250, again(Self.self))
    #expect(ahead(0, -5) == 700, again(Self.self))
    // In the sun, or out of a heated hall, it may become as cold as any.
    #expect(ahead(0, 21) == 1000 && ahead(-10, 40) == 1500, again(Self.self))
    // At sunrise it does not become colder, and without a date the night may be to come.
    #expect(ahead(0, 5, hour: .hours(6)) == 0, again(Self.self))
    #expect(ahead(0, 20, hour: nil) == 700, again(Self.self))
    for celsius in [Int32.min, .max] { #expect(ahead(0, celsius) >= 0, again(Self.self)) }
  }

  @Test func `A thermometer's figure goes with the battery's, and ends with it`() {
    var gauge = BatteryGauge(Board.bench.battery)
    gauge.measure(BatteryReading(millivolts: 8000, celsius: -4), at: .start)
    #expect(gauge.celsius == -4, again(Self.self))
    gauge.measure(BatteryReading(millivolts: 8000), at: .start + .minutes(1))
    #expect(gauge.celsius == nil, again(Self.self))
    gauge.measure(BatteryReading(millivolts: 8000, celsius: 3), at: .start + .minutes(2))
    gauge.lose()
    #expect(gauge.celsius == nil, again(Self.self))
  }

  @Test func `The plan knows date, place and height of the receiver`() throws {
    var bench = Bench()
    var tracker = bench.tracker
    let atStart = tracker.weather(at: bench.now)
    bench.run(seconds: 60)
    tracker = bench.tracker
    let later = tracker.weather(at: bench.now)
    let place = try #require(bench.tracker.lastPosition)
    let utc = try #require(bench.tracker.clock.moment(at: bench.now).utc)
    #expect(atStart.hour == nil && atStart.coldest == 0, again(Self.self))
    #expect(later.hour != nil, again(Self.self))
    let altitude = try #require(bench.tracker.filter.last?.altitudeMillimetres)
    #expect(
      later.coldest == Night.coldest(at: place, altitude: altitude, on: utc) && later.coldest != 0,
      again(Self.self, "\(later.coldest)"))
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
