import Testing
import TrackerCore

@testable import Simulation

@Suite struct VariationTests {
  private let again: Comment = "repeat with: swift test --filter VariationTests"

  @Test func `A spread has its nominal value in the middle, and its ends`() {
    var generator = SeededGenerator(seed: 7)
    for spread in [Variation.registration, Variation.latency, Variation.firstFix] {
      let draws = (0..<10_000).map { _ in spread.draw(&generator) }.sorted()
      #expect(abs(draws[5000] - 100) <= 3, again)
      #expect(draws[0] >= spread.values[0] && draws[9999] <= spread.values[6], again)
      #expect(abs(draws[9500] - spread.values[5]) <= spread.values[5] / 10, again)
    }
  }

  @Test func `One more draw of a quantity leaves the others as they are`() {
    var one = Variation(seed: 3)
    var other = one
    _ = other.latency(800)
    #expect(one.registration(8000) == other.registration(8000), again)
    #expect(one.signal() == other.signal(), again)
    #expect(one.latency(800) != other.latency(800), again)
  }

  @Test func `What the scenario states is the same every day`() throws {
    var race = Race()
    func latencies() throws -> [[Int64]] {
      try (1...3).map { day in
        race.variation = Variation(seed: UInt64(day))
        return try race.run().latencies.map(\.count)
      }
    }
    #expect(Set(try latencies()).count == 3, again)
    race.scenario.network.latency = .seconds(1)
    race.scenario.network.registration = .seconds(9)
    #expect(Set(try latencies()).count == 1, again)
  }
}
