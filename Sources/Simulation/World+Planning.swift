import BoardSupport
import TrackerCore

extension World {
  /// Something planned for later.
  enum Planned {
    /// One of `deliveries`.
    case deliver(UInt32)
    /// The tracker gets `newSettings`.
    case announceSettings
    case measureBattery
    /// Something changes by itself: coverage, temperature, the receiver.
    case turn
    case serverReceives(UInt32)
    /// For one of `lateExchanges`.
    case serverActs(UInt32)
    case replyArrives(UInt32)
    case lineEnds
    /// One of the scenario's `restarts`.
    case outage(Int)
    /// Nothing that comes until one of them stays on the card.
    case diskLies(Int)
    /// One of its `reloads`.
    case reload(Int)
    /// One of the jumps of its `clock`.
    case clockJumps(Int)
    /// One of those of its `people`.
    case writes(Int)
    /// What a full disk has refused is saved.
    case remembersAgain
  }

  /// The battery is measured when the program has started, and from then on.
  mutating func planMeasurement() {
    switch given.sensor {
    case .iio, .hwmon, .powerSupply, .adc: planned.plan(.measureBattery, at: now)
    // The modem says it when it is asked.
    case .modem, nil: break
    }
  }

  mutating func planScenario() {
    planWindows(scenario.coverage)
    planWindows(scenario.batteryCelsius)
    planWindows(scenario.modem)
    for command in scenario.commands {
      deliver(.commandGiven(command.command, from: .script), at: .start + command.at)
    }
    for (number, restart) in scenario.restarts.enumerated() {
      if restart.loses > 0 {
        planned.plan(.diskLies(number), at: .start + max(0, restart.at - restart.loses))
      }
      planned.plan(.outage(number), at: .start + restart.at)
    }
    for (number, reload) in scenario.reloads.enumerated() {
      planned.plan(.reload(number), at: .start + reload.at)
    }
    for (number, jump) in scenario.clock.enumerated() {
      planned.plan(.clockJumps(number), at: .start + jump.at)
    }
    for (number, writing) in scenario.people.enumerated() {
      planned.plan(.writes(number), at: .start + writing.at)
    }
    applyTemperature()
  }

  private mutating func planWindows(_ windows: [Window<some Sendable & Equatable>]) {
    for window in windows {
      planned.plan(.turn, at: .start + window.from)
      if let to = window.to { planned.plan(.turn, at: .start + to) }
    }
  }

  mutating func deliver(_ event: Event, at instant: Instant) {
    deliveryCount &+= 1
    deliveries[deliveryCount] = event
    planned.plan(.deliver(deliveryCount), at: instant)
  }

  mutating func carryOut(
    _ planned: Planned?, into buffer: inout MutableSpan<UInt8>
  ) -> Arrival? {
    let arrival = perform(planned, into: &buffer)
    return isAliveAfterWrites() ? arrival : nil
  }

  private mutating func perform(
    _ planned: Planned?, into buffer: inout MutableSpan<UInt8>
  ) -> Arrival? {
    switch planned {
    case .deliver(let number):
      guard let event = deliveries.removeValue(forKey: number) else { return nil }
      // The coverage ended while the bearer was coming up.
      if event == .linkChanged(isUp: true), !isBearerUp { return nil }
      if event == .commandGiven(.stop, from: .script), traceEndsAt != nil { isStopped = true }
      return arrive(event)
    case .announceSettings: return .newSettings
    case .lineEnds:
      buffer[0] = 0x0A
      return .bytes(count: 1, from: .receiver)
    case .measureBattery where haltedMachine != nil: return nil
    case .measureBattery:
      self.planned.plan(.measureBattery, at: now + Self.measureInterval)
      let reading = BatteryReading(
        millivolts: measuredMillivolts(), celsius: hasThermometer ? celsius : nil)
      return .event(.batteryMeasured(reading))
    case .turn: return turn()
    case .serverReceives(let number): serverReceives(number)
    case .serverActs(let number): serverActs(number)
    case .replyArrives(let number): return replyArrives(number).map { arrive($0) }
    case .outage(let number): beginOutage(number)
    case .diskLies(let number): noteDisk(for: number)
    case .reload(let number): return reload(scenario.reloads[number].settings)
    case .clockJumps(let number): jumpClock(by: scenario.clock[number].by)
    case .writes(let number): write(number)
    case .remembersAgain: rememberAgain()
    case nil: break
    }
    return nil
  }

  /// The program is told of something.
  private mutating func arrive(_ event: Event) -> Arrival {
    switch event {
    case .fetchFinished: obeyRoom()
    case .commandGiven(_, from: .room) where haltedMachine == nil: room.arrived()
    default: break
    }
    return .event(counted(event))
  }

  /// Applies everything in the scenario that changes with time.
  private mutating func turn() -> Arrival? {
    applyTemperature()
    applyModemScenario()
    return bearerNews().map { .event($0) }
  }

  private mutating func applyTemperature() { battery.setTemperature(celsius: celsius) }

  private var celsius: Int32 {
    scenario.batteryCelsius.content(at: now) ?? Scenario.usualCelsius
  }
}
