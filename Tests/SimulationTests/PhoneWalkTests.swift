import Testing
import TrackerCore

@testable import Simulation

/// The captures of a phone in 2013, against those of the tracker's policies on `PhoneWalk`.
///
/// The walk was defined first, and nothing was fitted to these counts. The phone's 200 m were its
/// precision, which is the tracker's `accuracyMetres`.
@Suite struct PhoneWalkTests {
  private let again: Comment = "repeat with: swift test --filter PhoneWalkTests"

  private static let walk = Result { try PreparedTrace(PhoneWalk.bytes()) }

  private static func captures(
    _ policy: CapturePolicy, minutes: Int64 = Int64(PhoneWalk.minutes)
  ) throws -> Int {
    var race = Race(walk: try Self.walk.get())
    race.configuration.capture = policy
    race.configuration.accuracyMetres = 200
    race.scenario.commands = [TimedCommand(at: .minutes(minutes), command: .stop)]
    // The phone's app took none at the stop.
    return try race.run().sequences.count - 1
  }

  private static func standard(every interval: Milliseconds) -> CapturePolicy {
    .standard(interval: interval, minimumDistanceMetres: 0, heartbeat: .minutes(30))
  }

  // The phone made 28, one each ten minutes. It has positions from cells in a tunnel, a satellite
  // receiver has none: with two rides of 20 min, two captures are missing.
  @Test func `Standard captures, each 10 minutes: 26, where the phone made 28`() throws {
    #expect(try Self.captures(Self.standard(every: .minutes(10))) == 26, again)
  }

  @Test func `Captures by significant change: 36, as the phone made`() throws {
    #expect(try Self.captures(.significant) == 36, again)
  }

  // The phone made 68, and 72 would be one each 10 s.
  @Test func `Captures each 10 seconds for 12 minutes: 72, where the phone made 68`() throws {
    #expect(try Self.captures(Self.standard(every: .seconds(10)), minutes: 12) == 72, again)
  }
}
