/// Counts what the parts of the board take, by the states that they are in.
struct LoadMeter: Sendable, Equatable {
  /// What is drawn since `since`, microamps on the rail.
  private var microamps: Int64 = 0
  private var since: Instant
  /// Before `since`, back to the last `take`, microamp-milliseconds.
  private var charge: Int64 = 0
  private var time: Int64 = 0

  init(at now: Instant) { since = now }

  /// From now on so much is drawn.
  mutating func follow(_ microamps: Int64, at now: Instant) {
    guard microamps != self.microamps else { return }
    count(until: now)
    self.microamps = microamps
  }

  /// The average since the last call, microamps on the rail, and for how long; starts over.
  mutating func take(at now: Instant) -> (microamps: Int64, time: Milliseconds) {
    count(until: now)
    defer { (charge, time) = (0, 0) }
    return (time > 0 ? charge / time : 0, Milliseconds(time))
  }

  private mutating func count(until now: Instant) {
    let elapsed = min(max(0, now - since).count, Milliseconds.hours(24).count)
    since = now
    // After a hundred days it starts over, so that nothing overflows.
    if time > Milliseconds.hours(2400).count { (charge, time) = (0, 0) }
    time += elapsed
    charge += min(max(0, microamps), 100_000_000) * elapsed
  }
}

extension Tracker {
  /// What the parts draw in their present states, microamps on the rail.
  ///
  /// Mutating, as are the others that only look: otherwise a copy of the whole tracker is made.
  @inline(never)
  mutating func presentLoad(_ phase: ModemPhase) -> Int64 {
    let loads = board.loads
    let receiver =
      isReceiverAwake ? loads.receiverTrackingMicroamps : loads.receiverStandbyMicroamps
    let rest = board.restingModemMicroamps(configuration.bearer)
    let isControlled = if case nil = link.modem { false } else { true }
    let modem =
      switch phase {
      case _ where !isControlled: rest
      case .off, .faulted: rest
      case .starting, .checkingSIM, .stopping, .stillOn: loads.modemStartingMicroamps
      case .searching: loads.modemSearchingMicroamps
      case .registered, .attached: loads.modemIdleMicroamps
      case .inUse: loads.modemTransmittingMicroamps
      }
    return Int64(loads.boardMicroamps) + Int64(receiver) + Int64(modem)
  }
}
