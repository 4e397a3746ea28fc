/// How long a battery lasts, as far as the tracker knows.
///
/// One course of the charge is followed, the worst but for the confidence asked for: it begins
/// lower than the estimate, and goes faster. Above the reserve the tracker does what is configured,
/// or, with the policy `adaptive`, the least that it can fall back to; below it contacts are rare.
/// On that course the tracker's own estimate stays as much too high as it began, so that it notices
/// the reserve late; a faster drain and the cold it does notice.
public struct BatteryOutlook: Sendable, Equatable {
  /// Time until the battery is too empty to transmit, with the confidence asked for, to a minute;
  /// 0...`Bounds.longestOutlook`.
  public var lasts: Milliseconds
  /// Whether it lasts until the finish with that confidence; `nil`: no finish is set, or it is not
  /// known how far it is.
  public var reachesFinish: Bool?
}

extension BatteryOutlook {
  /// `nil` if the battery's capacity is not known.
  ///
  /// - Parameters:
  ///   - charge: what was remembered, without an external supply.
  ///   - age: how long ago that was; the tracker has been running since.
  ///   - untilFinish: see `Configuration.untilFinish`; 0 or less: any charge is enough.
  ///   - confidence: percent; 50 and less: as is to be expected.
  public init?(
    _ charge: ChargeRecord, age: Milliseconds, board: Board, configuration: Configuration,
    untilFinish: Milliseconds?, confidence: Int32
  ) {
    guard board.battery.capacity > 0 else { return nil }
    let age = min(max(0, age), Bounds.longestDrain)
    let estimate = charge.estimate
    let life = Drain(board, configuration, estimate.drain).life(of: estimate, confidence)
    let left = max(0, life - age)
    lasts = min(left, Bounds.longestOutlook)
    reachesFinish = untilFinish.map { left > 0 && left >= min($0, Bounds.longestDrain) }
  }
}

/// What the tracker takes from its battery until the end.
private struct Drain {
  let consumption: Consumption
  let plan: EnergyBudget.Plan
  /// In the reserve.
  let rareConsumption: Consumption
  let rarePlan: EnergyBudget.Plan
  /// Millionths of the full battery.
  let reserve: Int64
  let cutOff: Int64

  /// Assumes a team that walks, so that no capture is skipped for being near the last one. A policy
  /// by distance has the receiver always awake, and a capture whenever it may have one: a route
  /// for each contact.
  ///
  /// - Parameter drain: as of `ChargeEstimate`.
  init(_ board: Board, _ configuration: Configuration, _ drain: Int64) {
    var configuration = configuration
    let policy = configuration.capture
    if !policy.goesByTime { configuration.receiverUse = .always }
    let interval = policy.leastInterval
    consumption = Consumption(board, configuration, captureInterval: interval)
    rareConsumption = Consumption(
      board, configuration, captureInterval: interval,
      contactsApart: Bounds.reserveTransmitInterval)
    var rarePlan = EnergyBudget.Plan()
    if case .adaptive = policy { rarePlan = Foresight.least(consumption) }
    plan = rarePlan
    // As `ContactTerms` has it.
    if rarePlan.betweenUploads == .attached { rarePlan.betweenUploads = nil }
    self.rarePlan = rarePlan
    reserve = Int64(max(0, configuration.reservePercent)) * ChargeEstimate.percent
    let battery = board.battery
    let held = consumption.share(plan, for: battery.chemistry.lag.drawn)
    cutOff =
      battery.chargeAtCutOff(board.peakMicroamps(configuration.bearer))
      + battery.heldBack(held, drain)
  }

  /// How long a charge lasts with a probability, in whole minutes.
  func life(of estimate: ChargeEstimate, _ confidence: Int32) -> Milliseconds {
    let start = estimate.left(after: 0, confidence: confidence)
    // What is left when the tracker believes that only the reserve is.
    let noticed = max(cutOff, reserve - (estimate.charge - start))
    guard start >= cutOff else { return 0 }
    guard start > noticed else { return rareLife(from: start, estimate, after: 0, confidence) }
    let usual = Self.last { time in
      estimate.left(
        after: consumption.share(plan, for: time), doubt: consumption.cold(within: time),
        confidence: confidence) >= noticed
    }
    return usual + rareLife(from: noticed, estimate, after: usual, confidence)
  }

  /// The same with rare contacts, from a charge that is certain.
  ///
  /// - Parameter passed: since the charge was remembered. Cold until then has been counted.
  private func rareLife(
    from charge: Int64, _ estimate: ChargeEstimate, after passed: Milliseconds, _ confidence: Int32
  ) -> Milliseconds {
    let low = ChargeEstimate(
      charge: charge, deviation: 0, drain: estimate.drain,
      drainDeviation: estimate.drainDeviation)
    let coldLeft = max(0, Bounds.coldNight - passed)
    return Self.last { time in
      low.left(
        after: rareConsumption.share(rarePlan, for: time),
        doubt: rareConsumption.cold(within: min(time, coldLeft)),
        confidence: confidence) >= cutOff
    }
  }

  /// The last whole minute at which something still holds that, once over, stays over; 0: none. It
  /// is sought so far that the oldest charge could last until the farthest finish.
  private static func last(_ holds: (Milliseconds) -> Bool) -> Milliseconds {
    var (low, high) = (Int64(0), 2 * Bounds.longestDrain.count / 60_000 + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(.minutes(middle)) { low = middle } else { high = middle }
    }
    return .minutes(low)
  }
}
