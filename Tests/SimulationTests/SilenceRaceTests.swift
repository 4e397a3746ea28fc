import Testing
import TrackerCore

@testable import Simulation

/// What a server has of the promises and silences of a whole race.
@Suite struct SilenceRaceTests {
  private let again: Comment = "repeat with: swift test --filter SilenceRaceTests"

  private func rows(_ change: (inout Race) -> Void) throws -> [ServerRow] {
    var race = Race()
    race.configuration.finish = .after(.minutes(35))
    race.configuration.endAfterFinish = 0
    change(&race)
    return try race.run().rows
  }

  @Test func `A server has trigger and promise of each capture, and of the last two the end`()
    throws
  {
    let rows = try rows { _ in }
    let triggers = ["start", "interval", "interval", "interval", "end"]
    #expect(rows.map(\.trigger) == triggers, "\(rows); \(again)")
    #expect(rows.dropLast(2).allSatisfy { $0.silence == nil }, "\(rows); \(again)")
    for row in rows.dropLast(2) {
      let wait = try #require(row.promise) - (try #require(row.time))
      #expect((600_000...1_200_000).contains(wait), "\(rows); \(again)")
    }
    for row in rows.suffix(2) {
      #expect(row.silence == "finished" && row.promise == nil, "\(rows); \(again)")
    }
  }

  @Test func `What comes after a stop in a hole says that a person stopped it`() throws {
    let rows = try rows {
      $0.scenario.coverage = [Window(from: .minutes(8), to: .minutes(25), content: .noService)]
      $0.scenario.commands = [TimedCommand(at: .minutes(24), command: .stop)]
    }
    #expect(
      rows.map(\.silence) == [nil] + [String?](repeating: "stoppedByPerson", count: 3),
      "\(rows); \(again)")
  }

  /// The reserve begins at another time between two contacts in each race.
  @Test(arguments: [Milliseconds.minutes(10), .minutes(20)])
  func `A battery that comes to its reserve between two contacts breaks no promise`(
    _ interval: Milliseconds
  ) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      var race = Race(trace: "race", seed: seed, variation: Variation(seed: seed))
      race.configuration.transmitInterval = interval
      race.scenario.batteryStartPercent = 18 + 2 * Int32(seed)
      let result = try race.run()
      #expect(result.rows.contains { $0.silence == "reserve" }, "seed \(seed); \(again)")
      #expect(result.tally.promises.broken == 0, "seed \(seed); \(again)")
    }
  }

  @Test func `What a person stops with nothing to send ends with a capture that says so`() throws {
    let rows = try rows {
      $0.scenario.commands = [TimedCommand(at: .minutes(17), command: .stop)]
    }
    #expect(rows.map(\.trigger) == ["start", "interval", "end"], "\(rows); \(again)")
    #expect(rows.map(\.silence) == [nil, nil, "stoppedByPerson"], "\(rows); \(again)")
    let age = try #require(rows[2].time) - (try #require(rows[0].time))
    #expect((960_000...1_020_000).contains(age), "\(rows); \(again)")
  }

  @Test func `In the battery's reserve a server knows that the next contact is an hour away`()
    throws
  {
    let rows = try rows {
      $0.trace = "race"
      $0.scenario.batteryStartPercent = 20
      $0.configuration.finish = .after(.hours(5))
      $0.configuration.reservePercent = 30
    }
    let first = try #require(rows.first { $0.silence == "reserve" }, "\(rows); \(again)")
    let wait = try #require(first.promise) - (try #require(first.time))
    #expect((3_600_000...4_500_000).contains(wait), "\(rows); \(again)")
  }
}
