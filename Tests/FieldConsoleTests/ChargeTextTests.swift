import Testing
import TrackerCore
import Wording

@testable import FieldConsole

@Suite struct ChargeTextTests {
  private let again: Comment = "repeat with: swift test --filter ChargeTextTests"

  private func text(drain: Int64, deviation: Int64) -> String? {
    var facts = TrackerFacts()
    facts.battery.take(
      ChargeEstimate(charge: 463_210, deviation: 36_000, drain: drain, drainDeviation: deviation),
      above: 36_000)
    return BatteryText.charge(facts, in: .english)
  }

  @Test func `A charge that may be further above than below is reported as a range`() {
    func text(_ charge: Int64, _ below: Int64, _ above: Int64, _ language: Language) -> String? {
      var facts = TrackerFacts()
      facts.battery.take(
        ChargeEstimate(charge: charge * 10_000, deviation: below * 10_000), above: above * 10_000)
      return BatteryText.charge(facts, in: language)
    }
    #expect(text(17, 4, 11, .english) == "17 % (13 to 28), estimated", again)
    #expect(text(17, 4, 11, .catalan) == "17 % (de 13 a 28), estimada", again)
    #expect(text(17, 4, 11, .spanish) == "17 % (de 13 a 28), estimada", again)
    #expect(text(17, 4, 11, .french) == "17 % (de 13 à 28), estimée", again)
    #expect(text(17, 4, 4, .english) == "17 % ± 4 %, estimated", again)
    #expect(text(2, 4, 17, .english) == "2 % (0 to 19), estimated", again)
    #expect(text(97, 4, 5, .english) == "97 % (93 to 100), estimated", again)
  }

  @Test func `Scripts have both deviations`() {
    var facts = TrackerFacts()
    facts.battery.take(ChargeEstimate(charge: 170_000, deviation: 40_000), above: 114_999)
    let figures = facts.figures.filter { $0.name.hasPrefix("chargeDeviation") }
    #expect(
      figures.map(\.name) == ["chargeDeviationPercent", "chargeDeviationAbovePercent"], again)
    #expect(facts.battery.chargeDeviation == 4 && facts.battery.chargeDeviationAbove == 11, again)
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
