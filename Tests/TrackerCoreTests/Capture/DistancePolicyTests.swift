import Testing

@testable import TrackerCore

/// `significant`, `proximity` and `route`: captures by the way covered.
@Suite struct DistancePolicyTests {
  @Test(arguments: [
    // 5 m/s: 500 m are there after 100 s, so time decides.
    (CapturePolicy.significant, Int64(5), [Int64(0), 300, 600, 900]),
    (.proximity, 5, [0, 120, 240, 360, 480, 600, 720, 840]),
    // 1 m/s: distance decides.
    (.significant, 1, [0, 500, 1000]), (.proximity, 1, [0, 500, 1000]),
  ])
  func `Both the distance and the time must have passed`(
    _ policy: CapturePolicy, _ speed: Int64, _ expected: [Int64]
  ) {
    var tape = ScheduleTape(policy)
    tape.walk(seconds: speed == 5 ? 900 : 1100, metresPerSecond: speed)
    let isNear =
      tape.times.count == expected.count
      && zip(tape.times, expected).allSatisfy { abs($0 - $1) <= 2 }
    #expect(isNear, again(Self.self, "taken at \(tape.times) s;"))
    #expect(tape.taken.dropFirst().allSatisfy { $0.trigger == .distance }, again(Self.self))
  }

  @Test(arguments: [(CapturePolicy.significant, Int64(300_000)), (.proximity, 120_000)])
  func `At the bounds of time and distance`(_ policy: CapturePolicy, _ after: Int64) {
    var tape = ScheduleTape(policy)
    tape.hear(.at(0))
    tape.look(at: 0)
    tape.hear(.at(after - 1, .olot.north(502)))
    tape.look(at: after - 1)
    #expect(tape.reason == .notDue && tape.taken.count == 1, again(Self.self))
    tape.hear(.at(after, .olot.north(498)))
    tape.look(at: after)
    #expect(tape.taken.count == 1 && tape.reason == .notDue, again(Self.self))
    tape.hear(.at(after + 1, .olot.north(502)))
    tape.look(at: after + 1)
    #expect(tape.taken.count == 2, again(Self.self))
  }

  @Test(arguments: [CapturePolicy.significant, .proximity, .route(everyMetres: 1000)])
  func `At rest an hour brings a heartbeat`(_ policy: CapturePolicy) {
    var tape = ScheduleTape(policy)
    tape.walk(seconds: 7300, metresPerSecond: 0)
    let expected: [ScheduleTape.Taken] = [
      .init(at: 0, trigger: .start), .init(at: 3_600_000, trigger: .heartbeat),
      .init(at: 7_200_000, trigger: .heartbeat),
    ]
    #expect(tape.taken == expected, again(Self.self))
    #expect(tape.schedule.latestNext(at: .start) == .start + Bounds.heartbeat, again(Self.self))
  }

  @Test func `A route is marked every so many metres of the way, also of one that turns back`() {
    var tape = ScheduleTape(.route(everyMetres: 1000))
    for second in Int64(0)...4000 {
      let metres = second <= 1500 ? second : 3000 - second
      tape.hear(.at(second * 1000, .olot.north(metres)))
      tape.look(at: second * 1000)
    }
    #expect(tape.times.count == 4, again(Self.self, "\(tape.times)"))
    for (time, mark) in zip(tape.times, [Int64(0), 1000, 2000, 3000]) {
      #expect(abs(time - mark) <= 90, again(Self.self, "\(tape.times)"))
    }
  }

  @Test func `A receiver is never put to sleep for a policy that goes by distance`() {
    for policy in [CapturePolicy.significant, .proximity, .route(everyMetres: 5)] {
      #expect(!CaptureSchedule(policy, at: .start).goesByTime, again(Self.self))
    }
    let byTime = CaptureSchedule(.adaptive(interval: .minutes(1)), at: .start)
    #expect(byTime.goesByTime, again(Self.self))
  }

  @Test func `Extreme distances and instants do not trap`() {
    for policy in [CapturePolicy.significant, .route(everyMetres: .min), .route(everyMetres: .max)]
    {
      var tape = ScheduleTape(policy)
      for now: Int64 in [0, .max, .min, -1, 900_000_000_000_000, .max - 1, .min + 1] {
        tape.hear(.at(now, Coordinate(latitude: .min, longitude: .max)))
        tape.look(at: now)
        tape.hear(.at(now, Coordinate(latitude: .max, longitude: .min)))
        tape.look(at: now)
      }
    }
  }
}
