import BoardSupport
import CaptureStore
import Courier
import TrackerCore
import Uplink

/// How a tracker's program comes to an end that nobody has planned.
enum Outage: UInt8, Sendable, Equatable {
  /// It is killed, and started again.
  case kill
  /// The machine loses its power, and boots when that is back. It has no clock of its own.
  case powerCut

  /// From the power to the tracker's program, on a small computer.
  static let bootTime = Milliseconds.seconds(25)
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
    try forgetProgram()
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

  private mutating func forgetProgram() throws {
    deliveries = deliveries.filter { delivery in
      if case .commandGiven(_, from: .script) = delivery.value { true } else { false }
    }
    let kept = Set(deliveries.keys)
    planned.keep { planned in
      switch planned {
      case .deliver(let number): kept.contains(number)
      // It is measured again from the next start on.
      case .measureBattery, .replyArrives: false
      case .turn, .serverReceives, .serverActs, .lineEnds: true
      }
    }
    // What has left reaches the server all the same.
    if let exchange, exchange.isOnAir { lateExchanges[exchange.number] = exchange }
    exchange = nil
    connectedUntil = nil
    modem.connection.endTransfer(at: now)
    isLinkUp = false
    isBearerTold = false
    offer = nil
    beginModemOperations()
    setModemBaud(Self.modemBaud)
    courier = Courier(
      store, AnyDialogue(try SimulatedServer.dialogue(scenario.service, code: given.code)),
      mayActFor: given.mayActFor, boot: boot)
  }

  private mutating func loseModemPower() {
    modem = ModemEmulator(
      scenario.modemScript ?? ModemScript(family: board.modem.family),
      isOn: !board.modem.hasPowerKey, pin: scenario.sim.pin,
      searchTime: scenario.network.registration,
      variation: scenario.network.registration == nil && scenario.modemScript == nil
        ? variation : nil)
    modem.portBaud = Self.modemBaud
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
    next.memory = try store.memory(at: machineTime)
    return next
  }
}
