import Simulation
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

  @Test func `A thermometer pays for more contacts in a warm night, and for none in a frost`()
    throws
  {
    func run(_ board: String, _ night: Int32) throws -> Race.Result {
      var race = Race(trace: "race")
      race.board = board
      race.configuration.finish = .after(.hours(27))
      race.configuration.capture = .adaptive(interval: .minutes(10))
      race.scenario.batteryStartPercent = 70
      race.scenario.batteryCelsius = [
        Window(from: .hours(11), to: .hours(23), content: night)
      ]
      return try race.run()
    }
    let usual = "pi-zero-2w-sim7600"
    let warm = try run(usual + "+tmp102", 20)
    let unknown = try run(usual, 20)
    #expect(warm.ending == .finished && unknown.ending == .finished, again)
    #expect(
      warm.requests > unknown.requests, "\(warm.requests), \(unknown.requests) without; \(again)")
    #expect(try run(usual + "+tmp102", -10).ending == .finished, again)
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
