/// What the battery can pay for until the finish, with the policy `adaptive`.
///
/// At each measurement the first rung of the ladder becomes the plan that leaves, with the wanted
/// confidence, the reserve at the finish. `ChargeEstimate` knows what the battery has, and how much
/// faster it empties than the loads of the board's file say, and how well it knows that; in
/// addition, a cold night may take a part of it.
///
///     captures every   x 0.5  0.75  1  1    1  1  1  1  1.5  2  3  4  6
///     contacts every   x 0.5  0.75  1  1.5  2  3  4  6  6    6  6  6  6
///
/// Freshness suffers first and captures last, and what gathers between two contacts is sent in one
/// batch: of up to six times as many captures. On each rung the receiver stays awake if that is
/// paid for, and else sleeps between captures, if it can. The modem stays attached between contacts
/// where that takes less than joining the network again; where it is configured to stay attached,
/// it is switched off if that is not paid for. Only what is left counts: a colder night, a slower
/// team or a swapped battery change the next plan, as a restart does.
struct EnergyBudget: Sendable, Equatable {
  /// What the tracker does until the next measurement.
  struct Plan: Sendable, Equatable {
    /// Percent of the configured intervals.
    var capturePercent: Int64 = 100
    var contactPercent: Int64 = 100
    /// Whether the receiver sleeps between captures.
    var sleepsReceiver = false
    /// Whether the modem stays attached between contacts; `nil`: as configured.
    var betweenUploads: BetweenUploads?
  }

  private(set) var plan: Plan
  private var began: Instant?
  private var measuredAt: Instant?
  /// What the loads took recently, in millionths of the full battery, and what the plans should
  /// have taken: how `Consumption` is wrong about the team's own contacts and parts.
  private var spent: Int64 = 0
  private var planned: Int64 = 0

  /// As configured, until the first measurement.
  init(_ plan: Plan = Plan()) { self.plan = plan }

  /// The battery was measured.
  ///
  /// - Parameters:
  ///   - spent: what the loads took since the measurement before, millionths of the full battery.
  ///   - finish: `nil` when it is not known or none is configured.
  ///   - reserve: what must be left at the finish, millionths of the full battery.
  ///   - confidence: how certain that must be, percent.
  mutating func measure(
    _ estimate: ChargeEstimate, spent: Int64, at now: Instant, finish: Instant?,
    _ consumption: Consumption, reserve: Int64, confidence: Int32
  ) {
    let began = began ?? now
    self.began = began
    guard consumption.capacity > 0 else { return }
    compare(spent, at: now, consumption)
    let end = finish ?? max(began + Bounds.usualRace, now + Bounds.openEnd)
    let time = min(max(end - now, Bounds.shortestBudget), .hours(8766))
    plan = best(consumption) { plan in
      estimate.left(
        after: expected(consumption.share(plan, for: time)), doubt: consumption.cold(within: time),
        confidence: confidence) >= reserve
    }
  }

  private mutating func compare(_ spent: Int64, at now: Instant, _ consumption: Consumption) {
    defer { measuredAt = now }
    guard let measuredAt, spent > 0 else { return }
    self.spent += min(spent, ChargeEstimate.full)
    planned += consumption.share(plan, for: max(0, now - measuredAt))
    while max(self.spent, planned) > Bounds.loadMemory {
      self.spent /= 2
      planned /= 2
    }
  }

  /// What will be spent where the figures say this, millionths.
  private func expected(_ share: Int64) -> Int64 {
    // A few minutes of a contact say nothing about an hour.
    let prior = Bounds.loadMemory / 10
    return share * (spent + prior) / (planned + prior)
  }

  /// The supply is external: everything is paid for.
  mutating func spendFreely(_ consumption: Consumption) {
    plan = Self.rung(0)
    if consumption.cheaper(plan) == .attached { plan.betweenUploads = .attached }
    // What is planned meanwhile is not spent from the battery.
    measuredAt = nil
  }

  /// The battery is no longer measured: what was found necessary stays, but nothing is done more
  /// often than configured.
  mutating func lose() {
    plan.capturePercent = max(100, plan.capturePercent)
    plan.contactPercent = max(100, plan.contactPercent)
    forgetAttached()
  }

  /// The modem stays attached only by choice of a plan that is known to hold.
  mutating func forgetAttached() {
    if plan.betweenUploads == .attached { plan.betweenUploads = nil }
  }

  func stretchCapture(_ interval: Milliseconds) -> Milliseconds {
    Self.scaled(interval, by: plan.capturePercent)
  }

  func stretchContact(_ interval: Milliseconds) -> Milliseconds {
    Self.scaled(interval, by: plan.contactPercent)
  }

  private static func scaled(_ interval: Milliseconds, by percent: Int64) -> Milliseconds {
    Milliseconds(interval.count &* percent / 100)
  }

  // MARK: Planning

  private static let rungs = 13

  private static func rung(_ index: Int) -> Plan {
    let captures: InlineArray<13, Int64> = [
      50, 75, 100, 100, 100, 100, 100, 100, 150, 200, 300, 400, 600,
    ]
    let contacts: InlineArray<13, Int64> = [
      50, 75, 100, 150, 200, 300, 400, 600, 600, 600, 600, 600, 600,
    ]
    return Plan(capturePercent: captures[index], contactPercent: contacts[index])
  }

