import TestSupport
import Testing
import TrackerCore

@testable import Simulation
@testable import bench

/// Four of five teams arrive inside the band, whatever kind of team it is.
@Suite struct ArrivalStudyTests {
  /// Not among those that the priors were chosen on, 5001 to 5060 and 20001 to 20300.
  private static let firstSeed: UInt64 = 90_001
  private static let again = "repeat with: swift test --filter ArrivalStudyTests"

  private static func trials(
    _ population: ArrivalStudy.Population, walks: UInt64
  ) -> [ArrivalStudy.Trial] {
    (0..<walks).flatMap { number in
      let log = ArrivalStudy.walk(population, seed: firstSeed + number, course: .olotToTheSea)
      return ArrivalStudy.trials(of: log, course: .olotToTheSea)
    }
  }

  @Test(
    arguments: Share.of(
      [ArrivalStudy.Population.slow, .fast, .steady, .erratic, .nocturnal, .noisy], atOnce: 2))
  func `Of 200 walks of the second model four of five arrive inside the band`(
    population: ArrivalStudy.Population
  ) {
    let tally = ArrivalTally(Self.trials(population, walks: 200))
    #expect(
      (0.72...0.88).contains(tally.coverage) && tally.count >= 1400,
      "\(population): \(tally); \(Self.again)")
    #expect(tally.refused * 50 <= tally.count, "\(population): \(tally); \(Self.again)")
    #expect(tally.error < tally.naiveError, "\(population): \(tally); \(Self.again)")
  }

  /// Second by second, so few walks of them; `bench --arrivals` has all.
  @Test(arguments: Share.of([ArrivalStudy.Population.usual, .paces]))
  func `Of synth's walks as many do, or a few more`(population: ArrivalStudy.Population) {
    let tally = ArrivalTally(Self.trials(population, walks: 20))
    #expect((0.72...0.92).contains(tally.coverage), "\(population): \(tally); \(Self.again)")
    #expect(tally.error < tally.naiveError, "\(population): \(tally); \(Self.again)")
  }
}
