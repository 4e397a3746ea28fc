import NMEA

/// Whether the machine is being halted.
struct HaltWatch: Sendable, Equatable {
  private enum State: Sendable, Equatable {
    /// Exits: `halting`.
    case awake(until: Instant)
    /// The host was asked to. Exits: `awake`.
    case halting(giveUpAt: Instant)
  }

  private var state: State
  let startedAt: Instant

  init(at now: Instant) {
    startedAt = now
    state = .awake(until: now + Bounds.haltGrace)
  }

  /// When it may be halted, or has not been although the host was asked to.
  func deadline(at now: Instant) -> Instant? {
    switch state {
    case .awake(let until): until > now ? until : nil
    case .halting(let giveUpAt): giveUpAt
    }
  }

  func isOverdue(at now: Instant) -> Bool {
    if case .halting(let giveUpAt) = state { now >= giveUpAt } else { false }
  }

  func mayHalt(at now: Instant) -> Bool {
    if case .awake(let until) = state { now >= until } else { false }
  }

  /// The host may have been given orders: it passes them on next.
  mutating func mayGetOrders(at now: Instant) {
    guard case .awake(let until) = state else { return }
    state = .awake(until: max(until, now + Bounds.haltAfterOrders))
  }

  mutating func halt(within limit: Milliseconds, at now: Instant) {
    state = .halting(giveUpAt: now + limit)
  }

  /// - Returns: whether it was being halted.
  mutating func stayAwake(at now: Instant) -> Bool {
    guard case .halting = state else { return false }
    state = .awake(until: now + Bounds.haltRetry)
    return true
  }
}

/// A tracker that has gone on where the one before it had the machine halted, or could not.
struct Waking: Sendable, Equatable {
  var record: SleepRecord
  var at: Instant
  /// How long the machine was halted, as far as is known; `nil`: its clock cannot be right.
  var age: Milliseconds?
  /// How far the receiver's date may be from that without a correction. Of old reports in a full
  /// buffer each is a little nearer to the present, so that after the first correction it is less.
  var tolerance = Bounds.clockTolerance
}

extension Halting {
  /// From the alarm until the tracker has its first fix.
  func firstFix(of receiver: ReceiverBoard) -> Milliseconds {
    // One that was without supply starts with the computer; one that slept is woken by the tracker.
    if !keepsReceiver { return max(wakeTime, receiver.coldStart) }
    return receiver.canSleep ? wakeTime + receiver.hotStart : wakeTime
  }

  /// What the receiver takes while the computer is halted.
  func receiverMicroamps(_ board: Board) -> Int32 {
    if !keepsReceiver { return 0 }
    let loads = board.loads
    return board.receiver.canSleep
      ? loads.receiverStandbyMicroamps : loads.receiverTrackingMicroamps
  }

  /// What halting takes for a time beside what it would take to stay awake, in
  /// microamp-milliseconds on the rail; negative: less.
  func excess(_ loads: Loads, for time: Milliseconds) -> Int64 {
    let awake = Int64(max(0, loads.boardMicroamps))
    let switching = wakeTime + stopTime
    let halted = max(0, time - switching).count * Int64(max(0, microamps))
    let switched =
      wakeTime.count * Int64(max(0, wakeMicroamps)) + stopTime.count * awake
    return halted + switched - max(time, switching).count * awake
  }
}

// Halts the machine between captures, and goes on after it.
extension Tracker {
  /// Has the machine halted if nothing is to be done for long enough that it takes less.
  @inline(__always)
  mutating func considerHalt(
    _ terms: ContactTerms, _ phase: ModemPhase, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    guard configuration.sleep == .halt else { return }
    if halt.isOverdue(at: now) { return stayAwake(at: now, into: &sink) }
    guard halt.mayHalt(at: now), isIdle(phase, at: now), let time = haltTime(terms, at: now)
    else { return }
    keepForHalt(terms, for: time, at: now)
    keepEnergyForHalt(at: now)
    remember(into: &sink)
    sleepForHalt(at: now, into: &sink)
    pushHalt(time, at: now, into: &sink)
  }

  // None of these is inlined: their stack would otherwise be in use during all that a tracker does.
  // They are mutating although some only look, as the tracker would be copied for them otherwise.

  /// Whether nothing is under way, and nothing needs the machine.
  @inline(never)
  private mutating func isIdle(_ phase: ModemPhase, at now: Instant) -> Bool {
    guard session.isRunning, !session.isUndecided, session.isStoringNothing,
      session.wanted == nil, course.wanted == nil, !isFinalContactDue, !uploader.isInContact,
      !isEmergency, !(board.hasLight && outputs.isCallNew(since: halt.startedAt, at: now)),
      emergencyButton.deadline == nil,
      button.deadline == nil, !gauge.isExternallyPowered, !gauge.isCharging,
      clock.isTrusted || clock.isCarried
    else { return false }
    if case nil = link.modem { return true }
    return configuration.bearer != .none && phase == .off
      && (board.modem.rest == .off || board.halting?.keepsModem == true)
  }

