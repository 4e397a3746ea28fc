import Testing
import TrackerCore

/// The policy `adaptive` over a whole race with a battery that is too small for the usual interval.
@Suite struct AdaptiveRaceTests {
  private let again: Comment = "repeat with: swift test --filter AdaptiveRaceTests"

  @Test(arguments: [50, 60] as [Int32])
  func `A battery that ends before the finish at the usual interval reaches it`(
    _ start: Int32
  ) throws {
    var race = Race(trace: "race")
    race.configuration.finish = .after(.hours(27))
    race.scenario.batteryStartPercent = start
    let fixed = try race.run()
    race.configuration.capture = .adaptive(interval: .minutes(10))
    let adaptive = try race.run()
    #expect(fixed.ending == .batteryEmpty, again)
    #expect(adaptive.ending == .finished && adaptive.pending == 0, again)
    #expect(adaptive.batteryPercent < 25, "more could have been captured; \(again)")
  }

  @Test func `With a full battery there are more captures, none older than a contact`() throws {
    var race = Race(trace: "race")
    race.configuration.finish = .after(.hours(27))
    let fixed = try race.run()
    race.configuration.capture = .adaptive(interval: .minutes(10))
    let adaptive = try race.run()
    #expect(adaptive.acknowledged > fixed.acknowledged * 3 / 2, again)
    // The reconnect floor keeps contacts ten minutes apart; each takes less than a minute.
    #expect(adaptive.longestLatency <= .minutes(11), again)
  }

  @Test func `At short intervals the modem stays attached, for less energy`() throws {
    var race = Race(trace: "race")
    race.configuration.finish = .after(.hours(27))
    race.configuration.transmitInterval = .minutes(2)
    race.configuration.reconnectFloor = 0
    race.configuration.capture = .standard(
      interval: .minutes(2), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    let fixed = try race.run()
    race.configuration.capture = .adaptive(interval: .minutes(2))
    let adaptive = try race.run()
    #expect(fixed.ending == .finished && adaptive.ending == .finished, again)
    #expect(adaptive.acknowledged >= fixed.acknowledged, again)
    #expect(
      adaptive.modemJoules < fixed.modemJoules,
      "\(adaptive.modemJoules) of \(fixed.modemJoules) J; \(again)")
  }
}
