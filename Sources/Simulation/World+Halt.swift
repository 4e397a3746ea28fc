import TrackerCore

/// A machine that is halted, and started again by its clock.
struct HaltedMachine {
  enum Phase {
    case stopping, halted, waking
  }

  let halting: Halting
  private let began: Instant
  private let alarmAt: Instant
  /// When the tracker runs again.
  var runsAt: Instant { max(alarmAt, began + halting.stopTime) + halting.wakeTime }

  init(_ halting: Halting, for time: Milliseconds, at now: Instant) {
    self.halting = halting
    began = now
    alarmAt = now + time
  }

  func phase(at now: Instant) -> Phase {
    if now < began + halting.stopTime { return .stopping }
    return now < runsAt - halting.wakeTime ? .halted : .waking
  }

  /// When that phase ends.
  func phaseEnd(at now: Instant) -> Instant {
    switch phase(at: now) {
    case .stopping: began + halting.stopTime
    case .halted: runsAt - halting.wakeTime
    case .waking: runsAt
    }
  }
}

extension World {
  /// A board that cannot be woken is not halted.
  mutating func halt(for time: Milliseconds) {
    guard let halting = board.halting else { return deliver(.haltRefused, at: now) }
    haltedMachine = HaltedMachine(halting, for: time, at: now)
  }

  /// Lets the time pass until the machine runs again. What arrives meanwhile reaches nobody, but
  /// for people's orders, who wait for it.
  ///
  /// - Returns: that it does, or that somebody wants to look; `nil`: the battery is empty, or the
  ///   power is cut.
  mutating func sleepThrough(
    _ machine: HaltedMachine, into buffer: inout MutableSpan<UInt8>
  ) -> Arrival? {
    while now < machine.runsAt {
      let end = machine.phaseEnd(at: now)
      let plannedAt = planned.next ?? .distantFuture
      let modemAt = modemDeadline
      let next = max(now, min(end, min(plannedAt, modemAt)))
      if next > sliceEnd {
        if onSlice == nil { return .end }
        takeSlice()
        continue
      }
      if next > pausesAt { return .inspection }
      move(to: next)
      if ending != nil { return nil }
      if plannedAt <= now {
        let arrival = carryOut(planned.take(), into: &buffer)
        // Those of the control room are given again.
        if case .event(let event) = arrival, case .commandGiven(_, let origin) = event,
          origin != .room
        {
          ordersAtWake.append(event)
        }
        // The power is cut.
        if effectsLeft != nil { return nil }
      } else if modemAt <= now {
        _ = modemTurn(into: &buffer)
        if !isAliveAfterWrites() { return nil }
      }
      // A receiver that was without supply starts with the computer.
      if now == end, machine.phase(at: now) == .waking, !machine.halting.keepsReceiver {
        startReceiver(in: board.receiver.coldStart)
      }
    }
    haltedMachine = nil
    for event in ordersAtWake { deliver(event, at: now) }
    ordersAtWake = []
    skipTrace(until: now)
    planMeasurement()
    // The program that starts is told of a bearer that comes and goes by itself.
    isBearerTold = false
    planned.plan(.turn, at: now)
    return .restart
  }

  public mutating func restart(_ tracker: inout Tracker) {
    room.forgetProgram()
    // That a PIN was entered is on disk.
    guard isProgramLost || isPINTried == true, let identity else {
      tracker = tracker.successor(at: now)
      return obeyRoom()
    }
    isProgramLost = false
    do {
      tracker = tracker.successor(
        try successor(of: identity), board: changes.board, configuration: changes.configuration,
        at: now)
      self.identity?.hasLeftModem = false
      obeyRoom()
    } catch {
      problem = error
    }
  }

  /// Of the computer, on the rail.
  var boardMicroamps: Int32 {
    guard let haltedMachine else { return board.loads.boardMicroamps }
    return switch haltedMachine.phase(at: now) {
    case .stopping: board.loads.boardMicroamps
    case .halted: haltedMachine.halting.microamps
    case .waking: haltedMachine.halting.wakeMicroamps
    }
  }

  /// Whether receiver and modem are without supply.
  var isReceiverCut: Bool {
    guard let haltedMachine, !haltedMachine.halting.keepsReceiver else { return false }
    return haltedMachine.phase(at: now) == .halted
  }
  var isModemCut: Bool {
    guard let haltedMachine, !haltedMachine.halting.keepsModem else { return false }
    return haltedMachine.phase(at: now) == .halted
  }
}