  /// Until the alarm; `nil`: it is not worth it.
  @inline(never)
  private mutating func haltTime(_ terms: ContactTerms, at now: Instant) -> Milliseconds? {
    guard let halting = board.halting, let slot = slotAhead(at: now) else { return nil }
    // Without a margin: a capture that is some seconds late costs less than a computer that waits.
    var alarm = slot - halting.firstFix(of: board.receiver)
    if let contact = uploader.contactDue(terms) { alarm = min(alarm, contact - halting.wakeTime) }
    let time = alarm - now
    guard time >= halting.stopTime + Bounds.shortestHalt,
      halting.excess(board.loads, for: time + halting.wakeTime) < 0
    else { return nil }
    return time
  }

  /// When the receiver has searched in vain for long enough; `nil`: no capture is overdue.
  @inline(never)
  private mutating func searchEnd(at now: Instant) -> Instant? {
    guard let slot = session.slot, slot <= now,
      let interval = session.schedule?.opportunity(budget: budget)
    else { return nil }
    // The first that is missed breaks a promise; after it nobody waits for the next.
    let isFirst = session.last.map { slot - $0.at <= interval + Bounds.lateWake } ?? false
    let longest = Milliseconds(interval.count / 2)
    let least = max(Bounds.fixSearch, board.receiver.coldStart)
    let search = isFirst ? max(least, min(Bounds.firstFixSearch, longest)) : least
    return max(slot, halt.startedAt) + search
  }

  /// The slot until which the machine may be halted; `nil`: a capture is overdue, and the receiver
  /// may still find a fix for it. One that it does not find stays overdue while the machine is
  /// halted, and is counted as missed at the next slot, as if it were awake.
  @inline(never)
  private mutating func slotAhead(at now: Instant) -> Instant? {
    guard let end = searchEnd(at: now) else { return session.slot }
    guard now >= end, session.slot != nil else { return nil }
    return session.missedAt(budget: budget)
  }

  /// When the machine may be halted, or should have been.
  @inline(never)
  mutating func haltDeadline(at now: Instant) -> Instant? {
    var earliest = Earliest()
    earliest.consider(halt.deadline(at: now))
    if let end = searchEnd(at: now), end > now { earliest.consider(end) }
    return earliest.instant
  }

  @inline(never)
  private mutating func keepForHalt(
    _ terms: ContactTerms, for time: Milliseconds, at now: Instant
  ) {
    guard let slot = session.slot, let last = session.last else { return }
    identity.memory.sleep = SleepRecord(
      at: clock.moment(at: now), alarm: time, capture: slot - now,
      contact: uploader.notBefore(terms) - now,
      floor: max(0, (link.modem?.power.floor.end ?? now) - now), captured: now - last.at,
      position: last.position, failedContacts: uploader.failedContacts,
      capturePercent: Int32(clamping: budget.plan.capturePercent),
      contactPercent: Int32(clamping: budget.plan.contactPercent))
  }

  @inline(never)
  private mutating func remember(into sink: inout some EffectSink & ~Copyable) {
    isMemoryDue = false
    sink.remember(identity.memory)
  }

  /// In case that the machine is not halted after all, it wakes as usual.
  @inline(never)
  private mutating func sleepForHalt(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard board.halting?.keepsReceiver == true, board.receiver.canSleep,
      let slot = slotAhead(at: now)
    else { return }
    watch.sleep(
      until: slot - board.receiver.hotStart - Bounds.receiverWakeMargin, into: &sink)
  }

  @inline(never)
  private mutating func pushHalt(
    _ time: Milliseconds, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    halt.halt(within: (board.halting?.stopTime ?? 0) + Bounds.haltPatience, at: now)
    sink.push(.halt(time))
  }

  /// What was drawn since the last measurement is counted, as the halted machine cannot.
  @inline(never)
  private mutating func keepEnergyForHalt(at now: Instant) {
    // If it is not halted after all, the next measurement counts that, too.
    var meter = loadMeter
    let drawn = drawn(meter.take(at: now))
    let halted = drawnHalted()
    identity.memory.charge = gauge.record(
      at: now, clock.moment(at: now), drawn, meanwhile: halted ?? drawnBeforeStart(at: now),
      slept: slept)
    guard case .adaptive(let interval) = configuration.capture else { return }
    let share = board.battery.share(ofMicroamps: drawn.microamps, for: drawn.time)
    let sums = budget.sums(
      spending: share + (halted ?? 0), at: now,
      Consumption(board, configuration, captureInterval: interval))
    identity.memory.sleep?.spent = Int32(clamping: sums.spent)
    identity.memory.sleep?.planned = Int32(clamping: sums.planned)
  }

  /// The host does not halt the machine, or has not done it.
  @inline(never)
  mutating func stayAwake(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard halt.stayAwake(at: now) else { return }
    if configuration.receiverUse == .always { watch.wake(at: now, into: &sink) }
    identity.memory.sleep = nil
    isMemoryDue = true
  }

