// How sessions begin, continue after restarts, and end.
extension Tracker {
  // MARK: Start and new settings

  /// Before the first input: resumes the last session or begins one.
  mutating func resume(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    endEditedOrders(into: &sink)
    session.isUndecided = true
    switch identity.memory.session?.ending {
    case nil where identity.memory.session == nil:
      if identity.memory.sessionOrder == nil { beginBySelf(at: now, into: &sink) }
    case nil:
      guard configuration.startsBySelf || identity.memory.sessionOrder?.value == true else {
        return end(.stopped, at: now, into: &sink)
      }
      // Its start cannot be determined; it counts from here.
      if identity.memory.session?.begun == Moment() { identity.memory.session?.begun.at = now }
      goOn(at: now, into: &sink)
    case .stopped:
      if identity.memory.sessionOrder == nil { beginBySelf(at: now, into: &sink) }
    case .finished: session.end(.finished)
    }
  }

  /// The settings were reloaded.
  ///
  /// - Parameter didStartBySelf: the previous value of `startsBySelf`.
  mutating func followSettings(
    didStartBySelf: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    endEditedOrders(into: &sink)
    if session.state == .stopped, identity.memory.sessionOrder == nil, !didStartBySelf {
      beginBySelf(at: now, into: &sink)
    }
  }

  // MARK: After each input

  /// Ends a session that is over, and decides to begin or resume one if that could not be decided
  /// at the start.
  mutating func considerSession(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if clock.isTrusted, let date = clock.utc(at: now), identity.memory.date(date, at: now) {
      isMemoryDue = true
    }
    if session.isRunning {
      switch configuration.finishRule.end(of: identity.memory.session, by: clock, at: now) {
      case .at(let end) where now >= end: finishSession(at: end, now: now, into: &sink)
      case .at, .never: session.isUndecided = false
      case .unknown: break
      }
    }
    switch session.state {
    case .running: break
    case .stopped:
      if session.isUndecided { considerStop(at: now, into: &sink) }
      considerRemoteStop(at: now, into: &sink)
    case .finished: considerFinished(at: now, into: &sink)
    }
    guard isMemoryDue else { return }
    isMemoryDue = false
    sink.remember(identity.memory)
  }

  /// Whether a stop from before the start of the tracker still holds.
  private mutating func considerStop(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard configuration.startsBySelf, let order = identity.memory.sessionOrder, !order.value else {
      session.isUndecided = false
      return
    }
    switch order.given.age(at: now, by: clock) {
    case .notYet: return
    case .known(let age) where age.isWithinRestart:
      session.isUndecided = false
      restReceiver(into: &sink)
    case .known, .lost: beginBySelf(at: now, into: &sink)
    }
  }

  /// Whether a stop that the control room has ordered is over. It is, too, if nobody knows when it
  /// was given.
  private mutating func considerRemoteStop(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard session.state == .stopped, let order = identity.memory.sessionOrder, !order.value,
      order.origin == .room
    else { return }
    switch order.given.age(at: now, by: clock) {
    case .notYet: return
    case .known(let age) where age >= 0 && age < configuration.remoteLimit: return
    case .known, .lost: orderStart(from: .room, at: now, into: &sink)
    }
  }

  /// When that is; `nil`: there is no such stop, or it is not known before the next date. Mutating
  /// although it only looks, as the tracker would be copied otherwise.
  @inline(never)
  mutating func remoteStopDeadline(at now: Instant) -> Instant? {
    guard session.state == .stopped, let order = identity.memory.sessionOrder, !order.value,
      order.origin == .room, case .known(let age) = order.given.age(at: now, by: clock)
    else { return nil }
    return now + max(0, configuration.remoteLimit - age)
  }

  /// The finish may have been moved, the date may have been wrong, or this may be the next race.
  private mutating func considerFinished(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let age = identity.memory.session?.ended.age(at: now, by: clock) ?? .lost
    if age == .notYet { return }
    // An end in the future was caused by a wrong date.
    let isRecent = if case .known(let age) = age { age < Bounds.restartLimit } else { false }
    let counts = if case .after = configuration.finish { true } else { false }
    switch configuration.finishRule.end(of: identity.memory.session, by: clock, at: now) {
    case .unknown where !(counts && session.isUndecided): return
    case .at(let end) where now >= end && !(counts && session.isUndecided && !isRecent):
      if session.isUndecided { restReceiver(into: &sink) }
      session.isUndecided = false
    case .unknown, .at, .never:
      session.isUndecided = false
      if isRecent {
        identity.memory.session?.ending = nil
        identity.memory.session?.ended = Moment()
        isMemoryDue = true
        goOn(at: now, into: &sink)
      } else {
        beginBySelf(at: now, into: &sink)
      }
    }
  }

  // MARK: Begin and end

