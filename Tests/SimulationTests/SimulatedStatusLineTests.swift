import Testing
import TrackerCore

@testable import Simulation

/// A board that wires the modem's STATUS, in the simulator.
@Suite struct SimulatedStatusLineTests {
  @Test func `With STATUS a walk delivers the same, and the modem is on for less time`() throws {
    let again: Comment = "repeat with: swift test --filter SimulationTests.SimulatedStatusLineTests"
    var race = Race(trace: "tunnel")
    let without = try race.run()
    race.hasStatus = true
    let with = try race.run()
    for result in [without, with] {
      #expect(result.ending == .finished && result.pending == 0, again)
      #expect(result.received == result.sequences.count && result.duplicates == 0, again)
    }
    #expect(with.received == without.received, again)
    // No question to a modem that is off, and no waiting for the end of its switching off.
    #expect(with.probes < without.probes, "\(with.probes), \(without.probes); \(again)")
    #expect(with.longestLatency < without.longestLatency, again)
  }
}
