import FeatureService
import Foundation
import Testing
import TrackerCore
import Uplink

@testable import Simulation

/// Whole runs against layers without GlobalIDs whose server acts after the client has given up.
///
/// Longer: `LATE_SEEDS=1000 swift test --filter LateServerTests`; one life again:
/// `LATE_FIRST=17 LATE_SEEDS=1 swift test --filter LateServerTests`.
@Suite struct LateServerTests {
  static let mayActFor = Milliseconds.minutes(5)

  /// An hour with a capture every one to three minutes, and a server that is late in windows.
  static func race(_ seed: UInt64) -> Race {
    var generator = SeededGenerator(seed: seed, stream: 91)
    var race = Race(seed: seed)
    race.mayActFor = mayActFor
    race.configuration.capture = .standard(
      interval: .minutes(Int64(generator.whole(in: 1...3))), minimumDistanceMetres: 0,
      heartbeat: .minutes(30))
    race.configuration.transmitInterval = .minutes(Int64(generator.whole(in: 1...10)))
    race.configuration.reconnectFloor = .minutes(Int64(generator.whole(in: 0...3)))
    race.configuration.betweenUploads = generator.once(in: 2) ? .attached : .off
    race.configuration.bearer = [.interface, .modem, .none][generator.whole(in: 0...2)]
    race.scenario = RandomDay.scenario(&generator)
    race.scenario.badCaptures = []
    race.scenario.service.takesGlobalIDs = false
    race.scenario.server = RandomDay.windows(&generator) { generator in
      // The client waits 30 s, and then so long as it was told that a server may take.
      let delay = Milliseconds.seconds(Int64(generator.whole(in: 1...329)))
      let faults: [Fault.Kind] = [
        .late(delay), .late(delay), .late(delay), .http(status: 500, retryAfter: nil),
        .http(status: 504, retryAfter: nil), .loseAcknowledgement, .timeout,
      ]
      return Fault(
        faults[generator.whole(in: 0...6)],
        [.always, .every(2), .probability(percent: 50)][generator.whole(in: 0...2)])
    }
    return race
  }

  @Test func `A layer without GlobalIDs has each capture once, however late its server acts`()
    throws
  {
    let first = RandomDay.setting("LATE_FIRST", 1)
    var late = 0
    for seed in first..<first + RandomDay.setting("LATE_SEEDS", 112) {
      let race = Self.race(UInt64(seed))
      let result = try race.run()
      let again: Comment =
        "repeat with: LATE_FIRST=\(seed) LATE_SEEDS=1 swift test --filter LateServerTests"
      #expect(result.duplicates == 0, again)
      #expect(result.ending == .finished && result.pending == 0 && result.setAside == 0, again)
      #expect(result.rows.count == result.sequences.count, again)
      let isLate = race.scenario.server.contains {
        if case .late(let delay) = $0.content.kind { delay > .seconds(30) } else { false }
      }
      late += isLate ? 1 : 0
    }
    #expect(late > 0, "no life had a server that acts after the client's patience")
  }

  /// What the test above can see: somebody who asks at once is told that nothing is there.
  @Test func `Without the wait the same lives double captures`() throws {
    var doubled = 0
    for seed in 1...112 as ClosedRange<UInt64> {
      var race = Self.race(seed)
      race.mayActFor = 0
      doubled += try race.run().duplicates > 0 ? 1 : 0
    }
    #expect(doubled > 3, "\(doubled) lives; repeat with: swift test --filter LateServerTests")
  }

  @Test func `While the fate of some is unknown, others are sent, the freshest first`() throws {
    var race = Race()
    race.mayActFor = .minutes(30)
    race.configuration.capture = .standard(
      interval: .minutes(2), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    race.configuration.transmitInterval = .minutes(2)
    race.configuration.reconnectFloor = 0
    race.scenario.service.takesGlobalIDs = false
    // One upload alone is late, by 20 min.
    race.scenario.server = [
      Window(
        from: .minutes(20), to: .minutes(22), content: Fault(.late(.minutes(20))))
    ]
    let result = try race.run()
    #expect(result.duplicates == 0 && result.ending == .finished, Self.again)
    #expect(result.rows.count == result.sequences.count && result.pending == 0, Self.again)
    // The one waits for its fate, and half an hour of captures after it arrives meanwhile.
    let late = result.latencies.filter { $0 > .minutes(5) }
    #expect(late.count == 1 && late[0] >= .minutes(30), "\(late); \(Self.again)")
  }

  static let again: Comment = "repeat with: swift test --filter LateServerTests"
}
