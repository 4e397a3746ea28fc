/// What plans would come to until the finish, and the choice between them.
///
/// The aim is the lowest expected age of the last known position from now until the finish, where
/// after the battery's end it goes on growing; then the most positions. So a plan is the more
/// welcome the shorter its interval between contacts, as long as one of these holds:
///
/// - It can be expected to last until the finish, and after an hour of it the least plan would
///   still reach the finish with the wanted confidence. By then more is known.
/// - It takes away next to nothing of the chance that the least plan has: a share of the doubt that
///   the confidence leaves (`Bounds.planDoubt`).
///
/// When even the least plan can hardly reach the finish, the plan with the lowest expected age is
/// chosen, whether the battery lasts or not.
struct Foresight {
  typealias Plan = EnergyBudget.Plan

  let estimate: ChargeEstimate
  let consumption: Consumption
  /// Until the finish.
  let time: Milliseconds
  /// What is to be left then, millionths of the full battery.
  let reserve: Int64
  /// With less the battery is empty.
  let cutOff: Int64
  /// How certain it must be that the battery is not, percent.
  let confidence: Int32
  let weather: Weather
  /// What the loads took recently, and what the plans should have taken.
  let spent: Int64
  let planned: Int64

  /// Between contacts, and at least between captures, percent of the configured intervals.
  private static let shortest: Int64 = 50
  private static let longest: Int64 = 600

  // MARK: Choice

  /// - Parameter present: the plan so far.
  func best(after present: Plan) -> Plan {
    let least = Self.least(consumption)
    let leastShare = share(least, time)
    guard chance(of: cutOff, after: leastShare) >= Bounds.planHope else { return lastService() }
    // Within the reserve contacts are rare, whatever the plan.
    let floor = left(after: leastShare, confidence) >= reserve ? reserve : cutOff
    let chance = chance(of: floor, after: leastShare)
    let wanted = chance * (10_000 - (100 - Int64(confidence)) * Bounds.planDoubt) / 10_000
    var interval = Self.shortest
    while interval < Self.longest {
      let plan = Self.plan(contactPercent: interval, consumption)
      // More often than now only with something to spare, so that plans do not alternate.
      let margin = interval < present.contactPercent ? Bounds.planGain : 0
      let share = share(plan, time) * (100 + margin) / 100
      if left(after: share, 50) >= reserve && isSafe(plan, least)
        || self.chance(of: floor, after: share) >= wanted
      {
        return interval == Self.shortest ? generous(plan) : plan
      }
      interval += Self.shortest
    }
    return least
  }

  /// The plan that takes least, but for positions that cost next to nothing.
  static func least(_ consumption: Consumption) -> Plan {
    plan(contactPercent: longest, consumption)
  }

  /// Nothing has to be saved.
  static var most: Plan { Plan(capturePercent: shortest, contactPercent: shortest) }

  /// Between two contacts as many captures as cost next to nothing.
  private static func plan(contactPercent: Int64, _ consumption: Consumption) -> Plan {
    var plan = Plan(
      capturePercent: contactPercent, contactPercent: contactPercent,
      sleepsReceiver: consumption.canSleepReceiver)
    plan.betweenUploads = consumption.cheaper(plan)
    let most = consumption.current(plan) * (100 + Bounds.captureCost) / 100
    let captures = contactPercent / shortest
    for count in 1...captures where captures % count == 0 {
      var other = plan
      other.capturePercent = contactPercent / count
      guard consumption.current(other) <= most else { break }
      plan = other
    }
    return plan
  }

  /// With what is left over the receiver stays awake, and the modem does what is configured.
  private func generous(_ plan: Plan) -> Plan {
    var awake = plan
    awake.sleepsReceiver = false
    return certain(asConfigured(awake)) ?? certain(awake) ?? certain(asConfigured(plan)) ?? plan
  }

  private func asConfigured(_ plan: Plan) -> Plan {
    var plan = plan
    if plan.betweenUploads == .off { plan.betweenUploads = nil }
    return plan
  }

  /// `nil`: it does not leave the reserve with the wanted confidence.
  private func certain(_ plan: Plan) -> Plan? {
    left(after: share(plan, time), confidence) >= reserve ? plan : nil
  }

  /// The plan with the lowest age of the last known position, on average until the finish.
  private func lastService() -> Plan {
    var best = Self.least(consumption)
    var lowest = Int64.max
    var interval = Self.shortest
    while interval <= Self.longest {
      let plan = Self.plan(contactPercent: interval, consumption)
      let age = ageSum(of: plan)
      if age < lowest { (best, lowest) = (plan, age) }
      interval += Self.shortest
    }
    return best
  }

  // MARK: Expectations

  /// Whether the least plan still reaches the finish after an hour of this one.
  private func isSafe(_ plan: Plan, _ least: Plan) -> Bool {
    let first = min(time, Bounds.planStep)
    return left(after: share(plan, first) + share(least, time - first), confidence) >= cutOff
  }

  /// The probability that so much is left at the finish, millionths.
  private func chance(of rest: Int64, after share: Int64) -> Int64 {
    estimate.chance(of: rest, after: share, doubt: cold)
  }

  private func left(after share: Int64, _ confidence: Int32) -> Int64 {
    estimate.left(after: share, doubt: cold, confidence: confidence)
  }

  private var cold: Int64 { consumption.cold(within: time, weather) }

  /// What is left at the finish, as is to be expected, millionths.
  func expected(after plan: Plan) -> Int64 { left(after: share(plan, time), 50) }

  /// Twice the sum of the last known position's age over all minutes until the finish, in minutes.
  /// The last contact before the battery's end leaves a fresh position, whose age goes on growing.
  func ageSum(of plan: Plan) -> Int64 {
    let minutes = time.count / 60_000
    let life = min(minutes, life(plan))
    let dark = minutes - life
    return life * (consumption.timeBetweenContacts(plan).count / 60_000) + dark * dark
  }

  /// For how many minutes a plan can be expected to last.
  func life(_ plan: Plan) -> Int64 {
    let taken = estimate.charge - left(after: share(plan, time), 50)
    return max(0, estimate.charge - cutOff) * (time.count / 60_000) / max(1, taken)
  }

  /// What a plan will take, millionths: as the figures say, corrected by what was really taken.
  private func share(_ plan: Plan, _ time: Milliseconds) -> Int64 {
    // A few minutes of a contact say nothing about an hour.
    let prior = Bounds.loadMemory / 10
    return consumption.share(plan, for: time) * (spent + prior) / (planned + prior)
  }
}
