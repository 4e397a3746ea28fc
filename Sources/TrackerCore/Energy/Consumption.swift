/// What a board draws from its battery, as far as its file and the settings say.
///
/// Charges are in microamp-milliseconds of the battery, and all values at least 0.
struct Consumption: Sendable, Equatable {
  /// Of the full battery.
  let capacity: Int64
  let canSleepReceiver: Bool
  /// What freezing takes of a full battery, millionths.
  private let coldShare: Int64
  private let boardCurrent: Int64
  private let receiverAwake: Int64
  private let receiverAsleep: Int64
  /// To wake the receiver for one capture.
  private let wakeCharge: Int64
  private let captureInterval: Milliseconds
  private let off: Contacts
  private let attached: Contacts
  private let configured: BetweenUploads
  /// Otherwise what it takes between contacts is only known to be at most its idle current.
  private let isSwitchedOff: Bool
  /// Whether the settings have the receiver sleep in any case.
  private let sleepsAnyway: Bool
  /// `nil`: the computer is never halted.
  private let halted: Halted?

  /// What a computer takes that is halted between captures, with its receiver.
  private struct Halted: Equatable {
    /// While it is halted, microamps.
    var rest: Int64
    /// To wake it and to halt it again, and for a fix.
    var charge: Int64
    /// More for each contact, during which it is awake.
    var contactCharge: Int64
  }

  /// What the modem takes in one of its two uses.
  private struct Contacts: Equatable {
    /// Between contacts, microamps.
    var rest: Int64
    var charge: Int64
    /// As configured.
    var interval: Int64
    /// No contacts come closer, whatever the plan says.
    var shortest: Int64

    /// - Parameter capture: time between two captures; without one there is nothing to send.
    func current(_ plan: EnergyBudget.Plan, capture: Int64) -> Int64 {
      rest + charge / time(plan, capture: capture)
    }

    func time(_ plan: EnergyBudget.Plan, capture: Int64) -> Int64 {
      // In pairs: `max` of three makes an array.
      max(capture, max(shortest, interval * plan.contactPercent / 100))
    }
  }

  /// - Parameters:
  ///   - interval: the configured time between two captures.
  ///   - apart: no contacts come closer, whatever the settings and the plan say.
  init(
    _ board: Board, _ configuration: Configuration, captureInterval interval: Milliseconds,
    contactsApart apart: Milliseconds = 0
  ) {
    let battery = board.battery
    let loads = board.loads
    capacity = battery.capacity
    coldShare = battery.coldShare
    boardCurrent = battery.current(ofLoads: loads.boardMicroamps, at: board.supplyMillivolts)
    configured = configuration.betweenUploads
    let hasModem = configuration.bearer != .none
    isSwitchedOff = board.modem.rest == .off
    func contacts(
      _ use: BetweenUploads, rest: Int32, _ microamps: Int32, for time: Milliseconds,
      floor: Milliseconds
    ) -> Contacts {
      let contact = battery.current(ofLoads: microamps, at: board.supplyMillivolts)
      return Contacts(
        rest: battery.current(ofLoads: rest, at: board.supplyMillivolts),
        charge: hasModem ? contact * time.count : 0,
        interval: min(
          max(1000, configuration.contactInterval(use).count), Milliseconds.hours(8766).count),
        shortest: hasModem ? max(floor, apart).count : 0)
    }
    let rest = board.restingModemMicroamps(configuration.bearer)
    off = contacts(
      .off, rest: rest, loads.modemSearchingMicroamps, for: Bounds.usualContact,
      floor: configuration.reconnectFloor)
    attached = contacts(
      .attached, rest: hasModem ? loads.modemIdleMicroamps : rest,
      loads.modemTransmittingMicroamps, for: Bounds.attachedContact, floor: 0)
    receiverAwake = battery.current(
      ofLoads: loads.receiverTrackingMicroamps, at: board.supplyMillivolts)
    receiverAsleep = battery.current(
      ofLoads: loads.receiverStandbyMicroamps, at: board.supplyMillivolts)
    canSleepReceiver = board.receiver.canSleep
    let hotStart = min(max(0, board.receiver.hotStart.count), 3_600_000)
    wakeCharge = receiverAwake * (hotStart + Bounds.receiverWakeMargin.count)
    captureInterval = min(max(.seconds(1), interval), .hours(8766))
    sleepsAnyway = configuration.receiverUse == .dutyCycle && board.receiver.canSleep
    halted = configuration.sleep == .halt ? Self.halted(board) : nil
  }

  private static func halted(_ board: Board) -> Halted? {
    guard let halting = board.halting else { return nil }
    let loads = board.loads
    func current(_ first: Int32, _ second: Int32 = 0) -> Int64 {
      board.battery.current(ofLoads: first, second, at: board.supplyMillivolts)
    }
    let fix = halting.firstFix(of: board.receiver)
    // Until the fix the computer is awake, or its receiver alone is while it starts.
    let awake = max(0, fix - halting.wakeTime) + halting.stopTime
    let receiver = halting.keepsReceiver ? fix - halting.wakeTime : fix
    let booting = current(halting.wakeMicroamps) * halting.wakeTime.count
    let fixing = current(loads.receiverAcquiringMicroamps) * max(0, receiver).count
    return Halted(
      rest: current(halting.microamps, halting.receiverMicroamps(board)),
      charge: booting + fixing + current(loads.boardMicroamps) * awake.count,
      contactCharge: current(loads.boardMicroamps) * Bounds.usualContact.count)
  }

