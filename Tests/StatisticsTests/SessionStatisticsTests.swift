import Simulation
import Statistics
import Testing
import TrackerCore

@Suite struct SessionStatisticsTests {
  private let again: Comment = "repeat with: swift test --filter SessionStatisticsTests"

  @Test func `A steady walk has its distance, its time and a mark every kilometre`() throws {
    let found = SessionStatistics(Fixture.walk(seconds: 1800))
    // 1800 s at 1.4 m/s; the last step of the odometer may be missing.
    #expect(found.whole.metres > 2500 - 20 && found.whole.metres < 2521, again)
    #expect(found.whole.time == .seconds(1800) && found.whole.moving >= .seconds(1780), again)
    #expect(found.marks.map(\.isEnd) == [false, false, true], again)
    #expect(found.marks.map { $0.metres.rounded() }.prefix(2) == [1000, 2000], again)
    let first = try #require(found.marks.first)
    #expect(abs((first.elapsed ?? 0).count - 714_000) < 3000, "\(first)")
    #expect(abs((first.piece.pace ?? 0).count - 714_000) < 3000, "\(first)")
    #expect(abs(Int(found.whole.topSpeed ?? 0) - 1400) < 20, "\(found.whole)")
    #expect(found.whole.gain == 0 && found.whole.lowest == 100_000, again)
  }

  @Test func `The maximum speed is one that two reports in a row had`() {
    var points = Fixture.walk(seconds: 60)
    for point in points.indices { points[point].speedMillimetresPerSecond = 1000 }
    // The first one has none before it, and one alone may be a reflection.
    for (index, speed) in [(0, 3000), (2, 3500), (4, 2000), (5, 2000)] as [(Int, Int32)] {
      points[index].speedMillimetresPerSecond = speed
    }
    let found = SessionStatistics(points)
    #expect(found.whole.topSpeed == 2000, "\(found.whole); \(again)")
  }

  @Test func `The pieces add up to the whole`() {
    let found = SessionStatistics(Fixture.walk(seconds: 3000), every: 333)
    let metres = found.marks.reduce(0) { $0 + $1.piece.metres }
    let time = found.marks.reduce(Milliseconds(0)) { $0 + ($1.piece.time ?? 0) }
    #expect(abs(metres - found.whole.metres) < 0.001 && time == found.whole.time, again)
    #expect(found.marks.count == 13, again)
  }

  @Test func `An hour at rest adds no distance, no moving time and no climb`() {
    // Altitudes that are new each second, with a deviation of 8 m.
    var generator = SeededNoise(seed: 7)
    let points = (0..<3600).map { second in
      var point = Fixture.points([
        (generator.normal() * 2, Double(second), 100 + generator.normal() * 8)
      ])[0]
      point.accuracyMetres = 8
      return point
    }
    let found = SessionStatistics(points)
    #expect(found.whole.metres == 0, "\(found.whole); \(again)")
    #expect(found.whole.moving < .seconds(60), "\(found.whole); \(again)")
    #expect(found.whole.gain == 0 && found.whole.loss == 0, "\(found.whole); \(again)")
    #expect(found.whole.time == .seconds(3599), again)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `An hour at rest with a receiver's wandering is less than 50 m`(_ seed: UInt64) throws {
    var options = SynthOptions()
    (options.seed, options.duration) = (seed, .hours(1))
    options.rests = [TimeSpan(from: 0, to: .hours(1))]
    let found = SessionStatistics(try Fixture.synthesised(options, on: .olotToTheSea)).whole
    #expect(found.metres < 50 && found.moving < .seconds(120), "\(found); \(again)")
    #expect(found.gain <= 15_000, "\(found); \(again)")
  }

  @Test func `A rest is not moving time, to some ten seconds`() {
    let walk = (0...600).map { (Double($0) * 1.4, Double($0), 100.0 as Double?) }
    let rest = (601...2400).map { (840.0, Double($0), 100.0 as Double?) }
    let more = (1...600).map { (840 + Double($0) * 1.4, 2400 + Double($0), 100.0 as Double?) }
    let found = SessionStatistics(Fixture.points(walk + rest + more))
    #expect(abs(found.whole.moving.count - 1_200_000) < 20_000, "\(found.whole.moving); \(again)")
    #expect(found.whole.time == .seconds(3000), again)
  }

  @Test func `A gap of hours counts as a straight line and is marked`() {
    var points = Fixture.walk(seconds: 600)
    points += Fixture.points([(6000, 3 * 3600, 100), (6030, 3 * 3600 + 20, 100)])
    let found = SessionStatistics(points)
    #expect(found.gaps == 1, again)
    #expect(abs(found.whole.gapMetres - 5160) < 25, "\(found.whole); \(again)")
    #expect(found.whole.moving < .seconds(640), again)
    #expect((found.whole.topSpeed ?? 0) < 1600, "\(found.whole); \(again)")
    #expect(abs((found.whole.movingSpeed ?? 0) - 1.4) < 0.05, "\(found.whole); \(again)")
  }

  @Test func `A spike is neither distance nor speed`() {
    var points = Fixture.walk(seconds: 600)
    points[300].position.latitude += 40_000
    let found = SessionStatistics(points)
    #expect(found.counts.outliers == 1, again)
    #expect(found.whole.metres < 841 && (found.whole.topSpeed ?? 0) < 1600, "\(found.whole)")
  }

