/// What the policy `adaptive` expects of its plan, and what would change it.
public struct PlanOutlook: Sendable, Equatable {
  /// Until the finish; without one, as far as is planned.
  public var time: Milliseconds
  /// What is expected to be left of the battery then, percent; 0: it does not last.
  public var left: Int32
  /// How old the last known position is expected to be until then, on average.
  public var age: Milliseconds
  /// When the battery is expected to be empty, if it is before that time.
  public var emptyIn: Milliseconds?
  /// From this charge on contacts come more often, percent; `nil`: they cannot.
  public var moreFrom: Int32?
  /// Below this charge they come less often, percent; `nil`: they cannot.
  public var lessBelow: Int32?
}

extension Tracker {
  /// - Returns: `nil` under another policy, with an external supply, and while the battery is not
  ///   measured.
  public func planOutlook(at now: Instant) -> PlanOutlook? {
    var copy = self
    guard !gauge.isExternallyPowered, !gauge.isCharging, let terms = copy.energyTerms(at: now)
    else { return nil }
    let plan = budget.plan
    func foresight(_ estimate: ChargeEstimate) -> Foresight {
      var terms = terms
      terms.estimate = estimate
      return budget.foresight(terms, at: now)
    }
    var outlook = foresight(terms.estimate).outlook(of: plan)
    // The lowest charge with which contacts would be more frequent, and the highest with which they
    // would not be as frequent.
    let present = Int32(terms.estimate.wholePercent)
    func contactPercent(withCharge percent: Int32) -> Int64 {
      foresight(terms.estimate.moved(to: Int64(percent) * ChargeEstimate.percent))
        .best(after: plan).contactPercent
    }
    outlook.moreFrom = Self.first(from: present + 1, to: 100) {
      contactPercent(withCharge: $0) < plan.contactPercent
    }
    outlook.lessBelow = Self.first(from: 1, to: present) {
      contactPercent(withCharge: present - $0) > plan.contactPercent
    }.map { present - $0 + 1 }
    // Nobody waits for an empty battery.
    if let below = outlook.lessBelow, below <= 1 { outlook.lessBelow = nil }
    return outlook
  }

  /// The first number of a range at which something holds that, once true, stays true.
  private static func first(from: Int32, to: Int32, _ holds: (Int32) -> Bool) -> Int32? {
    var (low, high) = (from, to)
    guard low <= high, holds(high) else { return nil }
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Foresight {
  /// What a plan is expected to come to.
  func outlook(of plan: Plan) -> PlanOutlook {
    let left = expected(after: plan)
    let life = min(time.count / 60_000, life(plan))
    let isEnough = left >= cutOff
    return PlanOutlook(
      time: time, left: isEnough ? Int32(clamping: left / ChargeEstimate.percent) : 0,
      age: Milliseconds(ageSum(of: plan) * 60_000 / max(1, 2 * (time.count / 60_000))),
      emptyIn: isEnough ? nil : .minutes(life))
  }
}
