import Testing

@testable import TrackerCore

/// The choice between plans, for the bench's board: 2.6 Ah, of which the least plan takes some 70
/// mA.
@Suite struct ForesightTests {
  typealias Plan = EnergyBudget.Plan

  private struct Case {
    var percent: Int64
    var hours: Int64
    /// Of the charge, percent.
    var doubt: Int64 = 0
    /// Of the drain, percent.
    var drainDoubt: Int64 = 0
    var confidence: Int32 = 95
    var hour: Milliseconds?
    var freezing: Int32 = 100
    var present = Plan()

    var foresight: Foresight {
      var board = Board.bench
      board.battery.capacityAtFreezingPercent = freezing
      return Foresight(
        estimate: ChargeEstimate(
          charge: percent * 10_000, deviation: doubt * 10_000, drainDeviation: drainDoubt * 10_000),
        consumption: Consumption(board, Configuration(), captureInterval: .minutes(10)),
        time: .hours(hours), reserve: 100_000, cutOff: 30_000, confidence: confidence,
        weather: Weather(hour: hour), spent: 0, planned: 0)
    }
    var plan: Plan { foresight.best(after: present) }
  }

  @Test func `What is certain is spent until the reserve is left at the finish`() {
    let consumption = Case(percent: 0, hours: 24).foresight.consumption
    let least = consumption.share(Foresight.least(consumption), for: .hours(24))
    let cases = (Int64(20)...100).map { Case(percent: $0, hours: 24) }
      .filter { $0.percent * 10_000 >= least + 100_000 }
    for one in cases {
      let plan = one.plan
      let left = one.foresight.estimate.left(
        after: one.foresight.consumption.share(plan, for: .hours(24)), confidence: 50)
      if plan.contactPercent < 600 { #expect(left >= 30_000, again(Self.self, "\(one) \(plan)")) }
      // Two percent of the battery would have paid for the next shorter interval.
      if (150..<600).contains(plan.contactPercent) {
        #expect(left < 130_000, again(Self.self, "\(one) \(plan)"))
      }
    }
    let intervals = cases.map(\.plan.contactPercent)
    #expect(Set(intervals).count > 5, again(Self.self, "\(intervals)"))
  }

  @Test func `Of the chance to reach the finish a plan takes little, with more confidence less`() {
    // Nobody knows whether the battery reaches the finish.
    func interval(_ confidence: Int32) -> Int64 {
      Case(percent: 75, hours: 24, doubt: 3, drainDoubt: 40, confidence: confidence)
        .plan.contactPercent
    }
    let intervals = [50, 80, 95, 99].map { interval($0) }
    #expect(intervals == intervals.sorted(), again(Self.self, "\(intervals)"))
    #expect(intervals[0] < intervals[3] && intervals[2] < 600, again(Self.self, "\(intervals)"))
    for confidence in [80, 95, 99] as [Int32] {
      let one = Case(percent: 75, hours: 24, doubt: 3, drainDoubt: 40, confidence: confidence)
      let foresight = one.foresight
      func chance(_ plan: Plan) -> Int64 {
        foresight.estimate.chance(
          of: 30_000, after: foresight.consumption.share(plan, for: .hours(24)))
      }
      let least = chance(Foresight.least(foresight.consumption))
      let most = least * (10_000 - Int64(100 - confidence) * Bounds.planDoubt) / 10_000
      #expect(chance(one.plan) >= most - 1, again(Self.self, "\(confidence) %"))
    }
  }

  @Test func `A plan is begun that may have to be given up for the least one an hour later`() {
    let begun = (Int64(40)...100).filter { percent in
      let one = Case(percent: percent, hours: 20, doubt: 2, drainDoubt: 10)
      let (foresight, plan) = (one.foresight, one.plan)
      func share(_ plan: Plan) -> Int64 { foresight.consumption.share(plan, for: .hours(20)) }
      func chance(_ plan: Plan) -> Int64 {
        foresight.estimate.chance(of: 30_000, after: share(plan))
      }
      // To the end it would take more of the chance than a plan may.
      return foresight.estimate.left(after: share(plan), confidence: 95) < 30_000
        && chance(plan) * 100 < chance(Foresight.least(foresight.consumption)) * 99
        && foresight.estimate.left(after: share(plan), confidence: 50) >= 100_000
    }
    #expect(!begun.isEmpty, again(Self.self))
  }

  @Test func `A finish out of reach is given up, and what is left buys the lowest age`() {
    // A fifth of the way: the least plan would not live much longer.
    let plan = Case(percent: 40, hours: 40).plan
    let near = Case(percent: 55, hours: 24).plan
    #expect(plan.capturePercent == 50 && near.capturePercent == 50, again(Self.self))
    #expect(plan.contactPercent > 50, "it does not burn out, either: \(plan)")
    #expect(near.contactPercent < 600, again(Self.self, "\(near)"))
  }

  @Test(arguments: [Int32.min, -1, 0, 100, 101, .max])
  func `A recording's settings may have any confidence`(_ confidence: Int32) {
    for percent in [0, 50, 100] as [Int64] {
      let plan = Case(percent: percent, hours: 24, doubt: 3, confidence: confidence).plan
      #expect((50...600).contains(plan.contactPercent), again(Self.self, "\(plan)"))
    }
  }

  @Test func `A night that is over is not feared`() {
    /// Over all charges.
    func intervals(_ hour: Int64?) -> Int64 {
      (Int64(20)...100).map { percent in
        Case(
          percent: percent, hours: 10, doubt: 2, drainDoubt: 10, hour: hour.map { .hours($0) },
          freezing: 70
        ).plan.contactPercent
      }.reduce(0, +)
    }
    let (morning, evening, unknown) = (intervals(6), intervals(18), intervals(nil))
    #expect(morning < evening && evening <= unknown, "\(morning) \(evening) \(unknown)")
  }

  @Test func `Contacts become more frequent only with something to spare`() {
    var differs = 0
    for tenth in 300...1000 as ClosedRange<Int64> {
      func plan(after present: Int64) -> Plan {
        var one = Case(percent: 0, hours: 24)
        one.present.contactPercent = present
        return Foresight(
          estimate: ChargeEstimate(charge: tenth * 1000, deviation: 0, drainDeviation: 0),
          consumption: one.foresight.consumption, time: .hours(24), reserve: 100_000,
          cutOff: 30_000, confidence: 95, weather: Weather(), spent: 0, planned: 0
        ).best(after: one.present)
      }
      let (rare, often) = (plan(after: 600), plan(after: 50))
      #expect(rare.contactPercent >= often.contactPercent, again(Self.self, "\(tenth)"))
      // Once taken, it is kept.
      #expect(
        plan(after: rare.contactPercent).contactPercent == rare.contactPercent,
        again(Self.self, "\(tenth)"))
      if rare != often { differs += 1 }
    }
    #expect(differs > 0, again(Self.self))
  }

