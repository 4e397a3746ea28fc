/// The physical facts of the hardware that a tracker runs on. Filled from
/// `boards/<board>/board.json5`, where each number has its source.
public struct Board: Sendable, Equatable {
  /// Voltage of the rail that supplies every load, millivolts.
  public var supplyMillivolts: Int32
  public var loads: Loads
  public var battery: Battery
  public var modem: ModemBoard
  public var receiver: ReceiverBoard
  /// Whether a status light is wired.
  public var hasLight: Bool
  /// Whether a button of its own calls for help. Without one the other button does, held for
  /// longer.
  public var hasEmergencyButton = false
  /// `nil`: the computer cannot be woken once it is halted.
  public var halting: Halting?

  public init(
    supplyMillivolts: Int32, loads: Loads, battery: Battery, modem: ModemBoard,
    receiver: ReceiverBoard, hasLight: Bool = false
  ) {
    self.supplyMillivolts = supplyMillivolts
    self.loads = loads
    self.battery = battery
    self.modem = modem
    self.receiver = receiver
    self.hasLight = hasLight
  }

  /// No battery, modem or receiver: for a program that only sends, and before a recording's
  /// settings are read.
  public static var none: Board {
    Board(
      supplyMillivolts: 0,
      loads: Loads(
        boardMicroamps: 0, receiverStandbyMicroamps: 0, receiverAcquiringMicroamps: 0,
        receiverTrackingMicroamps: 0, modemOffMicroamps: 0, modemStartingMicroamps: 0,
        modemSearchingMicroamps: 0, modemIdleMicroamps: 0, modemTransmittingMicroamps: 0),
      battery: Battery(
        cellsInSeries: 1, cellsInParallel: 1, cellCapacityMilliampHours: 0,
        cellMillivolts: InlineArray(repeating: 0), cutOffMillivolts: 0,
        capacityAtFreezingPercent: 0, regulator: .linear),
      modem: ModemBoard(
        powerOnPulse: 0, powerOffPulse: 0, bootLimit: 0, powerOffTime: 0, offOnGap: 0),
      receiver: ReceiverBoard(canSleep: false, coldStart: 0, hotStart: 0))
  }
}

/// How the computer is halted between captures, and woken by an alarm of its own clock.
public struct Halting: Sendable, Equatable {
  /// From the supply rail while it is halted, with all that keeps its supply but receiver and
  /// modem.
  public var microamps: Int32
  /// From the alarm until the tracker runs.
  public var wakeTime: Milliseconds
  /// During that time.
  public var wakeMicroamps: Int32
  /// From the decision until it takes no more than halted.
  public var stopTime: Milliseconds
  /// Whether the receiver keeps its supply, so that it starts hot.
  public var keepsReceiver: Bool
  /// Whether the modem keeps its supply. One that is on must not lose it.
  public var keepsModem: Bool

  public init(
    microamps: Int32, wakeTime: Milliseconds, wakeMicroamps: Int32, stopTime: Milliseconds,
    keepsReceiver: Bool, keepsModem: Bool
  ) {
    self.microamps = microamps
    self.wakeTime = wakeTime
    self.wakeMicroamps = wakeMicroamps
    self.stopTime = stopTime
    self.keepsReceiver = keepsReceiver
    self.keepsModem = keepsModem
  }
}

/// What each part draws from the supply rail in each of its states, microamps.
public struct Loads: Sendable, Equatable {
  /// The computer, idle between events.
  public var boardMicroamps: Int32
  public var receiverStandbyMicroamps: Int32
  public var receiverAcquiringMicroamps: Int32
  public var receiverTrackingMicroamps: Int32
  public var modemOffMicroamps: Int32
  /// From power-on until the modem answers.
  public var modemStartingMicroamps: Int32
  public var modemSearchingMicroamps: Int32
  /// Registered or attached, without traffic.
  public var modemIdleMicroamps: Int32
  /// Transferring data.
  public var modemTransmittingMicroamps: Int32

  public init(
    boardMicroamps: Int32, receiverStandbyMicroamps: Int32, receiverAcquiringMicroamps: Int32,
    receiverTrackingMicroamps: Int32, modemOffMicroamps: Int32, modemStartingMicroamps: Int32,
    modemSearchingMicroamps: Int32, modemIdleMicroamps: Int32, modemTransmittingMicroamps: Int32
  ) {
    self.boardMicroamps = boardMicroamps
    self.receiverStandbyMicroamps = receiverStandbyMicroamps
    self.receiverAcquiringMicroamps = receiverAcquiringMicroamps
    self.receiverTrackingMicroamps = receiverTrackingMicroamps
    self.modemOffMicroamps = modemOffMicroamps
    self.modemStartingMicroamps = modemStartingMicroamps
    self.modemSearchingMicroamps = modemSearchingMicroamps
    self.modemIdleMicroamps = modemIdleMicroamps
    self.modemTransmittingMicroamps = modemTransmittingMicroamps
  }
}

/// How the supply rail is derived from the battery.
public enum Regulator: Sendable, Equatable {
  /// Battery current equals load current; the difference in voltage is heat.
  case linear
  /// Constant power: battery current rises as its voltage falls.
  case switching(efficiencyPercent: Int32)
}

public struct Battery: Sendable, Equatable {
  public static let curvePoints = 11

