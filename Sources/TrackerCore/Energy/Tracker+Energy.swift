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
    gauge.measure(reading, at: now, drawn, pause: pause)
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
