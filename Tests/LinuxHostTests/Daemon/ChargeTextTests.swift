import Testing
import TrackerCore

@testable import LinuxHost

@Suite struct ChargeTextTests {
  private let again: Comment = "repeat with: swift test --filter ChargeTextTests"

  @Test func `A record with any numbers is told without a trap`() {
    for number in [Int32.min, -1, 0, .max] {
      let record = ChargeRecord(
        charge: number, deviation: number, drain: .max, drainDeviation: number, at: Moment())
      #expect(StatusText.text(of: record).contains("estimated"), again)
    }
  }

  private func text(drain: Int32, drainDeviation: Int32) -> String {
    StatusText.text(
      of: ChargeRecord(
        charge: 463_210, deviation: 36_000, drain: drain, drainDeviation: drainDeviation,
        at: Moment()))
  }

  @Test func `A worn battery is reported once it is certain`() {
    #expect(
      text(drain: 1_550_000, drainDeviation: 200_000)
        == "46 % ± 4 %, estimated; empties 1.6 x as fast as its file says", again)
    for (drain, drainDeviation) in [(1_550_000, 400_000), (1_000_000, 0), (600_000, 60_000)]
      as [(Int32, Int32)]
    {
      #expect(
        text(drain: drain, drainDeviation: drainDeviation) == "46 % ± 4 %, estimated", again)
    }
  }
}