  @Test func `A speed that one report alone has does not count`() {
    var points = Fixture.walk(seconds: 600)
    for index in points.indices { points[index].speedMillimetresPerSecond = 1400 }
    points[200].speedMillimetresPerSecond = 9000
    #expect(SessionStatistics(points).whole.topSpeed == 1400, again)
  }

  @Test func `Captures ten minutes apart count, and it is said that they are sparse`() {
    let places = (0...12).map { (Double($0) * 800, Double($0) * 600, 100.0 as Double?) }
    let found = SessionStatistics(Fixture.points(places))
    #expect(found.isSparse && found.gaps == 0, again)
    #expect(abs(found.whole.metres - 9600) < 20, "\(found.whole); \(again)")
    #expect(found.whole.moving == .seconds(7200), again)
    #expect(StatisticsText(found, in: .english).text.contains("points 10 min apart"), again)
  }

  @Test func `A step back of the clock neither adds nor takes time`() {
    var points = Fixture.walk(seconds: 600)
    points[100].utc = Fixture.start
    let found = SessionStatistics(points)
    #expect(found.counts.backward == 1 && found.whole.time == .seconds(600), again)
    // A clock that was wrong, and is put right for good.
    var late = Fixture.walk(seconds: 600)
    for index in 0..<50 { late[index].utc = late[index].utc.map { $0 + .hours(9) } }
    let put = SessionStatistics(late)
    let time = put.whole.time ?? 0
    #expect(time > .seconds(580) && time <= .seconds(600), "\(time); \(again)")
    #expect(abs(put.whole.metres - 840) < 21, again)
  }

  @Test func `A step from 1970 to the present takes no time`() {
    var points = Fixture.walk(seconds: 600)
    points[0].utc = UTC(milliseconds: 0)
    #expect((SessionStatistics(points).whole.time ?? 0) <= .seconds(600), again)
  }

  @Test func `Repeated times count once; the same for all points are none`() {
    let twice = Fixture.walk(seconds: 600).flatMap { [$0, $0] }
    let found = SessionStatistics(twice)
    #expect(found.counts.repeated == 601, again)
    #expect(found.whole.metres == SessionStatistics(Fixture.walk(seconds: 600)).whole.metres, again)
    var same = Fixture.walk(seconds: 600)
    for index in same.indices { same[index].utc = Fixture.start }
    let drawn = SessionStatistics(same)
    #expect(drawn.whole.time == nil && abs(drawn.whole.metres - 840) < 1, "\(drawn.whole)")
  }

  @Test func `Without altitudes, with two points, one or none there are figures all the same`() {
    let bare = SessionStatistics(Fixture.points([(0, 0, nil), (500, 300, nil)]))
    #expect(bare.whole.lowest == nil && bare.whole.gain == 0, again)
    #expect(abs(bare.whole.metres - 500) < 2 && bare.whole.time == .seconds(300), again)
    for count in 0...1 {
      let found = SessionStatistics(Fixture.points([(0, 0, 100)].prefix(count).map { $0 }))
      #expect(found.whole.metres == 0 && found.marks.count == 1, again)
      #expect(!StatisticsText(found, in: .french).text.isEmpty, again)
      #expect(found.figures.json.contains("\"points\": \(count)"), again)
    }
  }

  @Test func `A break of a file is a gap, however short`() {
    var points = Fixture.points([(0, 0, 100), (100, 70, 100), (900, 100, 100), (1000, 170, 100)])
    points[2].isAfterBreak = true
    let found = SessionStatistics(points)
    #expect(found.gaps == 1 && abs(found.whole.gapMetres - 800) < 2, "\(found.whole); \(again)")
  }

  @Test func `Whatever points there are, nothing traps and the pieces add up`() {
    for seed in 0..<100 as Range<UInt64> {
      var noise = SeededNoise(seed: seed)
      let points = (0..<Int(noise.next() % 60)).map { _ in
        var point = TrackPoint(
          Coordinate(
            latitude: Int32(truncatingIfNeeded: noise.next() % 900_000_001),
            longitude: Int32(truncatingIfNeeded: noise.next() % 1_800_000_001)))
        if noise.next() % 5 > 0 {
          point.utc = UTC(
            milliseconds: noise.next() % 7 == 0
              ? Int64(bitPattern: noise.next()) : Int64(noise.next() % 100_000_000))
        }
        if noise.next() % 3 > 0 {
          point.altitudeMillimetres = Int32(truncatingIfNeeded: noise.next())
          point.speedMillimetresPerSecond = Int32(truncatingIfNeeded: noise.next())
        }
        return point
      }
      let found = SessionStatistics(points, every: Int64(noise.next() % 2_000_000))
      let metres = found.marks.reduce(0) { $0 + $1.piece.metres }
      #expect(
        abs(metres - found.whole.metres) <= 1e-6 * max(1, found.whole.metres),
        "seed \(seed); repeat with: swift test --filter SessionStatisticsTests")
      _ = (StatisticsText(found, in: .catalan).text, found.figures.json)
    }
  }
}

/// White noise from a seed.
struct SeededNoise {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  /// With a deviation of 1: the sum of twelve even ones.
  mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double(next() >> 11) / 9_007_199_254_740_992 }
  }
}
