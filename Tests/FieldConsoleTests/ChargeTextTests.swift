import Testing
import TrackerCore

@testable import FieldConsole

@Suite struct ChargeTextTests {
  private let again: Comment = "repeat with: swift test --filter ChargeTextTests"

  private func text(drain: Int64, deviation: Int64) -> String? {
    var facts = TrackerFacts()
    facts.battery.take(
      ChargeEstimate(charge: 463_210, deviation: 36_000, drain: drain, drainDeviation: deviation))
    return BatteryText.charge(facts, in: .english)
  }

  @Test func `A worn battery is reported once it is certain`() {
    #expect(
      text(drain: 1_550_000, deviation: 200_000)
        == "46 % ± 4 %, estimated; empties 1.6 x as fast as its file says", again)
    for (drain, deviation) in [(1_550_000, 400_000), (1_000_000, 0), (600_000, 60_000)]
      as [(Int64, Int64)]
    {
      #expect(text(drain: drain, deviation: deviation) == "46 % ± 4 %, estimated", again)
    }
  }

  @Test func `A battery that is not measured has no charge`() {
    #expect(BatteryText.charge(TrackerFacts(), in: .english) == nil, again)
  }
}