  private func best(_ consumption: Consumption, isPaid: (Plan) -> Bool) -> Plan {
    for index in 0..<Self.rungs {
      var plan = Self.rung(index)
      if let paid = paid(plan, consumption, isPaid) { return paid }
      guard consumption.canSleepReceiver else { continue }
      plan.sleepsReceiver = true
      if let paid = paid(plan, consumption, isPaid) { return paid }
    }
    return Self.least(consumption)
  }

  /// The plan that takes least.
  static func least(_ consumption: Consumption) -> Plan {
    var least = rung(rungs - 1)
    least.sleepsReceiver = consumption.canSleepReceiver
    least.betweenUploads = consumption.cheaper(least)
    return least
  }

  private func paid(
    _ plan: Plan, _ consumption: Consumption, _ isPaid: (Plan) -> Bool
  ) -> Plan? {
    let cheaper = consumption.cheaper(plan)
    var plan = plan
    // Attached serves better and takes less: no reason to try anything else.
    if cheaper == .attached { plan.betweenUploads = cheaper }
    if isPaid(plan) { return plan }
    guard cheaper == .off else { return nil }
    plan.betweenUploads = cheaper
    return isPaid(plan) ? plan : nil
  }
}

extension Tracker {
  /// The battery was measured, by the host or by the modem.
  mutating func measured(
    _ reading: BatteryReading, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    estimateCharge(reading, at: now)
    keepCharge(at: now)
    planEnergy(at: now)
    // At the measurement before there was no fix for the last capture.
    if isFinalContactDue && !gauge.isCharging { beginFinalContact(at: now) }
    isFinalContactDue = false
    guard session.isRunning else { return }
    let peak = peakMicroamps()
    if gauge.needsFinalContact(peak: peak) {
      isFinalContactDue = true
      capture(.batteryEnd, at: now, into: &sink)
    }
  }

  /// Sends the last capture, once it is on disk.
  mutating func beginFinalContact(at now: Instant) {
    isFinalContactDue = false
    uploader.beginNow(at: now)
    uploader.waiveReserve()
  }

  // None of these is inlined: their stack would otherwise be in use together.

  @inline(never)
  private mutating func peakMicroamps() -> Int64 { board.peakMicroamps(configuration.bearer) }

  @inline(never)
  private mutating func estimateCharge(_ reading: BatteryReading, at now: Instant) {
    let present = presentLoad(link.phase)
    let pause = drawnBeforeStart(at: now)
    let (microamps, time) = loadMeter.take(at: now)
    let supply = board.supplyMillivolts
    let drawn = BatteryGauge.Drawn(
      microamps: board.battery.current(ofLoad: microamps, at: supply), time: time,
      presentMicroamps: board.battery.current(ofLoad: present, at: supply))
    gauge.measure(reading, at: now, drawn, meanwhile: pause)
  }

  /// What board and receiver would have drawn since the charge was remembered, in millionths;
  /// `nil`: it is not known how long ago that was.
  @inline(never)
  private mutating func drawnBeforeStart(at now: Instant) -> Int64? {
    guard let remembered = gauge.remembered,
      case .known(let age) = remembered.at.age(at: now, by: clock), age >= 0
    else { return nil }
    let loads = board.loads
    let most = board.battery.current(
      ofLoads: loads.boardMicroamps, loads.receiverTrackingMicroamps, at: board.supplyMillivolts)
    return board.battery.share(ofMicroamps: most, for: age)
  }

  /// Has the charge saved when it has changed.
  @inline(never)
  private mutating func keepCharge(at now: Instant) {
    guard let estimate = gauge.estimate else { return }
    if let kept = identity.memory.charge {
      let change = abs(Int64(kept.charge) - estimate.charge)
      let isRecent = kept.at.at.map { now - $0 < Bounds.chargeSaving } ?? false
      // While it is charged each noisy reading is an estimate of its own.
      if isRecent && gauge.isCharging { return }
      if change <= (isRecent ? 5 : 1) * ChargeEstimate.percent { return }
    }
    let utc = clock.isTrusted ? clock.utc(at: now) : nil
    identity.memory.charge = ChargeRecord(estimate, at: Moment(at: now, utc: utc))
    isMemoryDue = true
  }

  /// What the policy adaptive does until the next measurement.
  @inline(never)
  private mutating func planEnergy(at now: Instant) {
    guard case .adaptive(let interval) = configuration.capture, gauge.percent != nil,
      let estimate = gauge.estimate
    else { return }
    let consumption = Consumption(board, configuration, captureInterval: interval)
    if gauge.isExternallyPowered { return budget.spendFreely(consumption) }
    // Below the cut-off under a transmission there is nothing to be had.
    let reserve = max(
      Int64(max(0, configuration.reservePercent)) * ChargeEstimate.percent,
      board.battery.chargeAtCutOff(peakMicroamps()))
    var rule = configuration.finishRule
    let isOpenEnded = rule.finish == nil
    if isOpenEnded { rule.finish = .after(Bounds.usualRace) }
    var finish = rule.finish(of: identity.memory.session, by: clock, at: now).instant
    if isOpenEnded, let usual = finish { finish = max(usual, now + Bounds.openEnd) }
    budget.measure(
      estimate, spent: gauge.spent, at: now, finish: finish,
      consumption, reserve: reserve, confidence: configuration.confidencePercent)
  }

  /// The battery can no longer be measured. `BatteryGauge` and `EnergyBudget` say what that means.
  mutating func loseBattery() {
    isFinalContactDue = false
    gauge.lose()
    budget.lose()
  }
}
