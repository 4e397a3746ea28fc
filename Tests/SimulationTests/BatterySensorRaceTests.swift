import Testing
import TrackerCore

@testable import Simulation

/// What the tracker knows of its battery is what its sensor tells it.
@Suite struct BatterySensorRaceTests {
  private let again: Comment = "repeat with: swift test --filter BatterySensorRaceTests"

  @Test func `A board without a sensor has no readings, and adaptive keeps to the intervals`()
    throws
  {
    var race = Race(trace: "race", board: "pi-3b-sim5320")
    race.configuration.finish = .after(.hours(27))
    let fixed = try race.run()
    race.configuration.capture = .adaptive(interval: .minutes(10))
    let adaptive = try race.run()
    for result in [fixed, adaptive] {
      #expect(result.captures.count > 100, again)
      let capture = result.captures.map(\.capture).first {
        $0.batteryPercent != nil || $0.batteryMillivolts != nil
      }
      #expect(capture == nil, again)
    }
    let times = [fixed, adaptive].map { $0.captures.map(\.capture.utc) }
    #expect(times[0] == times[1], again)
    #expect(fixed.batteryPercent == adaptive.batteryPercent, again)
  }

  @Test func `A modem that the battery supplies measures it at contacts`() throws {
    var race = Race(trace: "race")
    race.sensor = .modem
    race.adjust = { $0.battery.isMeasuredByModem = true }
    race.configuration.transmitInterval = .hours(2)
    let result = try race.run()
    let volts = result.captures.map(\.capture.batteryMillivolts)
    #expect(volts.first == .some(nil), "not before the first contact; \(again)")
    let known = volts.compactMap { $0 }
    let different = Set(known).count
    // One reading for each contact, of a battery that empties.
    #expect(different > 8 && different < 20, "\(different); \(again)")
    let (first, last) = (try #require(known.first), try #require(known.last))
    #expect(first > 4000 && last < first - 200, "\(first) to \(last); \(again)")
  }
}
