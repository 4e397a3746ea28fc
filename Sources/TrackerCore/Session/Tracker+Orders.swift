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

  /// Ends the session. Its captures stay in the queue and are sent without waiting.
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