  public var chemistry = Chemistry.other
  public var cellsInSeries: Int32
  public var cellsInParallel: Int32
  /// Capacity of one cell at `ratedMicroamps` and 20 degrees Celsius.
  public var cellCapacityMilliampHours: Int32
  /// The current out of one cell for which its capacity is stated; 0: as is usual for its
  /// chemistry.
  public var ratedMicroamps: Int32 = 0
  /// Resistance of one full cell at 20 degrees Celsius; 0: as is usual for its chemistry.
  public var cellMilliohms: Int32 = 0
  /// Open-circuit voltage of one cell at 0 %, 10 %, ... 100 % of charge, millivolts, ascending.
  public var cellMillivolts: InlineArray<11, Int32>
  /// The board loses power below this battery voltage.
  public var cutOffMillivolts: Int32
  /// Capacity at 0 degrees Celsius, percent of that at 20; linear between and beyond, at most 100.
  public var capacityAtFreezingPercent: Int32
  public var regulator: Regulator
  /// Whether the modem is supplied by the battery directly, so that what it reports (AT+CBC) is the
  /// battery's voltage. Behind a converter it says nothing about the battery.
  public var isMeasuredByModem: Bool

  public init(
    cellsInSeries: Int32, cellsInParallel: Int32, cellCapacityMilliampHours: Int32,
    cellMillivolts: InlineArray<11, Int32>, cutOffMillivolts: Int32,
    capacityAtFreezingPercent: Int32, regulator: Regulator, isMeasuredByModem: Bool = false
  ) {
    self.cellsInSeries = cellsInSeries
    self.cellsInParallel = cellsInParallel
    self.cellCapacityMilliampHours = cellCapacityMilliampHours
    self.cellMillivolts = cellMillivolts
    self.cutOffMillivolts = cutOffMillivolts
    self.capacityAtFreezingPercent = capacityAtFreezingPercent
    self.regulator = regulator
    self.isMeasuredByModem = isMeasuredByModem
  }

  public static func == (a: Self, b: Self) -> Bool {
    for index in 0..<curvePoints where a.cellMillivolts[index] != b.cellMillivolts[index] {
      return false
    }
    return a.cellsInSeries == b.cellsInSeries && a.cellsInParallel == b.cellsInParallel
      && a.cellCapacityMilliampHours == b.cellCapacityMilliampHours
      && a.cutOffMillivolts == b.cutOffMillivolts
      && a.capacityAtFreezingPercent == b.capacityAtFreezingPercent && a.regulator == b.regulator
      && a.isMeasuredByModem == b.isMeasuredByModem && a.chemistry == b.chemistry
      && a.ratedMicroamps == b.ratedMicroamps && a.cellMilliohms == b.cellMilliohms
  }
}

/// How a modem spends the time between two contacts.
public enum ModemRest: UInt8, Sendable, Equatable {
  case off
  /// On, with its radio off: because it could not be switched on again, or its receiver is needed.
  case radioOff
}

/// The modem on the board, and the timing of its power switching.
public struct ModemBoard: Sendable, Equatable {
  public var family: ModemFamily
  public var rest: ModemRest
  /// Whether PWRKEY is wired. Without it a modem that was switched off would stay off.
  public var hasPowerKey: Bool
  /// Whether STATUS is wired, which shows whether it is on.
  public var hasStatus: Bool
  /// Whether the line that switches its radio off is wired.
  public var hasFlightMode: Bool
  /// PWRKEY pulse that switches on.
  public var powerOnPulse: Milliseconds
  /// PWRKEY pulse that switches off.
  public var powerOffPulse: Milliseconds
  /// Longest time from the pulse to the first answer to AT.
  public var bootLimit: Milliseconds
  /// From the off pulse until the modem has certainly switched off.
  public var powerOffTime: Milliseconds
  /// Shortest time between off and the next on.
  public var offOnGap: Milliseconds

  public init(
    family: ModemFamily = .generic, rest: ModemRest = .off, hasPowerKey: Bool = true,
    hasStatus: Bool = false, hasFlightMode: Bool = false, powerOnPulse: Milliseconds,
    powerOffPulse: Milliseconds, bootLimit: Milliseconds, powerOffTime: Milliseconds,
    offOnGap: Milliseconds
  ) {
    self.family = family
    self.rest = rest
    self.hasPowerKey = hasPowerKey
    self.hasStatus = hasStatus
    self.hasFlightMode = hasFlightMode
    self.powerOnPulse = powerOnPulse
    self.powerOffPulse = powerOffPulse
    self.bootLimit = bootLimit
    self.powerOffTime = powerOffTime
    self.offOnGap = offOnGap
  }
}

/// The receiver on the board.
public struct ReceiverBoard: Sendable, Equatable {
  public var dialect: ReceiverDialect
  /// Whether it can be put to sleep and woken by a command.
  public var canSleep: Bool
  /// Time to first fix from power-on with nothing known.
  public var coldStart: Milliseconds
  /// Time to first fix from sleep.
  public var hotStart: Milliseconds

  public init(
    dialect: ReceiverDialect = .none, canSleep: Bool, coldStart: Milliseconds,
    hotStart: Milliseconds
  ) {
    self.dialect = dialect
    self.canSleep = canSleep
    self.coldStart = coldStart
    self.hotStart = hotStart
  }
}
