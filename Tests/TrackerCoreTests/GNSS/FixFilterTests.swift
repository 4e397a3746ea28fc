import NMEA
import Testing

@testable import TrackerCore

/// Fixes, poor ones, and outliers.
@Suite struct FixFilterTests {
  struct Tape {
    var filter: FixFilter

    init(_ adjust: (inout Configuration) -> Void = { _ in }) {
      var configuration = Configuration()
      adjust(&configuration)
      filter = FixFilter(configuration)
    }

    /// The rejection of a report at so many seconds and metres north; `nil`: it is a fix.
    mutating func at(
      _ seconds: Int64, metres: Int64, hdop: UInt16? = 100, mode: FixMode = .threeDimensional
    ) -> FixRejection? {
      let place = Coordinate.olot.north(metres)
      return at(.at(seconds * 1000), place, hdop: hdop, mode: mode)
    }

    mutating func at(
      _ now: Instant, _ place: Coordinate?, hdop: UInt16? = 100,
      mode: FixMode = .threeDimensional
    ) -> FixRejection? {
      var epoch = Epoch()
      epoch.mode = mode
      epoch.latitude = place?.latitude
      epoch.longitude = place?.longitude
      epoch.hdopHundredths = hdop
      switch filter.judge(epoch, utc: nil, at: now) {
      case .accepted: return nil
      case .rejected(let rejection): return rejection
      }
    }
  }

  @Test func `A report without a fix or without a position is none`() {
    var tape = Tape()
    #expect(tape.at(0, metres: 0, mode: .noFix) == .noFix, again(Self.self))
    #expect(tape.at(.at(0), nil) == .noFix, again(Self.self))
    #expect(tape.at(1, metres: 0, mode: .twoDimensional) == nil, again(Self.self))
  }

  static let dilutions: [(hdop: UInt16, rejection: FixRejection?)] = [
    (4000, nil), (4001, .poorAccuracy), (.max, .poorAccuracy), (0, nil),
  ]

  @Test(arguments: dilutions)
  func `Accuracy at the bound of 200 m`(_ hdop: UInt16, _ expected: FixRejection?) {
    var tape = Tape()
    #expect(tape.at(0, metres: 0, hdop: hdop) == expected, again(Self.self))
  }

  @Test func `A receiver without HDOP is believed`() {
    var tape = Tape()
    #expect(tape.at(0, metres: 0, hdop: nil) == nil, again(Self.self))
  }

  @Test func `A leap that nobody makes is an outlier, and the way goes on after it`() {
    var tape = Tape()
    #expect(tape.at(0, metres: 0) == nil, again(Self.self))
    // 50 m/s, twice 5 m of accuracy and 10 m more.
    #expect(tape.at(1, metres: 75) == .impossibleSpeed, again(Self.self))
    #expect(tape.at(1, metres: 69) == nil, again(Self.self))
    #expect(tape.at(2, metres: 5000) == .impossibleSpeed, again(Self.self))
    #expect(tape.at(3, metres: 70) == nil, again(Self.self))
    #expect(tape.at(200, metres: 5000) == nil, "time makes it possible")
  }

  @Test func `Five outliers in a row that agree are the truth`() {
    var tape = Tape()
    _ = tape.at(0, metres: 0)
    for second in Int64(1)...4 {
      #expect(
        tape.at(second, metres: 9000 + second) == .impossibleSpeed, again(Self.self))
    }
    #expect(tape.at(5, metres: 9005) == nil, again(Self.self))
    #expect(tape.at(6, metres: 9006) == nil, again(Self.self))
  }

  @Test func `Outliers that contradict each other are never believed, nor are interrupted ones`() {
    var tape = Tape()
    _ = tape.at(0, metres: 0)
    for second in Int64(1)...20 {
      let metres = second % 2 == 0 ? Int64(90_000) : -90_000
      #expect(tape.at(second, metres: metres) == .impossibleSpeed, again(Self.self))
    }
    for second in Int64(21)...60 {
      let isGood = second % 4 == 0
      let rejection = tape.at(second, metres: isGood ? 0 : 90_000)
      #expect(rejection == (isGood ? nil : .impossibleSpeed), again(Self.self))
    }
  }

  @Test func `Extreme places, instants and limits do not trap`() {
    for limit: Int32 in [.min, 0, .max] {
      var tape = Tape {
        $0.maximumSpeedMetresPerSecond = limit
        $0.accuracyMetres = limit
      }
      for now: Int64 in [.min, 0, .max, -1, .max, .min] {
        for edge: Int32 in [.min, .max] {
          _ = tape.at(.at(now), Coordinate(latitude: edge, longitude: edge), hdop: .max)
          _ = tape.at(.at(now), Coordinate(latitude: edge, longitude: 0), hdop: nil)
        }
      }
    }
  }

  @Test func `Rejections are counted by kind and told where they say that something is wrong`() {
    var bench = Bench()
    bench.run(seconds: 10)
    bench.sky = .noFix
    bench.run(seconds: 5)
    bench.sky = .fix(accuracyMetres: 300)
    bench.run(seconds: 5)
    let tally = bench.tracker.fixes
    #expect(tally.noFix == 5 && tally.poorAccuracy == 5, again(Self.self))
    let sum = tally.accepted + tally.noFix + tally.poorAccuracy + tally.impossibleSpeed
    #expect(tally.epochs == sum, again(Self.self))
    #expect(bench.notes.filter { $0 == .fixRejected(.poorAccuracy) }.count == 5)
    #expect(!bench.notes.contains(.fixRejected(.noFix)), again(Self.self))
  }
}