  @Test func `Captures that cost are as rare as contacts, others as frequent as can be`() {
    var board = Board.bench
    board.receiver.hotStart = .seconds(60)
    let dear = Consumption(board, Configuration(), captureInterval: .minutes(10))
    board.receiver.hotStart = .seconds(1)
    let cheap = Consumption(board, Configuration(), captureInterval: .minutes(10))
    #expect(Foresight.least(cheap).capturePercent == 50, again(Self.self))
    let least = Foresight.least(dear)
    #expect(least.capturePercent > 50, again(Self.self, "\(least)"))
    let rarest = Plan(capturePercent: 600, contactPercent: 600, sleepsReceiver: true)
    #expect(
      dear.current(least) * 100 <= dear.current(rarest) * (100 + Bounds.captureCost),
      again(Self.self, "\(least)"))
  }

  @Test func `A chance follows the normal distribution`() {
    let estimate = ChargeEstimate(charge: 500_000, deviation: 100_000, drainDeviation: 0)
    for (rest, expected) in [
      (500_000, 500_000), (400_000, 841_345), (600_000, 158_655), (300_000, 977_250),
      (0, 999_767), (1_000_000, 233),
    ] as [(Int64, Int64)] {
      let chance = estimate.chance(of: rest, after: 0)
      #expect(abs(chance - expected) < 1000, again(Self.self, "\(rest): \(chance)"))
    }
    let certain = ChargeEstimate(charge: 500_000, deviation: 0, drainDeviation: 0)
    #expect(certain.chance(of: 499_000, after: 0) > 999_000, again(Self.self))
    #expect(certain.chance(of: 501_000, after: 0) < 1000, again(Self.self))
    #expect(estimate.chance(of: .max / 2000, after: .max, doubt: .max) <= 1000, again(Self.self))
  }
}
