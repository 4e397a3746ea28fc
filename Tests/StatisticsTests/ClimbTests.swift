import Simulation
import TestSupport
import Testing
import TrackerCore

@testable import Statistics

@Suite struct ClimbTests {
  private let again: Comment = "repeat with: swift test --filter ClimbTests"

  private func climb(_ metres: [Int32]) -> (Int64, Int64) {
    var meter = ClimbMeter()
    for height in metres { meter.climb(to: height * 1000) }
    return (meter.gain / 1000, meter.loss / 1000)
  }

  @Test(arguments: [
    ([100, 105, 109, 100, 109], 0, 0), ([100, 110], 10, 0), ([100, 109, 99], 0, 10),
    ([100, 150, 141, 200], 100, 0), ([100, 150, 140, 200], 110, 10),
    ([500, 495, 700, 100, 109], 205, 600), ([7], 0, 0), ([], 0, 0),
  ])
  func `A turn below the threshold is noise, a larger one counts in full`(
    _ heights: [Int32], _ gain: Int64, _ loss: Int64
  ) {
    let found = climb(heights)
    #expect(found == (gain, loss), "\(heights): \(found); \(again)")
  }

  /// A course whose climb is known: hills of 40 m every 4 km, for 40 km, 400 m in all.
  private var hills: Course {
    Course(
      name: "hills",
      points: (0...2000).map { step in
        let metres = Double(step) * 20
        let phase = metres.truncatingRemainder(dividingBy: 4000) / 2000
        let share = phase < 1 ? phase : 2 - phase
        return Course.Point(
          latitude: 42, longitude: 2.5 + metres / 82_690,
          altitude: 200 + 40 * share * share * (3 - 2 * share))
      })
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `Ten hills of 40 m are 400 m, within 15 %, with a receiver's errors`(_ seed: UInt64) throws {
    var options = SynthOptions()
    (options.seed, options.interval) = (seed, .seconds(5))
    let found = SessionStatistics(try Fixture.synthesised(options, on: hills)).whole
    #expect(abs(found.gain - 400_000) <= 60_000, "\(found.gain); \(again)")
    #expect(abs(found.metres / 40_000 - 1) < 0.01, "\(found.metres); \(again)")
  }

  @Test(arguments: Share.of([1, 2, 3] as [UInt64]))
  func `A hundred kilometres of noise add less than 15 % to the climb`(_ seed: UInt64) throws {
    // Undulations of the synthetic course included, by its own points: 780 m.
    var meter = ClimbMeter()
    for point in Course.olotToTheSea.points { meter.climb(to: Int32(point.altitude * 1000)) }
    var options = SynthOptions()
    (options.seed, options.interval) = (seed, .seconds(5))
    let found = SessionStatistics(try Fixture.synthesised(options, on: .olotToTheSea)).whole
    let share = Double(found.gain) / Double(meter.gain)
    #expect((0.85...1.15).contains(share), "\(found.gain) of \(meter.gain); \(again)")
    #expect(abs(found.metres / Course.olotToTheSea.length - 1) < 0.015, "\(found.metres)")
  }
}
