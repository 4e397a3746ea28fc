import Testing

@testable import TrackerCore

/// What the policy adaptive says of its plan.
@Suite struct PlanOutlookTests {
  /// An hour of measurements by a fuel gauge, of a team that walks for six hours.
  private func bench(percent: UInt8, _ policy: CapturePolicy = .adaptive(interval: .minutes(10)))
    -> Bench
  {
    var bench = Bench {
      $0.capture = policy
      $0.finish = .after(.hours(6))
    }
    for _ in 0..<10 {
      bench.run(seconds: 60)
      measure(percent, &bench)
    }
    return bench
  }

  private func measure(_ percent: UInt8, _ bench: inout Bench) {
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500, percent: percent)))
  }

  private func interval(_ bench: Bench) -> Milliseconds {
    bench.tracker.outlook(at: bench.now).contactInterval
  }

  private func outlook(_ bench: Bench) throws -> PlanOutlook {
    try #require(bench.tracker.planOutlook(at: bench.now), again(Self.self))
  }

  @Test func `The charge that is said to bring more contacts does`() throws {
    let before = bench(percent: 50)
    let plan = try outlook(before)
    let from = UInt8(try #require(plan.moreFrom, again(Self.self)))
    #expect(from > 50, again(Self.self))
    for (percent, isMore) in [(from - 1, false), (from, true)] {
      var bench = before
      measure(percent, &bench)
      #expect(
        (interval(bench) < interval(before)) == isMore,
        again(Self.self, "\(percent) %, from \(from) %: \(interval(bench)), \(interval(before))"))
    }
  }

  @Test func `The charge below which there are fewer does it, too`() throws {
    let before = bench(percent: 90)
    let plan = try outlook(before)
    let below = UInt8(try #require(plan.lessBelow, again(Self.self)))
    #expect((2...90).contains(below), again(Self.self, "\(below)"))
    for (percent, isLess) in [(below, false), (below - 1, true)] {
      var bench = before
      measure(percent, &bench)
      #expect(
        (interval(bench) > interval(before)) == isLess,
        again(Self.self, "\(percent) %, below \(below) %: \(interval(bench))"))
    }
  }

  @Test func `More charge is expected to leave more, and fresher positions`() throws {
    let plans = try [UInt8(30), 60, 95].map { try outlook(bench(percent: $0)) }
    for (less, more) in zip(plans, plans.dropFirst()) {
      #expect(less.age >= more.age, again(Self.self, "\(plans)"))
      #expect(less.left <= more.left || more.age < less.age, again(Self.self, "\(plans)"))
    }
    #expect(plans[2].emptyIn == nil && plans[2].left > 0, again(Self.self))
    // Between two contacts it grows from nothing to their interval, by the plan or the floor.
    let full = bench(percent: 95)
    let apart = max(interval(full), full.tracker.configuration.reconnectFloor)
    #expect(try outlook(full).age.count * 2 == apart.count, again(Self.self))
    #expect(abs((plans[2].time - .minutes(6 * 60 - 10)).count) < 60_000, again(Self.self))
  }

  @Test func `A battery that does not last says when it is empty`() throws {
    let plan = try outlook(bench(percent: 8))
    let empty = try #require(plan.emptyIn, again(Self.self))
    #expect(plan.left == 0 && empty < plan.time, again(Self.self, "\(plan)"))
    #expect(plan.age > .minutes(30), again(Self.self, "\(plan)"))
  }

  @Test func `There is no plan without a measurement, another supply or another policy`() throws {
    let interval = Milliseconds.minutes(10)
    let other = CapturePolicy.standard(
      interval: interval, minimumDistanceMetres: 0, heartbeat: interval)
    #expect(bench(percent: 50, other).isWithoutPlan, again(Self.self))
    var supplied = bench(percent: 50)
    supplied.handle(.pinChanged(.powerGood, isActive: true, since: 0))
    #expect(supplied.isWithoutPlan, again(Self.self))
    var lost = bench(percent: 50)
    lost.handle(.batteryLost)
    #expect(lost.isWithoutPlan, again(Self.self))
  }
}

extension Bench {
  fileprivate var isWithoutPlan: Bool { tracker.planOutlook(at: now) == nil }
}
