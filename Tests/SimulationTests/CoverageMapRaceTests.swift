import Courses
import Foundation
import Testing

@testable import Simulation
@testable import TrackerCore

/// A race through holes in the coverage, with and without a map of them from an earlier race.
@Suite struct CoverageMapRaceTests {
  private let again: Comment = "repeat with: swift test --filter CoverageMapRaceTests"

  private func course() throws -> MappedCourse {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("traces/race.geojson")
    return try MappedCourse([UInt8](Data(contentsOf: file)))
  }

  /// Forty minutes of every hour and a half.
  private func race(_ course: MappedCourse, seed: UInt64) throws -> Race.Result {
    var race = Race(trace: "race", course: course, seed: seed)
    race.configuration.finish = .after(.hours(27))
    race.configuration.transmitInterval = .minutes(30)
    race.configuration.reconnectFloor = .minutes(10)
    for number in Int64(1)...17 {
      let from = Milliseconds.minutes(90 * number)
      race.scenario.coverage.append(
        Window(from: from, to: from + .minutes(40), content: .noService))
    }
    return try race.run()
  }

  @Test func `A map from an earlier race spares energy, and positions are no older`() throws {
    var (map, merged) = (try course(), try course())
    for seed in UInt64(1)...4 {
      let learned = try race(try course(), seed: seed).tracker.coverage
      if seed == 1 { map.use(coverage: map.text(of: learned)) }
      merged.coverage.fill(from: learned)
    }
    func sums(_ course: MappedCourse) throws -> (joules: Double, age: Double, radio: Int64) {
      var sums = (joules: 0.0, age: 0.0, radio: Int64(0))
      for seed in UInt64(101)...103 {
        let one = try race(course, seed: seed)
        #expect(one.pending == 0, again)
        sums.joules += one.modemJoules
        sums.radio += one.radioOn.count
        for latency in one.latencies { sums.age += Double(latency.count) / 60_000 }
      }
      return sums
    }
    let (usual, one, four) = (try sums(course()), try sums(map), try sums(merged))
    let what: Comment = "\(usual), one map \(one), of four \(four); \(again)"
    for known in [one, four] {
      #expect(known.joules < usual.joules * 0.96 && known.age < usual.age * 1.01, what)
    }
  }
}
