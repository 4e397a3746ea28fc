import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import Simulation
@testable import tracker_sim

/// What a made-up race sends to a real server, and when.
@Suite struct LiveRaceTests {
  private static let begin = UTC(milliseconds: 1_776_499_200_000)
  private static let here = UTC(milliseconds: 1_800_000_000_000)
  private static func at(_ minute: Int) -> UTC { begin + .minutes(Int64(minute)) }

  /// Contacts at minutes 10, 30 and 50 with two captures each, each promising the next one.
  private static func tracker(
    speed: Int64 = 1, gaveUp: UTC? = nil, silence: String? = nil
  ) throws -> LiveTracker {
    let deliveries = [10, 30, 50].flatMap { contact in
      [0, 10].map { age in
        Delivery(
          at: at(contact), tracker: "TW07", team: "Equip 7",
          id: UniqueID(high: 1 << 60, low: UInt64(contact - age)), taken: at(contact - age),
          position: Coordinate(latitude: 421_000_000, longitude: 25_000_000),
          promise: at(contact + 20), silence: contact == 50 ? silence : nil)
      }
    }
    let team = RehearsedTeam(
      number: "TW07", name: "Equip 7", deliveries: deliveries,
      truth: TeamTruth(start: begin, gaveUp: gaveUp))
    let address = "http://127.0.0.1:8080/arcgis/rest/services/TrailWalker/FeatureServer/0"
    return try LiveTracker(
      team, RaceClock(race: begin, here: here, speed: speed),
      ArcGISConfiguration(address: try LayerAddress(address)))
  }

  private static func sent(
    _ task: UplinkTask?
  ) throws -> (captures: [OutgoingCapture], promise: UTC?, silence: PlannedSilence) {
    guard case .upload(let captures, let promise, let silence) = try #require(task) else {
      throw Problem("not an upload")
    }
    return (captures, promise, silence)
  }

  private static func result(
    _ acknowledged: [CaptureKey] = [], _ outcome: UploadOutcome
  ) -> UplinkResult {
    var result = UplinkResult(outcome: .upload(outcome))
    result.acknowledged = acknowledged
    return result
  }

  @Test(arguments: [1, 6, 60] as [Int64])
  func `Dates keep their distances, divided by the speed`(speed: Int64) throws {
    let clock = RaceClock(race: Self.at(100), here: Self.here, speed: speed)
    #expect(clock.date(Self.at(100)) == Self.here)
    #expect((clock.date(Self.at(160)) - Self.here).count == 3_600_000 / speed)
    #expect((Self.here - clock.date(Self.at(40))).count == 3_600_000 / speed)
  }

  @Test func `Each contact is one task, at its time and with its promise`() throws {
    var tracker = try Self.tracker(speed: 10)
    #expect(tracker.task(at: Self.here + .seconds(59)) == nil)
    let first = try Self.sent(tracker.task(at: Self.here + .seconds(60)))
    #expect(first.captures.map(\.capture.utc) == [Self.here + .seconds(60), Self.here])
    #expect(first.captures.map(\.capture.sequence) == [2, 1])
    #expect(first.promise == Self.here + .seconds(180))
    let answer = Self.result(first.captures.map(\.key), .empty)
    #expect(tracker.take(answer, at: Self.here + .seconds(60)) == .init(sent: 2))
    #expect(tracker.task(at: Self.here + .seconds(179)) == nil && !tracker.isOver)
  }

  @Test func `What has waited goes with the promise of the last contact, and what it said`() throws
  {
    let tracker = try Self.tracker(silence: "stoppedByPerson")
    let all = try Self.sent(tracker.task(at: Self.here + .minutes(60)))
    #expect(all.captures.count == 6 && all.silence == .stoppedByPerson)
    #expect(all.promise == Self.here + .minutes(70))
    // One that is over is made anew.
    #expect(
      try Self.sent(tracker.task(at: Self.here + .hours(3))).promise == Self.here + .minutes(200))
  }

  @Test func `What fails is sent again some seconds later, with what has come due since`() throws {
    var tracker = try Self.tracker()
    let now = Self.here + .minutes(10)
    let failed = Self.result([], .unreachable)
    #expect(tracker.take(failed, at: now) == .init(isThrough: false))
    #expect(tracker.task(at: now + .seconds(1)) == nil)
    #expect(try Self.sent(tracker.task(at: now + .seconds(2))).captures.count == 2)
    _ = tracker.take(failed, at: now + .seconds(2))
    #expect(tracker.task(at: now + .seconds(6)) == nil)
    #expect(try Self.sent(tracker.task(at: now + .minutes(20))).captures.count == 4)
    let refused = tracker.take(Self.result([], .unauthorised), at: now + .minutes(20))
    #expect(refused == .init(isThrough: false, isHopeless: true))
  }

  @Test func `Captures whose fate is unknown are asked for before they are sent again`() throws {
    var tracker = try Self.tracker()
    let now = Self.here + .minutes(10)
    var result = Self.result([], .ambiguous)
    result.doubtful = [CaptureKey(1)]
    _ = tracker.take(result, at: now)
    let again = try Self.sent(tracker.task(at: now + .minutes(1)))
    #expect(again.captures.map(\.wasSent) == [true, false])
  }

  @Test func `Whoever gives up asks for help, once`() throws {
    let tracker = try Self.tracker(gaveUp: Self.at(25))
    let all = try Self.sent(tracker.task(at: Self.here + .hours(3)))
    let calls = all.captures.filter(\.asksForHelp)
    #expect(calls.map(\.capture.utc) == [Self.here + .minutes(30)])
  }
}
