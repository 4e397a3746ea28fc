import Testing

@testable import TrackerCore

@Suite struct ArrivalForecastTests {
  /// 2026-04-18T08:00:00Z
  private static let start = UTC(milliseconds: 1_776_499_200_000)

  /// A team that is reported every so many seconds while it walks by day.
  private struct Team {
    var forecast = ArrivalForecast()
    var utc = ArrivalForecastTests.start
    var metres = 0.0
    var checkpoints: Int16 = 0

    init() { report() }

    mutating func report() {
      forecast.walked(to: Int32(metres), checkpoints: checkpoints, at: utc, isNight: false)
    }

    mutating func walk(_ distance: Double, kmh: Double = 5, every: Int64 = 600) {
      let end = metres + distance
      while metres < end {
        metres = min(end, metres + kmh / 3.6 * Double(every))
        utc = utc + .seconds(every)
        report()
      }
    }

    mutating func rest(_ minutes: Int64) {
      for _ in 0..<minutes {
        utc = utc + .minutes(1)
        report()
      }
    }

    func arrival(after ahead: Int32 = 10_000, checkpoints: Int16 = 0) -> ExpectedArrival? {
      forecast.arrival(after: ahead, checkpoints: checkpoints, at: utc, near: .olot)
    }

    func minutes(after ahead: Int32 = 10_000, checkpoints: Int16 = 0) -> Int64? {
      arrival(after: ahead, checkpoints: checkpoints).map { ($0.expected - utc).count / 60_000 }
    }
  }

  @Test func `A forecast goes on from its words as if nothing had happened`() throws {
    var team = Team()
    for step in 1...30 {
      team.walk(1700, kmh: step % 3 == 0 ? 4 : 5.5)
      if step % 5 == 0 {
        team.checkpoints += 1
        team.rest(Int64(step))
      }
      let restored = try #require(ArrivalForecast(team.forecast.words), again(Self.self))
      #expect(restored == team.forecast, again(Self.self))
    }
  }

  @Test func `Words that no forecast has are refused, and others never trap`() {
    var team = Team()
    team.walk(20_000)
    let words = team.forecast.words
    let numbers: [Int64] = [
      .min, Int64(Int32.min), -134_217_728, -16_777_216, -1, 0, 1, 64, 16_384, 1_000_000,
      16_777_216, 134_217_728, 1_000_000_000, Int64(Int32.max), .max,
    ]
    for index in words.indices {
      for number in numbers {
        var changed = words
        changed[index] = number
        guard let forecast = ArrivalForecast(changed) else { continue }
        var other = Team()
        (other.forecast, other.utc, other.metres) = (forecast, team.utc, team.metres)
        _ = other.arrival(after: .max, checkpoints: .max)
        other.walk(5000)
        _ = other.arrival(after: 100_000, checkpoints: 10)
      }
    }
    for number in numbers { #expect(ArrivalForecast(.init(repeating: number)) == nil) }
  }

  @Test func `Nothing is foretold before a kilometre, and then a wide band`() throws {
    var team = Team()
    #expect(
      team.arrival() == nil
        && ArrivalForecast().arrival(
          after: 1000, checkpoints: 0, at: Self.start, near: .olot) == nil,
      again(Self.self))
    team.walk(900)
    #expect(team.arrival() == nil, again(Self.self))
    team.walk(300)
    let early = try #require(team.arrival())
    team.walk(15_000)
    let late = try #require(team.arrival())
    #expect(early.latest - early.earliest > late.latest - late.earliest, again(Self.self))
    #expect(early.earliest < early.expected && early.expected < early.latest, again(Self.self))
  }

