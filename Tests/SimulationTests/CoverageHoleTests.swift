import TestSupport
import Testing
import TrackerCore

@testable import Simulation

/// A hole in the coverage in which so many captures gather, over each bearer, in the simulator.
@Suite struct CoverageHoleTests {
  static let bearers: [Bearer] = [.interface, .modem, .none]
  static let holes: [(captures: Int64, bearer: Bearer)] =
    [1, 2, 3, 20, 200].flatMap { count in bearers.map { (count, $0) } }

  @Test(arguments: holes.indices)
  func `What a hole has gathered is delivered once, and soon after it`(_ number: Int) throws {
    let (captures, bearer) = Self.holes[number]
    try check(captures, bearer, trace: "rest-40min", interval: .seconds(5), from: .minutes(10))
  }

  @Test(arguments: Share.of(bearers))
  func `What fourteen hours without coverage have gathered is delivered once`(
    _ bearer: Bearer
  ) throws {
    try check(5000, bearer, trace: "race", interval: .seconds(10), from: .hours(1))
  }

  private func check(
    _ captures: Int64, _ bearer: Bearer, trace: String, interval: Milliseconds, from: Milliseconds
  ) throws {
    var race = Race(trace: trace)
    let length = Milliseconds(captures * interval.count)
    race.scenario.coverage = [Window(from: from, to: from + length, content: .noService)]
    // What a serial line at 115200 carries.
    race.scenario.network.bytesPerSecond = 11_520
    race.configuration.capture = .standard(
      interval: interval, minimumDistanceMetres: 0, heartbeat: .minutes(30))
    race.configuration.transmitInterval = .minutes(5)
    race.configuration.reconnectFloor = .minutes(5)
    race.configuration.bearer = bearer
    race.scenario.commands = [TimedCommand(at: from + length + .minutes(12), command: .stop)]
    let result = try race.run()
    let again: Comment =
      "\(captures) over \(bearer); repeat with: swift test --filter CoverageHoleTests"
    let ending = try #require(result.ending)
    #expect(ending == .finished && result.pending == 0, "\(ending); \(again)")
    #expect(result.duplicates == 0 && result.setAside == 0, again)
    #expect(result.received == result.sequences.count, again)
    #expect(result.received > Int(captures), again)
    // The last contact before the hole, the hole, the wait for the next one, and the sending.
    let limit = length + .minutes(15) + Milliseconds(captures * 100)
    #expect(result.longestLatency <= limit, "after \(result.longestLatency); \(again)")
  }
}
