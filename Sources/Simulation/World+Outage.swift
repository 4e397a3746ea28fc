import BoardSupport
import CaptureStore
import Courier
import TrackerCore
import Uplink

extension World {
  /// At the time that the scenario has for one.
  mutating func beginOutage(_ number: Int) {
    let restart = scenario.restarts[number]
    let image = diskImages.removeValue(forKey: number)
    // What is not running cannot be killed.
    if haltedMachine != nil, restart.outage == .kill { return }
    if restart.afterWrites > 0, haltedMachine == nil, let disk {
      outageInWrite = restart
      return disk.planCut(after: restart.afterWrites, by: restart.outage)
    }
    comingOutage = restart
    effectsLeft = haltedMachine == nil ? Int(restart.afterEffects) : 0
    survivingImage = image
    if effectsLeft == 0 { onProgramEnd?() }
  }

  /// Whether the program still performs an effect: false for all those after its end.
  mutating func isAlive() -> Bool {
    guard let left = effectsLeft else { return true }
    if left == 0 { return false }
    effectsLeft = left - 1
    if left == 1 { onProgramEnd?() }
    return true
  }

  /// Whether the program has not come to its end within a write.
  mutating func isAliveAfterWrites() -> Bool {
    if let disk, disk.isCut, let restart = outageInWrite {
      outageInWrite = nil
      // It came before another outage that was waiting for an effect, and loses nothing.
      (comingOutage, effectsLeft, survivingImage) = (restart, 0, nil)
      onProgramEnd?()
    }
    return effectsLeft != 0
  }

  mutating func endProgramIfDue() {
    guard effectsLeft == 0, let coming = comingOutage else { return }
    (comingOutage, effectsLeft, outageInWrite) = (nil, nil, nil)
    do {
      try change(coming)
      try end(by: coming.outage, for: coming.time)
      isProgramLost = true
    } catch {
      problem = error
    }
  }

  /// Notes what a card has really written by now that loses all that comes until its restart.
  mutating func noteDisk(for number: Int) {
    do { diskImages[number] = try store.image() } catch { problem = error }
  }

  /// The board's clock steps; that of the server goes on.
  mutating func jumpClock(by step: Milliseconds) { clockSetting = (utc + step, now) }

  /// The receiver's date is trusted.
  mutating func setClock(_ date: UTC) {
    clockSetting = (date, now)
    if hasServerClock, serverBegin == nil { serverBegin = date + (.start - now) }
  }

  /// Whether the board's clock may be wrong, or stop: then the server has one of its own.
  var hasServerClock: Bool { !scenario.clock.isEmpty || !scenario.restarts.isEmpty }
}

extension World {
  /// What does not change during a run. A class, so that `World` has fewer parts of its own: the
  /// compiler takes long to check a type that cannot be copied.
  final class Given: Sendable {
    let board: Board
    let sensor: BatterySensor?
    let scenario: Scenario
    /// The tracker's on the server; `nil`: its device's.
    let code: String?
    let mayActFor: Milliseconds

    init(
      board: Board, sensor: BatterySensor?, scenario: Scenario, code: String?,
      mayActFor: Milliseconds
    ) {
      (self.board, self.sensor, self.scenario) = (board, sensor, scenario)
      (self.code, self.mayActFor) = (code, mayActFor)
    }
  }

  /// Ends the tracker's program at this moment. When the time is over `wait` returns `restart`, for
  /// a tracker with what is on disk then (`successor`).
  ///
  /// What was on its way to the program is lost; people's orders from a scenario wait for the next.
  mutating func end(by outage: Outage, for time: Milliseconds) throws {
    if outage == .powerCut {
      clockSetting = nil
      boot += "'"
    }
    try forgetProgram(outage)
    var halting = Halting(
      microamps: board.loads.boardMicroamps, wakeTime: 0,
      wakeMicroamps: board.loads.boardMicroamps, stopTime: 0, keepsReceiver: true,
      keepsModem: true)
    if outage == .powerCut {
      (halting.microamps, halting.wakeTime) = (0, Outage.bootTime)
      (halting.keepsReceiver, halting.keepsModem) = (false, false)
      loseModemPower()
    }
    haltedMachine = HaltedMachine(halting, for: time, at: now)
  }