  /// The average current of a plan, microamps.
  func current(_ plan: EnergyBudget.Plan) -> Int64 {
    let capture = timeBetweenCaptures(plan)
    // Awake, it draws no more than awake.
    let receiver =
      plan.sleepsReceiver || sleepsAnyway
      ? min(receiverAwake, receiverAsleep + wakeCharge / capture) : receiverAwake
    let awake = boardCurrent + receiver
    guard (plan.betweenUploads ?? configured) == .off else {
      return awake + attached.current(plan, capture: capture)
    }
    let modem = off.current(plan, capture: capture)
    guard let halted else { return awake + modem }
    let asleep =
      halted.rest + halted.charge / capture
      + halted.contactCharge / max(1, off.time(plan, capture: capture))
    return min(awake, asleep) + modem
  }

  func timeBetweenContacts(_ plan: EnergyBudget.Plan) -> Milliseconds {
    let modem = (plan.betweenUploads ?? configured) == .attached ? attached : off
    return Milliseconds(modem.time(plan, capture: timeBetweenCaptures(plan)))
  }

  private func timeBetweenCaptures(_ plan: EnergyBudget.Plan) -> Int64 {
    max(1, captureInterval.count * plan.capturePercent / 100)
  }

  /// The other use of the modem than configured, if it takes less; `nil`: it does not.
  func cheaper(_ plan: EnergyBudget.Plan) -> BetweenUploads? {
    var plan = plan
    plan.betweenUploads = .attached
    let attached = current(plan)
    plan.betweenUploads = .off
    let off = current(plan)
    return switch configured {
    case .off: attached < off && isSwitchedOff ? .attached : nil
    case .attached: off < attached ? .off : nil
    }
  }

  /// What a plan takes in a time, in millionths of the full battery, 0...4 000 000.
  func share(_ plan: EnergyBudget.Plan, for time: Milliseconds) -> Int64 {
    let most = 4 * ChargeEstimate.full
    let (taken, isTooMuch) = current(plan).multipliedReportingOverflow(by: max(0, time.count))
    return isTooMuch ? most : min(most, taken / max(1, capacity / ChargeEstimate.full))
  }

  /// Standard deviation of what cold may still take within a time, millionths of the full battery:
  /// what the night of that season takes, so that one night in six takes more; where the battery's
  /// temperature is measured, what the cooling from there takes.
  func cold(within time: Milliseconds, _ weather: Weather = Weather()) -> Int64 {
    min(ChargeEstimate.full, coldShare * weather.coolingAhead(within: time) / 1_000_000)
  }
}

extension Board {
  /// What a modem draws between contacts: switched off, or on with its radio off.
  func restingModemMicroamps(_ bearer: Bearer) -> Int32 {
    bearer == .none || modem.rest == .off ? loads.modemOffMicroamps : loads.modemIdleMicroamps
  }

  /// What is drawn from the battery, at its end, while captures are sent.
  func peakMicroamps(_ bearer: Bearer) -> Int64 {
    let modem = bearer == .none ? loads.modemOffMicroamps : loads.modemTransmittingMicroamps
    return battery.current(
      ofLoad: Int64(loads.boardMicroamps) + Int64(loads.receiverTrackingMicroamps) + Int64(modem),
      at: supplyMillivolts, from: battery.cutOffMillivolts)
  }
}

extension Battery {
  /// What freezing takes of a full battery, millionths.
  var coldShare: Int64 {
    Int64(100 - min(max(0, capacityAtFreezingPercent), 100)) * ChargeEstimate.percent
  }

  /// What loads on a rail take from the battery when it is half full, microamps.
  ///
  /// - Parameter millivolts: of the rail.
  func current(ofLoads first: Int32, _ second: Int32 = 0, at millivolts: Int32) -> Int64 {
    current(ofLoad: Int64(max(0, first)) + Int64(max(0, second)), at: millivolts)
  }

  /// - Parameters:
  ///   - load: microamps on the rail.
  ///   - source: voltage of the battery; `nil`: half full.
  func current(ofLoad load: Int64, at millivolts: Int32, from source: Int32? = nil) -> Int64 {
    let most: Int64 = 1_000_000_000
    let load = min(max(0, load), most)
    switch regulator {
    case .linear: return load
    case .switching(let efficiency):
      let half = Int64(max(1, cellMillivolts[Battery.curvePoints / 2]))
      let voltage = source.map { Int64(max(1, $0)) } ?? half * Int64(max(1, cellsInSeries))
      let power = load * Int64(min(max(0, millivolts), 100_000))
      return min(power / voltage * 100 / Int64(max(1, efficiency)), most)
    }
  }
}

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
    let isControlled = configuration.bearer != .none
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
