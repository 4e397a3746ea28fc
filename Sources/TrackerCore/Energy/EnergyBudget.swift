/// What the battery can pay for until the finish, with the policy `adaptive`.
///
/// Each measurement compares the charge above the reserve, as far as it is there with the wanted
/// confidence, with what the loads of the board's file take until the finish, corrected by how much
/// faster or slower the battery has emptied so far than they say. The first rung of the ladder that
/// is paid for becomes the plan:
///
///     captures every   x 0.5  0.75  1  1    1  1  1  1  1.5  2  3  4  6
///     contacts every   x 0.5  0.75  1  1.5  2  3  4  6  6    6  6  6  6
///
/// So freshness suffers first and captures last. On each rung the receiver stays awake if that is
/// paid for, and else sleeps between captures, if it can. Only what is left counts: a colder night,
/// a slower team or a swapped battery change the next plan, as a restart does.
struct EnergyBudget: Sendable, Equatable {
  /// What the tracker does until the next measurement.
  struct Plan: Sendable, Equatable {
    /// Percent of the configured intervals.
    var capturePercent: Int64 = 100
    var contactPercent: Int64 = 100
    /// Whether the receiver sleeps between captures.
    var sleepsReceiver = false
  }

  /// A measured charge that everything drawn since is compared with.
  private struct Reference: Sendable, Equatable {
    /// Millionths of full, as all charges here.
    var charge: Int64
    /// What the plans should have drawn since, microamp-milliseconds of the battery.
    var counted: Int64 = 0
    var lastCharge: Int64
    var lastAt: Instant
  }

  private(set) var plan: Plan
  private var began: Instant?
  private var reference: Reference?

  /// As configured, until the first measurement.
  init(_ plan: Plan = Plan()) { self.plan = plan }

  /// The battery was measured.
  ///
  /// - Parameters:
  ///   - finish: `nil` when it is not known or none is configured.
  ///   - confidence: how certain it must be that the charge is there, percent.
  mutating func measure(
    _ estimate: ChargeEstimate, at now: Instant, finish: Instant?, _ consumption: Consumption,
    reservePercent: Int32, confidence: Int32
  ) {
    let began = began ?? now
    self.began = began
    count(estimate.charge, at: now, consumption)
    guard consumption.capacity > 0 else { return }
    let end = finish ?? began + Bounds.usualRace
    let time = min(max(end - now, Bounds.shortestBudget), .hours(8766))
    let reserve = Int64(max(0, reservePercent)) * ChargeEstimate.percent
    let spendable = max(0, estimate.atLeast(withConfidence: confidence) - reserve)
    let allowed = consumption.capacity / ChargeEstimate.full * spendable / time.count
    let certain = allowed * (100 - Bounds.budgetMarginPercent) / 100
    plan = best(within: certain, consumption)
  }

  /// The supply is external: everything is paid for.
  mutating func spendFreely() {
    plan = Self.rung(0)
    reference = nil
  }

  /// The battery is no longer measured: what was found necessary stays, but nothing is done more
  /// often than configured.
  mutating func lose() {
    plan.capturePercent = max(100, plan.capturePercent)
    plan.contactPercent = max(100, plan.contactPercent)
    reference = nil
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

  // MARK: Counting

  private mutating func count(_ charge: Int64, at now: Instant, _ consumption: Consumption) {
    guard var known = reference,
      charge <= known.lastCharge + Bounds.swappedBatteryPercent * ChargeEstimate.percent
    else {
      // The first measurement, or another battery.
      reference = Reference(charge: charge, lastCharge: charge, lastAt: now)
      return
    }
    let time = min(max(0, now - known.lastAt), .hours(24))
    known.counted = min(
      consumption.capacity, known.counted + consumption.current(plan) * time.count)
    known.lastCharge = charge
    known.lastAt = now
    reference = known
  }

  /// How much the battery has emptied for each unit that was counted, in thousandths.
  private func correction(_ consumption: Consumption) -> Int64 {
    guard let reference else { return 1000 }
    // The voltage of a battery under load is worth little before a tenth of its charge is used.
    let prior = consumption.capacity / 10
    let drained =
      consumption.capacity / ChargeEstimate.full * max(0, reference.charge - reference.lastCharge)
    return min(3000, max(500, (drained + prior) / max(1, (reference.counted + prior) / 1000)))
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

  /// - Parameter allowed: microamps of the battery.
  private func best(within allowed: Int64, _ consumption: Consumption) -> Plan {
    let correction = correction(consumption)
    func isPaid(_ plan: Plan) -> Bool {
      consumption.current(plan) * correction / 1000 <= allowed
    }
    var plan = Plan()
    for index in 0..<Self.rungs {
      plan = Self.rung(index)
      if isPaid(plan) { return plan }
      guard consumption.canSleepReceiver else { continue }
      plan.sleepsReceiver = true
      if isPaid(plan) { return plan }
    }
    // The least that there is.
    return plan
  }
}