  @Test(arguments: [3.5, 4.5, 5.5, 7.0])
  func `A team's own pace is learned, from fixes each second and from captures alike`(
    kmh: Double
  ) throws {
    for every: Int64 in [1, 60, 600, 1800] {
      var team = Team()
      team.walk(25_000, kmh: kmh, every: every)
      let minutes = try #require(team.minutes())
      let wanted = 600 / kmh
      #expect(
        abs(Double(minutes) - wanted) < wanted * 0.08,
        again(Self.self, "\(kmh) km/h every \(every) s: \(minutes) min, not \(wanted);"))
    }
  }

  @Test func `A night ahead makes it later, and what nights cost is learned`() throws {
    var team = Team()
    team.walk(20_000)
    let day = try #require(team.minutes(after: 5000))
    // Nine hours later it is dark.
    let before = team.forecast
    team.utc = team.utc + .hours(9)
    let dark = try #require(
      before.arrival(after: 5000, checkpoints: 0, at: team.utc, near: .olot))
    let stopped = (dark.expected - team.utc).count / 60_000
    #expect(stopped > day, again(Self.self, "\(day) by day, \(stopped) by night;"))
  }

  @Test func `A team that rests arrives later and later, never earlier, wherever it rests`() throws
  {
    for isCheckpoint in [true, false] {
      var team = Team()
      team.walk(12_000)
      if isCheckpoint { team.checkpoints += 1 }
      team.report()
      var last = try #require(team.arrival(checkpoints: 2))
      for minute in 0..<300 {
        team.rest(1)
        let now = try #require(team.arrival(checkpoints: 2))
        let detail = "minute \(minute), at a checkpoint: \(isCheckpoint);"
        #expect(
          now.expected >= last.expected && now.latest >= last.latest
            && now.earliest >= last.earliest, again(Self.self, detail))
        last = now
      }
    }
  }

  @Test
  func `Entering a checkpoint does not change the arrival, and leaving early brings it nearer`()
    throws
  {
    var team = Team()
    team.walk(12_000, every: 60)
    let before = try #require(team.minutes(checkpoints: 1))
    team.checkpoints = 1
    team.walk(100, every: 60)
    let inside = try #require(team.minutes(after: 9900))
    #expect(abs(before - inside) <= 6, again(Self.self, "\(before), then \(inside) min;"))
    team.walk(500, every: 60)
    let beyond = try #require(team.minutes(after: 9400))
    #expect(beyond < inside - 15, again(Self.self, "\(inside), then \(beyond) min;"))
  }

  @Test func `A team's own rests are learned`() throws {
    var (short, long) = (Team(), Team())
    for _ in 0..<9 {
      for minutes: Int64 in [8, 45] {
        var team = minutes == 8 ? short : long
        team.walk(8000)
        team.checkpoints += 1
        team.rest(minutes)
        team.walk(2000)
        if minutes == 8 { short = team } else { long = team }
      }
    }
    for (team, wanted) in [(short, 8), (long, 45)] {
      let none = try #require(team.minutes(after: 20_000))
      let two = try #require(team.minutes(after: 20_000, checkpoints: 2))
      let rest = (two - none) / 2
      #expect(abs(rest - Int64(wanted)) <= 6, again(Self.self, "\(rest) min, not \(wanted);"))
    }
  }

  @Test func `A gap, a lift and a step back only make it learn less`() throws {
    var plain = Team()
    plain.walk(20_000)
    let wanted = try #require(plain.minutes())
    var team = Team()
    team.walk(10_000)
    team.walk(10_000, every: 5400)
    // Carried by a car, and put back by a wrong position.
    team.walk(20_000, kmh: 80)
    team.metres -= 3000
    team.walk(3000, every: 60)
    // A clock that steps back and comes right.
    team.forecast.walked(
      to: Int32(team.metres), checkpoints: 0, at: team.utc + .minutes(-20), isNight: true)
    let minutes = try #require(team.minutes())
    #expect(abs(minutes - wanted) < 25, again(Self.self, "\(minutes) min, not \(wanted);"))
  }

  @Test func `Nothing that is fed to it makes it trap, and every band is in order`() {
    let places: [Coordinate] = [.olot, Coordinate(latitude: .min, longitude: .max)]
    for seed in 0..<400 as Range<UInt64> {
      var seeded = Seeded(seed)
      var forecast = ArrivalForecast()
      var utc = Self.start
      var metres: Int32 = 0
      for _ in 0..<200 {
        let wild = seeded.chance(5)
        utc =
          wild && seeded.chance(50)
          ? UTC(milliseconds: Int64(bitPattern: seeded.next()))
          : utc + .seconds(Int64(seeded.next() % 4000) - 100)
        metres =
          wild
          ? Int32(truncatingIfNeeded: seeded.next())
          : Int32(clamping: Int64(metres) + Int64(seeded.next() % 3000) - 200)
        forecast.walked(
          to: metres, checkpoints: Int16(truncatingIfNeeded: seeded.next() % (wild ? 65_536 : 20)),
          at: utc, isNight: seeded.chance(30))
        let arrival = forecast.arrival(
          after: Int32(truncatingIfNeeded: seeded.next() % 200_000),
          checkpoints: Int16(truncatingIfNeeded: seeded.next() % (wild ? 65_536 : 9)), at: utc,
          near: places[Int(seeded.next() % 2)])
        guard let arrival else { continue }
        #expect(
          arrival.earliest <= arrival.expected && arrival.expected <= arrival.latest,
          again(Self.self, "seed \(seed);"))
      }
    }
  }

  @Test func `Its state is small enough for a microcontroller`() {
    #expect(MemoryLayout<ArrivalForecast>.size <= 112, again(Self.self))
  }
}
