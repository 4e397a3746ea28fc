// Captures from the decision to the disk.
extension Tracker {
  /// Takes a capture of the next fix, waking the receiver if it sleeps.
  mutating func capture(
    _ trigger: Trigger, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard session.isRunning else { return }
    session.wanted = trigger
    watch.wake(at: now, into: &sink)
  }

  /// Takes a capture, and sends it with what else is pending. Without a session only the latter.
  mutating func test(
    overFloor: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if overFloor { link.modem?.power.waiveFloor(at: now) }
    capture(.test, at: now, into: &sink)
    uploader.sendNow(at: now)
    uploader.waiveReserve()
  }

  // MARK: The decision

  /// Takes a capture if one is due and possible; counts a slot that passed without one.
  mutating func considerCapture(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard session.isRunning else { return }
    switch session.storing {
    case .nothing: break
    // Being stored; the answer comes in a moment.
    case .requested: return
    case .failed: return countMissed(.storeFailed, at: now, into: &sink)
    }
    // The first one is the start's, which has its own trigger and waits for a trusted date.
    if !isFinalContactDue, let passage = course.wanted,
      session.schedule?.isBeforeFirst == false, let fix = session.schedule?.usable(at: now)
    {
      return take(fix, passage.trigger, place: passage.place, into: &sink)
    }
    if let trigger = session.wanted, let fix = session.schedule?.usable(at: now) {
      session.wanted = nil
      return take(fix, isFinalContactDue ? .batteryEnd : trigger, into: &sink)
    }
    let verdict = session.judge(
      isClockTrusted: clock.isTrusted, odometer: odometer.millimetres, at: now)
    switch verdict {
    case nil: break
    case .take(let fix, let trigger):
      take(fix, trigger, into: &sink)
    case .wait(.atRest) where session.schedule?.goesByTime ?? false:
      // The team has not moved since the last capture: this slot is done.
      sink.note(.notCaptured(.atRest))
      session.isResting = true
      session.advanceSlot(budget: budget, at: now)
      sleepReceiver(at: now, into: &sink)
    case .wait(let reason):
      countMissed(reason, at: now, into: &sink)
    }
  }

  private mutating func countMissed(
    _ reason: Reason, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard let missedAt = session.missedAt(budget: budget), now >= missedAt else { return }
    // Under a policy by distance a slot may pass without a capture being due.
    if reason != .notDue { sink.note(.notCaptured(reason)) }
    session.missSlot(budget: budget)
  }

  /// Takes the last capture of a session: where the team was last, however long ago, with the time
  /// of that. Without it a server that has all others would not hear of the end. Nothing is taken
  /// while no position is known since the session began, or if a capture is being stored, which is
  /// the last one then.
  mutating func captureEnd(into sink: inout some EffectSink & ~Copyable) {
    guard let startedAt = session.schedule?.startedAt, session.isStoringNothing,
      let fix = filter.last, fix.at >= startedAt
    else { return }
    take(fix, .end, into: &sink)
  }

  mutating func take(
    _ fix: Fix, _ trigger: Trigger, place: Int16? = nil,
    into sink: inout some EffectSink & ~Copyable
  ) {
    var capture = Capture(
      sequence: session.nextSequence, utc: fix.utc,
      isTimeTrusted: clock.isTrusted && fix.utc != nil, position: fix.position,
      team: identity.teamInForce, trigger: isPartOfEmergency(trigger) ? .emergency : trigger)
    capture.altitudeMillimetres = fix.altitudeMillimetres
    capture.speedMillimetresPerSecond = fix.speedMillimetresPerSecond
    capture.courseMillidegrees = fix.courseMillidegrees
    capture.accuracyMetres = fix.accuracyMetres
    capture.satellites = fix.satellites
    capture.batteryPercent = gauge.percent
    capture.batteryMillivolts = gauge.millivolts
    if sink.hasCourse { capture.mark = course.mark(place: place, on: sink) }
    if capture.trigger == .emergency || emergency.isClosing { emergency.hasCapture = true }
    session.store(capture, of: fix)
    sink.store(capture)
  }

  /// While an emergency stands the usual captures belong to it, so that the newest one always does.
  private func isPartOfEmergency(_ trigger: Trigger) -> Bool {
    guard identity.memory.emergency?.isStanding ?? false else { return false }
    switch trigger {
    case .start, .interval, .distance, .heartbeat, .command: return true
    case .batteryEnd, .test, .entered, .left, .inferred, .end, .emergency, .emergencyOver:
      return false
    }
  }

  // MARK: The disk

  mutating func captureStored(
    _ sequence: UInt32, queue: QueueCounts, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    let (isTest, isEmergency) = (session.isStoringTest, session.isStoringEmergency)
    let passage = session.passageBeingStored
    guard session.stored(sequence, odometer: odometer.millimetres, budget: budget, at: now) else {
      return
    }
    if let passage { course.stored(passage) }
    if sink.hasCourse, passage != nil || isCourseRecordOld(at: now) { keepCourse() }
    uploader.take(queue, at: now)
    emergencyStored(isOfIt: isEmergency, at: now, into: &sink)
    if isFinalContactDue { beginFinalContact(at: now) }
    if isTest { uploader.include(at: now) }
    sink.note(.captured(sequence: sequence))
    sleepReceiver(at: now, into: &sink)
  }

  mutating func retryStore(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if let capture = session.retry(at: now) { sink.store(capture) }
  }

  /// Puts the receiver to sleep until shortly before the next slot, if that saves energy.
  private mutating func sleepReceiver(at now: Instant, into sink: inout some EffectSink & ~Copyable)
  {
    guard configuration.receiverUse == .dutyCycle || budget.plan.sleepsReceiver,
      board.receiver.canSleep, course.wanted == nil, !isEmergency,
      session.schedule?.goesByTime ?? false, let slot = session.schedule?.slot
    else { return }
    let lead = board.receiver.hotStart + Bounds.receiverWakeMargin
    let wakeAt = slot - lead
    guard wakeAt - now >= lead else { return }
    watch.sleep(until: wakeAt, into: &sink)
  }
}
