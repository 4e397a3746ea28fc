import Testing

@testable import TrackerCore

/// The bench's board draws some 100 mA of its battery, of which the receiver 31, and has 2.6 Ah.
@Suite struct EnergyBudgetTests {
  typealias Plan = EnergyBudget.Plan

  private static func consumption(
    _ board: Board = .bench, every interval: Milliseconds = .minutes(10),
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Consumption {
    var configuration = Configuration()
    configure(&configuration)
    return Consumption(board, configuration, captureInterval: interval)
  }

  /// A charge that is certain.
  private func estimate(_ percent: UInt8) -> ChargeEstimate {
    ChargeEstimate(charge: Int64(percent) * 10_000, deviation: 0)
  }

  /// The plan with so much left so long before the finish.
  private func plan(
    _ percent: UInt8, hours: Int64, _ consumption: Consumption = Self.consumption(),
    reserve: Int64 = 100_000
  ) -> Plan {
    var budget = EnergyBudget()
    budget.measure(
      estimate(percent), spent: 0, at: .start, finish: .start + .hours(hours), consumption,
      reserve: reserve, confidence: 50)
    return budget.plan
  }

  @Test func `With plenty left everything happens twice as often, the receiver awake`() {
    #expect(
      plan(100, hours: 10) == Plan(capturePercent: 50, contactPercent: 50), again(Self.self))
  }

  @Test func `The receiver sleeps first, then contacts become rarer, and captures stay`() {
    var board = Board.bench
    board.battery.capacityAtFreezingPercent = 100
    let consumption = Self.consumption(board)
    let least = consumption.share(Foresight.least(consumption), for: .hours(16))
    var asleep = Foresight.most
    asleep.sleepsReceiver = true
    var plans: [Plan] = []
    for permille in Int64(0)...1000 where 1_000_000 - permille * 1000 >= least + 100_000 {
      var budget = EnergyBudget()
      budget.measure(
        ChargeEstimate(charge: 1_000_000 - permille * 1000, deviation: 0, drainDeviation: 0),
        spent: 0, at: .start, finish: .start + .hours(16), consumption, reserve: 100_000,
        cutOff: 100_000, confidence: 95)
      if budget.plan != plans.last { plans.append(budget.plan) }
    }
    #expect(plans.prefix(2) == [Foresight.most, asleep], again(Self.self, "\(plans)"))
    #expect(plans.last?.contactPercent == 600, again(Self.self, "\(plans)"))
    #expect(plans.dropFirst().allSatisfy { $0.sleepsReceiver }, again(Self.self, "\(plans)"))
    for (earlier, later) in zip(plans, plans.dropFirst()) {
      #expect(earlier.contactPercent <= later.contactPercent, again(Self.self, "\(plans)"))
    }
    #expect(plans.allSatisfy { $0.capturePercent == 50 }, again(Self.self, "\(plans)"))
  }