  /// Begins a session if the configuration says so and its finish is not past.
  private mutating func beginBySelf(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    session.isUndecided = false
    guard configuration.startsBySelf else { return }
    if case .at = configuration.finish, let grace = configuration.endAfterFinish,
      case .at(let end) = configuration.finishRule.finish(
        of: identity.memory.session, by: clock, at: now) + grace, now >= end
    {
      session.end(.finished)
      return restReceiver(into: &sink)
    }
    begin(isOrdered: false, at: now, into: &sink)
    if identity.memory.sessionOrder != nil {
      identity.memory.sessionOrder = nil
      noteEnd(of: .session, into: &sink)
    }
  }

  mutating func begin(
    isOrdered: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let number = (identity.memory.session?.number ?? 0) &+ 1
    identity.memory.session = SessionRecord(
      number: number, begun: clock.moment(at: now), isOrdered: isOrdered)
    isMemoryDue = true
    if let order = identity.memory.teamOrder, order.session < number {
      identity.memory.teamOrder = nil
      noteEnd(of: .team, into: &sink)
    }
    session.isUndecided = false
    identity.memory.course = nil
    let coverage = course.coverage
    course = CourseWatch(course.fingerprint)
    course.coverage = coverage
    budget = EnergyBudget()
    goOn(at: now, into: &sink)
  }

  private mutating func goOn(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    session.run(CaptureSchedule(configuration.capture, at: now))
    watch.wake(at: now, into: &sink)
    sink.note(.sessionStarted)
  }

  mutating func end(
    _ ending: SessionRecord.Ending, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let ended = clock.moment(at: now)
    identity.memory.session?.ending = ending
    identity.memory.session?.ended = ended
    isMemoryDue = true
    // One that has just started was off when its session should have ended, and is elsewhere now.
    let wasOff = ending == .finished && session.schedule?.isBeforeFirst ?? true
    if !wasOff && !session.isUndecided { captureEnd(into: &sink) }
    session.end(ending)
    restReceiver(into: &sink)
    uploader.sendNow(at: now)
    sink.note(ending == .stopped ? .sessionStopped : .sessionFinished)
  }

  /// - Parameter end: when it was due. A tracker that has just started was off then.
  private mutating func finishSession(
    at end: Instant, now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let ended = clock.moment(at: session.isUndecided ? end : now)
    self.end(.finished, at: now, into: &sink)
    identity.memory.session?.ended = ended
  }

  private mutating func restReceiver(into sink: inout some EffectSink & ~Copyable) {
    if board.receiver.canSleep, !isEmergency { watch.sleep(until: nil, into: &sink) }
  }
}

extension Milliseconds {
  /// Whether a start of the tracker this long after a session's end is a restart.
  fileprivate var isWithinRestart: Bool {
    count.magnitude < Bounds.restartLimit.count.magnitude
  }
}

// Orders from people; the table at `Order` says how long they hold.
extension Tracker {
  /// The name that captures carry: one ordered by a person takes precedence over the configured
  /// one.
  public var team: InlineText<64> { identity.teamInForce }

  mutating func orderStart(
    from origin: Origin, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    if !session.isRunning { begin(isOrdered: true, at: now, into: &sink) }
    identity.memory.session?.isOrdered = true
    orderSession(true, from: origin, at: now)
  }

  /// Ends the session. Its captures stay in the queue and are sent without waiting, and a last one.
  mutating func orderStop(
    from origin: Origin, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    orderSession(false, from: origin, at: now)
    session.isUndecided = false
    if session.isRunning {
      end(.stopped, at: now, into: &sink)
    } else if identity.memory.session != nil {
      identity.memory.session?.ending = .stopped
      session.end(.stopped)
    }
  }

  private mutating func orderSession(_ runs: Bool, from origin: Origin, at now: Instant) {
    identity.memory.sessionOrder = Order(
      runs, from: origin, given: clock.moment(at: now),
      session: identity.memory.session?.number ?? 0,
      configured: configuration.startsBySelf)
    isMemoryDue = true
  }

  mutating func orderTeam(_ team: InlineText<64>?, from origin: Origin, at now: Instant) {
    let number = identity.memory.session?.number ?? 0
    identity.memory.teamOrder = team.map {
      Order(
        $0, from: origin, given: clock.moment(at: now),
        session: session.isRunning ? number : number &+ 1,
        configured: identity.team)
    }
    isMemoryDue = true
  }

  /// Ends orders whose setting in the configuration has been edited since they were given.
  mutating func endEditedOrders(into sink: inout some EffectSink & ~Copyable) {
    if let order = identity.memory.teamOrder, order.configured != identity.team {
      identity.memory.teamOrder = nil
      noteEnd(of: .team, into: &sink)
    }
    if let order = identity.memory.sessionOrder, order.configured != configuration.startsBySelf {
      identity.memory.sessionOrder = nil
      noteEnd(of: .session, into: &sink)
    }
  }

  mutating func noteEnd(of key: OrderKey, into sink: inout some EffectSink & ~Copyable) {
    isMemoryDue = true
    sink.note(.orderEnded(key))
  }
}