  private mutating func forgetProgram(_ outage: Outage) throws {
    deliveries = deliveries.filter { delivery in
      if case .commandGiven(_, from: .script) = delivery.value { true } else { false }
    }
    let kept = Set(deliveries.keys)
    planned.keep { planned in
      switch planned {
      case .deliver(let number): kept.contains(number)
      // It is measured again from the next start on.
      case .measureBattery, .replyArrives, .announceSettings, .remembersAgain: false
      case .turn, .serverReceives, .serverActs, .lineEnds, .outage, .diskLies, .reload,
        .clockJumps, .writes:
        true
      }
    }
    // What has left reaches the server all the same.
    if let exchange, exchange.isOnAir { lateExchanges[exchange.number] = exchange }
    exchange = nil
    connectedUntil = nil
    modem.connection.endTransfer(at: now)
    isLinkUp = false
    (offer, unsaved) = (nil, nil)
    room.forgetProgram()
    beginModemOperations()
    setModemBaud(Self.modemBaud)
    courier = Courier(
      try reopenedStore(after: outage),
      try SimulatedServer.anyDialogue(scenario.service, code: given.code),
      mayActFor: given.mayActFor, boot: boot)
  }

  /// The store as the next program finds it: opened again, if it is not a file of somebody else.
  private mutating func reopenedStore(after outage: Outage) throws -> CaptureStore {
    guard disk != nil || store.place == .memory else { return store }
    let next =
      if let survivingImage {
        try openedStore(survivingImage, for: .device(store.device))
      } else {
        try reopen(after: outage)
      }
    next.placeNames = store.placeNames
    if survivingImage != nil { onDiskLoss?(store, next) }
    survivingImage = nil
    offeredAtOfWaiting = offeredAtOfWaiting.filter { $0.key.number < next.nextKey.number }
    return next
  }

  private func reopen(after outage: Outage) throws -> CaptureStore {
    guard let disk else { return try openedStore(store.image(), for: .device(store.device)) }
    do {
      let next = try disk.reopen(after: outage, for: .device(store.device), at: utc)
      onReopening?(.success(next))
      return next
    } catch {
      onReopening?(.failure(error))
      throw error
    }
  }

  /// A store with what an image has.
  func openedStore(_ image: [UInt8], for owner: StoreOwner) throws -> CaptureStore {
    if let disk { return try disk.open(image, for: owner, at: utc) }
    return try CaptureStore.open(.copy(of: image), for: owner, at: utc)
  }

  /// From now on the store is on a disk, where a program may end within a write.
  mutating func useTornDisk(seed: UInt64) {
    do {
      disk = try TornDisk(seed: seed)
      try use(openedStore(store.image(), for: .device(store.device)))
    } catch {
      problem = error
    }
  }

  private mutating func loseModemPower() {
    // The SIM has counted the wrong PINs.
    let wrongPINs = modem.conditions.intersection(["oneWrong", "twoWrong", "blocked"])
    modem = ModemEmulator(
      scenario.modemScript ?? ModemScript(family: board.modem.family),
      isOn: !board.modem.hasPowerKey, pin: scenario.sim.pin,
      searchTime: scenario.network.registration,
      variation: scenario.network.registration == nil && scenario.modemScript == nil
        ? variation : nil)
    modem.portBaud = Self.modemBaud
    modem.conditions.formUnion(wrongPINs)
    modemFault = nil
    modemStatus = nil
    applyModemScenario()
  }

  var machineTime: MachineTime {
    MachineTime(boot: boot, now: now, sinceBoot: now - .start, date: utc)
  }

  /// Who starts now, with what is on disk.
  ///
  /// - Parameter first: who was here at the start of the run.
  func successor(of first: Identity) throws -> Identity {
    var next = first
    next.nextSequence = store.nextSequence
    next.pending = store.counts.pending
    next.seed = first.seed &+ UInt64(bitPattern: now.milliseconds)
    if let isPINTried { next.simPIN = isPINTried ? .tried : .untried }
    next.memory = try store.memory(at: machineTime)
    return next
  }
}