  /// Goes on where the tracker before this one had the machine halted.
  ///
  /// One that was woken much later than planned was without power, or its clock is wrong: then this
  /// is a start like any other.
  @inline(never)
  mutating func wakeUp(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard let sleep = identity.memory.sleep else { return }
    identity.memory.sleep = nil
    isMemoryDue = true
    if board.halting?.keepsReceiver == true && board.receiver.canSleep {
      watch.wakeUp(into: &sink)
    }
    guard session.isRunning else { return }
    waking = Waking(record: sleep, at: now)
    guard case .known(let age) = sleep.at.age(at: now, by: clock), age >= 0,
      age - Bounds.lateWake <= sleep.alarm
    else { return }
    waking?.age = age
    slept = age
    budget.wakeUp(sleep, halted: now - age)
    goOn(from: sleep, after: age, at: now)
    // A machine that runs before its alarm was started by a person, or its date has stood still.
    let isCarried = age + Bounds.clockTolerance >= sleep.alarm
    if let utc = sleep.at.utc { clock.expect(utc + age, isCarried: isCarried, at: now) }
  }

  /// - Parameter age: of the record.
  @inline(never)
  private mutating func goOn(from sleep: SleepRecord, after age: Milliseconds, at now: Instant) {
    // A recording or a damaged row may have any numbers; captures and contacts are at most a day
    // apart.
    func instant(_ time: Milliseconds) -> Instant {
      now - age + min(max(0 - Bounds.longestHalt, time), Bounds.longestHalt)
    }
    session.wakeUp(
      slot: instant(sleep.capture), lastAt: instant(0 - max(0, sleep.captured)), sleep.position,
      budget: budget, at: now)
    uploader.wakeUp(due: instant(sleep.contact), failedContacts: sleep.failedContacts)
    link.modem?.power.floor.resume(until: instant(sleep.floor))
  }

  /// A date is trusted: by it, not by the machine's clock, the tracker goes on where it stood,
  /// until its first capture.
  ///
  /// Where nothing sets the machine's date by the clock that has woken it, or that clock has lost
  /// its time or keeps another zone's, each halt would otherwise make the next capture later, or
  /// begin everything anew. The first date may be that of old reports from a full buffer.
  @inline(never)
  mutating func correctWaking(at now: Instant) {
    guard let waking, let slept = waking.record.at.utc, let date = clock.utc(at: now),
      session.isRunning, session.isStoringNothing
    else { return }
    if let last = session.last, last.at >= waking.at {
      self.waking = nil
      return
    }
    let age = date - slept
    let awake = now - waking.at
    if let believed = waking.age {
      let error = (age - awake - believed).count.magnitude
      if error <= waking.tolerance.count.magnitude { return }
    }
    guard age >= 0, age - Bounds.lateWake <= waking.record.alarm + awake else { return }
    self.waking?.age = age - awake
    self.waking?.tolerance = .seconds(1)
    goOn(from: waking.record, after: age, at: now)
  }

  /// What board and receiver have drawn while the machine was halted, in millionths; `nil`: it was
  /// not.
  mutating func drawnHalted() -> Int64? {
    guard let slept, let halting = board.halting else { return nil }
    let switching = halting.wakeTime + halting.stopTime
    let battery = board.battery
    func share(_ time: Milliseconds, _ load: Int32, _ other: Int32 = 0) -> Int64 {
      battery.share(
        ofMicroamps: battery.current(ofLoads: load, other, at: board.supplyMillivolts), for: time)
    }
    return share(max(0, slept - switching), halting.microamps, halting.receiverMicroamps(board))
      + share(halting.wakeTime, halting.wakeMicroamps)
      + share(halting.stopTime, board.loads.boardMicroamps)
  }

  /// The tracker that starts after this one's machine was halted, with what this one has
  /// remembered, in a host that goes on.
  public func successor(at now: Instant) -> Tracker {
    var next = identity
    next.nextSequence = session.nextSequence
    next.pending = uploader.pending
    next.seed = identity.seed &+ 0x9E37_79B9_7F4A_7C15
    // Another boot knows only dates.
    next.memory.session?.begun.at = nil
    next.memory.session?.ended.at = nil
    next.memory.sessionOrder?.given.at = nil
    next.memory.teamOrder?.given.at = nil
    next.memory.course?.at.at = nil
    var tracker = successor(next, at: now)
    tracker.odometer = odometer
    return tracker
  }

  /// The tracker that starts after this one's program has ended, in a host that goes on.
  ///
  /// - Parameters:
  ///   - identity: with what is on disk.
  ///   - other: the board, if that was changed meanwhile.
  ///   - edited: the configuration, if that was.
  public func successor(
    _ identity: Identity, board other: Board? = nil, configuration edited: Configuration? = nil,
    at now: Instant
  ) -> Tracker {
    var tracker = Tracker(
      board: other ?? board, configuration: edited ?? configuration, identity: identity, at: now)
    // A run's summary counts all of it.
    tracker.decoder.countOn(from: decoder.counts)
    tracker.tally = tally
    #if DEBUG
      if let modem = link.modem { tracker.link.modem?.power.taken = modem.power.taken }
      tracker.uploader.taken = uploader.taken
    #endif
    return tracker
  }
}
