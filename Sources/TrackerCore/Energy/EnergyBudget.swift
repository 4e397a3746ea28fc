/// What the battery can pay for until the finish, with the policy `adaptive`: at each measurement
/// `Foresight` chooses the plan until the next one.
///
/// Captures come every half to six configured intervals, contacts too, which send all captures in
/// one batch. The receiver sleeps between captures, if it can, and the modem stays attached between
/// contacts where that takes less than joining the network again; with a battery that pays for
/// everything the receiver stays awake. Only what is left counts: a colder night, a slower team or
/// a swapped battery change the next plan, as a restart does.
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

  /// What is known of the battery, and what it has to do.
  struct Terms {
    var estimate: ChargeEstimate
    /// `nil` when it is not known or none is configured.
    var finish: Instant?
    var consumption: Consumption
    /// What is to be left at the finish, millionths of the full battery.
    var reserve: Int64
    /// With less it is empty.
    var cutOff: Int64 = 0
    /// How certain it must be that it is not, percent.
    var confidence: Int32
    var weather = Weather()
  }

  /// The battery was measured.
  ///
  /// - Parameter spent: what the loads took since the measurement before, millionths of the full
  ///   battery.
  mutating func measure(_ terms: Terms, spent: Int64, at now: Instant) {
    began = began ?? now
    guard terms.consumption.capacity > 0 else { return }
    compare(spent, at: now, terms.consumption)
    plan = foresight(terms, at: now).best(after: plan)
  }

  func foresight(_ terms: Terms, at now: Instant) -> Foresight {
    let end = terms.finish ?? max((began ?? now) + Bounds.usualRace, now + Bounds.openEnd)
    return Foresight(
      estimate: terms.estimate, consumption: terms.consumption,
      time: min(max(end - now, Bounds.shortestBudget), .hours(8766)), reserve: terms.reserve,
      cutOff: terms.cutOff, confidence: terms.confidence, weather: terms.weather,
      spent: spent, planned: planned)
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

  /// What the loads took recently and what the plans should have taken, with what was taken since
  /// the last measurement.
  func sums(
    spending share: Int64, at now: Instant, _ consumption: Consumption
  ) -> (spent: Int64, planned: Int64) {
    var next = self
    next.compare(share, at: now, consumption)
    return (next.spent, next.planned)
  }

  /// Goes on with the plan from before the machine was halted, until the first measurement.
  ///
  /// - Parameter halted: when the machine was.
  mutating func wakeUp(_ sleep: SleepRecord, halted: Instant) {
    plan.capturePercent = min(max(1, Int64(sleep.capturePercent)), 1000)
    plan.contactPercent = min(max(1, Int64(sleep.contactPercent)), 1000)
    spent = min(max(0, Int64(sleep.spent)), Bounds.loadMemory)
    planned = min(max(0, Int64(sleep.planned)), Bounds.loadMemory)
    measuredAt = halted
  }

  /// The supply is external: everything is paid for.
  mutating func spendFreely(_ consumption: Consumption) {
    plan = Foresight.most
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
    var drawn = drawn(loadMeter.take(at: now))
    drawn.presentMicroamps = board.battery.current(ofLoad: present, at: board.supplyMillivolts)
    gauge.measure(
      reading, at: now, drawn, meanwhile: drawnHalted() ?? pause, slept: slept,
      hour: solarHour(at: now))
    slept = nil
  }

  /// What loads on the rail take from the battery.
  func drawn(
    _ load: (microamps: Int64, time: Milliseconds)
  ) -> BatteryGauge.Drawn {
    BatteryGauge.Drawn(
      microamps: board.battery.current(ofLoad: load.microamps, at: board.supplyMillivolts),
      time: load.time)
  }

  /// What board and receiver would have drawn since the charge was remembered, in millionths;
  /// `nil`: it is not known how long ago that was.
  @inline(never)
  mutating func drawnBeforeStart(at now: Instant) -> Int64? {
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
    let utc = clock.isTrusted ? clock.utc(at: now) : nil
    guard let record = gauge.record(at: now, Moment(at: now, utc: utc)) else { return }
    if let kept = identity.memory.charge {
      let change = abs(Int64(kept.charge) - Int64(record.charge))
      let isRecent = kept.at.at.map { now - $0 < Bounds.chargeSaving } ?? false
      // While it is charged each noisy reading is an estimate of its own.
      if isRecent && gauge.isCharging { return }
      if change <= (isRecent ? 5 : 1) * ChargeEstimate.percent { return }
    }
    identity.memory.charge = record
    isMemoryDue = true
  }

  /// What the policy adaptive does until the next measurement.
  @inline(never)
  private mutating func planEnergy(at now: Instant) {
    guard let terms = energyTerms(at: now) else { return }
    if gauge.isExternallyPowered { return budget.spendFreely(terms.consumption) }
    budget.measure(terms, spent: gauge.spent, at: now)
  }

  /// `nil` under another policy, and while the battery is not measured.
  @inline(never)
  mutating func energyTerms(at now: Instant) -> EnergyBudget.Terms? {
    guard case .adaptive(let interval) = configuration.capture, gauge.percent != nil,
      let estimate = gauge.estimate
    else { return nil }
    // Below the cut-off under a transmission there is nothing to be had.
    let cutOff =
      board.battery.chargeAtCutOff(board.peakMicroamps(configuration.bearer)) + gauge.heldBack
    var rule = configuration.finishRule
    let isOpenEnded = rule.finish == nil
    if isOpenEnded { rule.finish = .after(Bounds.usualRace) }
    var finish = rule.finish(
      of: identity.memory.session, at: now, on: clock.likelyUTC(at: now)
    ).instant
    if isOpenEnded, let usual = finish { finish = max(usual, now + Bounds.openEnd) }
    return EnergyBudget.Terms(
      estimate: estimate, finish: finish,
      consumption: Consumption(board, configuration, captureInterval: interval),
      reserve: max(
        Int64(max(0, configuration.reservePercent)) * ChargeEstimate.percent, cutOff),
      cutOff: cutOff, confidence: configuration.confidencePercent, weather: weather(at: now))
  }

  /// What is known of the cold to come.
  @inline(never)
  mutating func weather(at now: Instant) -> Weather {
    var weather = Weather(hour: solarHour(at: now), celsius: gauge.celsius)
    if let date = clock.likelyUTC(at: now), let place {
      // Before the first fix after a halt half a kilometre is assumed.
      let altitude = filter.last.map { $0.altitudeMillimetres ?? 0 } ?? 500_000
      weather.coldest = Night.coldest(at: place, altitude: altitude, on: date)
    }
    return weather
  }

  /// Where it is, or, before the first fix after a halt, where the last capture was.
  private var place: Coordinate? { filter.last?.position ?? session.last?.position }

  /// The time of day by the sun; `nil` while date or place are not known.
  @inline(never)
  mutating func solarHour(at now: Instant) -> Milliseconds? {
    guard let utc = clock.likelyUTC(at: now), let place else { return nil }
    // Four minutes for each degree.
    let ahead = Int64(place.longitude) * 240_000 / 10_000_000
    let day = Milliseconds.hours(24).count
    return Milliseconds(((utc.milliseconds + ahead) % day + day) % day)
  }

  /// The battery can no longer be measured. `BatteryGauge` and `EnergyBudget` say what that means.
  mutating func loseBattery() {
    isFinalContactDue = false
    gauge.lose()
    budget.lose()
  }
}