  @Test func `With more confidence less is spent of a charge that is uncertain`() {
    func plan(_ confidence: Int32) -> Plan {
      var budget = EnergyBudget()
      budget.measure(
        ChargeEstimate(charge: 700_000, deviation: 100_000), spent: 0, at: .start,
        finish: .start + .hours(14), Self.consumption(), reserve: 100_000,
        confidence: confidence)
      return budget.plan
    }
    #expect(plan(50) == self.plan(70, hours: 14), again(Self.self))
    let (sure, even) = (plan(95), plan(50))
    #expect(
      sure.contactPercent + sure.capturePercent > even.contactPercent + even.capturePercent,
      again(Self.self, "\(sure) \(even)"))
  }

  @Test func `A receiver that cannot sleep, or sleeps anyway, is planned as it is`() {
    var board = Board.bench
    board.receiver.canSleep = false
    #expect(!plan(60, hours: 32, Self.consumption(board)).sleepsReceiver, again(Self.self))
    let sleeping = Self.consumption { $0.receiverUse = .dutyCycle }
    #expect(
      plan(70, hours: 24, sleeping).capturePercent <= plan(70, hours: 24).capturePercent,
      again(Self.self))
  }

  /// Uses a battery by plan, minute by minute, until the finish or its end.
  ///
  /// - Parameter excess: what is really drawn, percent of what the board's file says.
  /// - Returns: percent left, and how many contacts there were.
  private func race(
    from start: Double, hours: Int, excess: Double, _ consumption: Consumption
  ) -> (left: Double, contacts: Double) {
    var budget = EnergyBudget()
    var left = start
    var contacts = 0.0
    func reading() -> ChargeEstimate {
      ChargeEstimate(charge: Int64(left * 10_000), deviation: 30_000)
    }
    var known = reading()
    var counted: Int64 = 0
    for minute in 0..<hours * 60 {
      budget.measure(
        known, spent: counted, at: .start + .minutes(Int64(minute)),
        finish: .start + .hours(Int64(hours)),
        consumption, reserve: 0, confidence: 90)
      counted = consumption.share(budget.plan, for: .minutes(1))
      left -= Double(counted) * excess / 100 / 10_000
      if left <= 0 { return (left, contacts) }
      contacts += 100 / Double(budget.plan.contactPercent) / 10
      known.spend(counted)
      known.measure(reading(), after: .minutes(1))
    }
    return (left, contacts)
  }

  @Test(arguments: [60.0, 80, 100, 120, 150, 200])
  func `A battery that can pay for the least reaches the finish, also an aged one`(
    _ excess: Double
  ) {
    let consumption = Self.consumption()
    let least = Plan(capturePercent: 600, contactPercent: 600, sleepsReceiver: true)
    for hours in [8, 24, 32, 40] {
      for start in stride(from: 10.0, through: 100, by: 10) {
        let need = Double(consumption.current(least)) * excess / 100 * Double(hours) * 3_600_000
        let share = need / Double(consumption.capacity) * 100
        guard share < start * 0.9 else { continue }
        let (left, contacts) = race(from: start, hours: hours, excess: excess, consumption)
        let what = "\(hours) h from \(start) %, excess \(excess) %: \(left) % left"
        #expect(left > 0, again(Self.self, what))
        // Not for nothing: what is left at the finish would have paid for more.
        #expect(left < 60 || contacts >= Double(hours) * 12, again(Self.self, what))
      }
    }
  }

  @Test func `Parts that draw more than their figures are found out`() {
    let consumption = Self.consumption()
    let honest = race(from: 100, hours: 30, excess: 80, consumption)
    let hungry = race(from: 100, hours: 30, excess: 120, consumption)
    #expect(honest.contacts > hungry.contacts && hungry.left > 0, again(Self.self))
  }

  @Test func `A cold night to come is allowed for, and less as the finish comes nearer`() {
    var board = Board.bench
    board.battery.capacityAtFreezingPercent = 100
    let usual = Self.consumption(board)
    board.battery.capacityAtFreezingPercent = 50
    let sensitive = Self.consumption(board)
    #expect(sensitive.cold(within: .hours(12)) == 500_000, again(Self.self))
    #expect(sensitive.cold(within: .hours(40)) == 500_000, again(Self.self))
    #expect(sensitive.cold(within: .hours(3)) == 125_000, again(Self.self))
    func plan(_ consumption: Consumption, hours: Int64) -> Plan {
      var budget = EnergyBudget()
      budget.measure(
        ChargeEstimate(charge: 900_000, deviation: 20_000, drainDeviation: 60_000), spent: 0,
        at: .start,
        finish: .start + .hours(hours), consumption, reserve: 100_000, confidence: 95)
      return budget.plan
    }
    let plans = (8...20).map { hours in
      (plan(sensitive, hours: hours).contactPercent, plan(usual, hours: hours).contactPercent)
    }
    #expect(plans.allSatisfy { $0.0 >= $0.1 }, again(Self.self, "\(plans)"))
    #expect(plans.contains { $0.0 > $0.1 }, again(Self.self, "\(plans)"))
  }

  /// The drain is right, since it is learned from the same counts; only the plan is wrong about
  /// what will be counted.
  @Test func `Parts that are measured to take twice their figures are planned with that`() {
    var board = Board.bench
    board.battery.capacityAtFreezingPercent = 100
    let consumption = Self.consumption(board)
    func plan(factor: Int64) -> (first: Plan, last: Plan) {
      var budget = EnergyBudget()
      var plans: [Plan] = []
      for minute in Int64(0)...180 {
        let share = consumption.share(budget.plan, for: .minutes(1)) * factor
        budget.measure(
          ChargeEstimate(charge: 900_000, deviation: 20_000, drainDeviation: 60_000),
          spent: minute == 0 ? 0 : share, at: .start + .minutes(minute),
          finish: .start + .hours(20), consumption, reserve: 100_000, confidence: 95)
        plans.append(budget.plan)
      }
      return (plans[0], plans[180])
    }
    let (honest, hungry) = (plan(factor: 1), plan(factor: 2))
    #expect(honest.first == hungry.first, again(Self.self))
    #expect(hungry.last.contactPercent > honest.last.contactPercent * 2, again(Self.self))
  }

  @Test func `After the finish an hour is still paid for`() {
    #expect(plan(12, hours: -3) == plan(12, hours: 1), again(Self.self))
    #expect(plan(12, hours: -3) != plan(12, hours: 32), again(Self.self))
  }

  @Test func `Without a finish it lasts for the usual race`() {
    var budget = EnergyBudget()
    for hour in Int64(0)...2 {
      budget.measure(
        estimate(60), spent: 0, at: .start + .hours(hour), finish: nil, Self.consumption(),
        reserve: 100_000, confidence: 50)
    }
    #expect(budget.plan.sleepsReceiver, again(Self.self))
  }

  @Test func `Without a measurement nothing happens more often than configured`() {
    var budget = EnergyBudget()
    budget.measure(
      estimate(100), spent: 0, at: .start, finish: .start + .hours(2), Self.consumption(),
      reserve: 100_000,
      confidence: 50)
    budget.lose()
    #expect(budget.plan == Plan(), again(Self.self))
    budget.measure(
      estimate(11), spent: 0, at: .start, finish: .start + .hours(32), Self.consumption(),
      reserve: 100_000,
      confidence: 50)
    let before = budget.plan
    budget.lose()
    #expect(before.capturePercent == 50 && before.contactPercent > 100, again(Self.self))
    #expect(budget.plan.capturePercent == 100, again(Self.self))
    #expect(budget.plan.contactPercent == before.contactPercent, again(Self.self))
  }

  @Test func `An external supply pays for everything`() {
    var budget = EnergyBudget()
    budget.measure(
      estimate(11), spent: 0, at: .start, finish: .start + .hours(32), Self.consumption(),
      reserve: 100_000,
      confidence: 50)
    budget.spendFreely(Self.consumption())
    #expect(budget.plan == Plan(capturePercent: 50, contactPercent: 50), again(Self.self))
  }

  @Test func `Time on an external supply does not make the loads look smaller`() {
    let consumption = Self.consumption()
    func plan(hoursOnSupply: Int64) -> Plan {
      var budget = EnergyBudget()
      var minute: Int64 = 0
      func measure() {
        budget.measure(
          ChargeEstimate(charge: 900_000, deviation: 20_000, drainDeviation: 60_000),
          spent: consumption.share(budget.plan, for: .minutes(1)), at: .start + .minutes(minute),
          finish: .start + .minutes(minute) + .hours(14), consumption, reserve: 100_000,
          confidence: 50)
        minute += 1
      }
      for _ in 0..<60 { measure() }
      for _ in 0..<hoursOnSupply * 60 {
        budget.spendFreely(consumption)
        minute += 1
      }
      measure()
      return budget.plan
    }
    #expect(plan(hoursOnSupply: 4) == plan(hoursOnSupply: 0), again(Self.self))
  }

  @Test func `A board without a battery in its file is not paced`() {
    #expect(plan(5, hours: 32, Self.consumption(.none)) == Plan(), again(Self.self))
  }

  /// Off, a contact takes 40 s at 150 mA; attached, 3.35 s at 539 mA and 17.5 mA all the time: the
  /// same at an interval of four minutes.
  @Test func `The modem stays attached where joining the network anew takes more`() {
    func plan(_ minutes: Int64, floor: Int64, captures: Int64 = 1, _ board: Board = .bench) -> Plan
    {
      let consumption = Self.consumption(board, every: .minutes(captures)) {
        $0.transmitInterval = .minutes(minutes)
        $0.reconnectFloor = .minutes(floor)
      }
      return self.plan(100, hours: 10, consumption)
    }
    // Twice as often as configured, as everything is paid for.
    #expect(plan(6, floor: 0).betweenUploads == .attached, again(Self.self))
    #expect(plan(10, floor: 0).betweenUploads == nil, again(Self.self))
    // The floor lets a modem that is switched off connect once in ten minutes, which is cheaper.
    #expect(plan(2, floor: 10).betweenUploads == nil, again(Self.self))
    // Without a capture there is nothing to send.
    #expect(plan(2, floor: 0, captures: 10).betweenUploads == nil, again(Self.self))
    // Nobody has measured what it takes with its radio off.
    var board = Board.bench
    board.modem.rest = .radioOff
    #expect(plan(2, floor: 0, board).betweenUploads == nil, again(Self.self))
    // Few contacts: attached is no longer worth it.
    var plans: [Plan] = []
    let consumption = Self.consumption(every: .minutes(1)) {
      $0.transmitInterval = .minutes(2)
      $0.reconnectFloor = 0
    }
    for percent in (5...100).reversed() {
      plans.append(self.plan(UInt8(percent), hours: 24, consumption))
    }
    for plan in plans {
      let isClose = plan.contactPercent <= 150
      #expect((plan.betweenUploads == .attached) == isClose, again(Self.self, "\(plan)"))
    }
    #expect(Set(plans.map { $0.betweenUploads == .attached }).count == 2, again(Self.self))
  }

  @Test func `A modem that should stay attached is switched off before captures suffer`() {
    let consumption = Self.consumption { $0.betweenUploads = .attached }
    #expect(plan(100, hours: 10, consumption).betweenUploads == nil, again(Self.self))
    var plans: [Plan] = []
    for percent in (0...100).reversed() {
      plans.append(plan(UInt8(percent), hours: 32, consumption))
    }
    #expect(plans.contains { $0.betweenUploads == .off }, again(Self.self, "\(plans)"))
    for plan in plans where plan.capturePercent > 100 {
      #expect(plan.betweenUploads == .off, again(Self.self, "\(plan)"))
    }
  }

  @Test func `A modem stays attached by choice only while the choice is known to be right`() {
    let consumption = Self.consumption(every: .minutes(2)) {
      $0.transmitInterval = .minutes(2)
      $0.reconnectFloor = 0
    }
    func budget() -> EnergyBudget {
      var budget = EnergyBudget()
      budget.measure(
        estimate(100), spent: 0, at: .start, finish: .start + .hours(10), consumption,
        reserve: 100_000, confidence: 50)
      #expect(budget.plan.betweenUploads == .attached, again(Self.self))
      return budget
    }
    var lost = budget()
    lost.lose()
    #expect(lost.plan.betweenUploads == nil, again(Self.self))
    var supplied = budget()
    supplied.spendFreely(consumption)
    #expect(supplied.plan.betweenUploads == .attached, again(Self.self))
  }

  @Test func `Contacts that the reconnect floor does not allow are not paid for`() {
    let consumption = Self.consumption(every: .minutes(5)) { $0.reconnectFloor = .minutes(10) }
    let often = Plan(contactPercent: 50)
    #expect(consumption.current(often) == consumption.current(Plan()), again(Self.self))
    let free = Self.consumption(every: .minutes(5)) { $0.reconnectFloor = 0 }
    #expect(free.current(often) > free.current(Plan()), again(Self.self))
  }

  @Test func `Absurd figures do not trap`() {
    for number in [Int32.min, -1, 0, 1, 60_000, .max] {
      var board = Board.bench
      board.supplyMillivolts = number
      board.loads.boardMicroamps = number
      board.loads.receiverTrackingMicroamps = number
      board.battery.cellCapacityMilliampHours = number
      board.battery.cellsInParallel = number
      board.battery.cellsInSeries = number
      board.battery.cellMillivolts = InlineArray(repeating: number)
      board.receiver.hotStart = Milliseconds(Int64(number) << 32)
      for regulator in [Regulator.linear, .switching(efficiencyPercent: number)] {
        board.battery.regulator = regulator
        var configuration = Configuration()
        configuration.transmitInterval = Milliseconds(Int64(number) << 32)
        configuration.reconnectFloor = Milliseconds(Int64(number) << 32)
        configuration.betweenUploads = number > 0 ? .attached : .off
        let consumption = Consumption(
          board, configuration, captureInterval: Milliseconds(Int64(number) << 32))
        var budget = EnergyBudget()
        for now: Int64 in [0, 1, 7_200_000, .max / 4] {
          budget.measure(
            ChargeEstimate(charge: now, deviation: Int64(number)), spent: now, at: .at(now),
            finish: .at(-now), consumption, reserve: Int64(number), confidence: 95)
          _ = budget.stretchCapture(Milliseconds(Int64(number) << 32))
        }
      }
    }
  }
}
