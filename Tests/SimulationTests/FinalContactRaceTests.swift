import Testing
import TrackerCore

@testable import Simulation

/// What is known of a team whose battery ends.
@Suite struct FinalContactRaceTests {
  private let again: Comment = "repeat with: swift test --filter FinalContactRaceTests"

  /// A pack of six alkaline cells, measured and half full, ends under a transmission. Contacts are
  /// two hours apart, captures ten minutes: without a last contact the twelve of the second
  /// contact, which it does not survive, never arrive.
  @Test func `The last upload comes shortly before an alkaline pack ends`() throws {
    var missing: [UInt32] = []
    for seed in 1...8 as ClosedRange<UInt64> {
      var race = Race(trace: "race", board: "arduino-uno-3g")
      race.sensor = .powerSupply(name: nil)
      race.seed = seed
      race.variation = Variation(seed: seed)
      race.scenario.batteryStartPercent = 50
      race.configuration.receiverUse = .dutyCycle
      race.configuration.transmitInterval = .hours(2)
      let result = try race.run()
      #expect(result.ending == .batteryEmpty, "seed \(seed); \(again)")
      missing.append(result.pending)
    }
    #expect(missing.allSatisfy { $0 <= 7 }, "\(missing); \(again)")
  }
}
