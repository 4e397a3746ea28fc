import TrackerCore
import Wording

/// How reliable a board's data are.
public enum SupportLevel: String, Sendable, Equatable, CaseIterable {
  /// The tracker has run on this hardware, and no figure is unverified.
  case tested
  /// Wiring and most figures come from manufacturers' documents; the file marks the others.
  case documented
  /// The wiring or other important data are unchecked assumptions.
  case unverified
}

/// A number of a board file and where it comes from.
public struct Figure: Sendable, Equatable {
  /// `loads.board`.
  public var keyPath: String
  /// As written in the file: `75 mA`.
  var text: String
  public var source: String
  public var basis = Basis.dataSheet
  /// How far it may be off, percent either way; `nil`: as far as is usual for its basis.
  var withinPercent: Int32?

  /// From memory or assumed, without a document.
  public var isUnverified: Bool { basis == .memory }
}

/// A serial line.
public struct Port: Sendable, Equatable {
  /// A device file on Linux; the name of the port in the firmware elsewhere.
  public var device: String
  /// Bits per second.
  public var baud: Int32
}

/// The content of a board file: the data for the core, the wiring, and the sources.
public struct BoardDescription: Sendable, Equatable {
  /// The name of the board's folder.
  public var identifier: String
  public var name: String
  public var support: SupportLevel
  /// The data for the core.
  public var board: Board
  /// The battery's chemistry: `alkaline AA`.
  public var chemistry: String
  /// What measures the battery; `nil`: nothing.
  public var batterySensor: BatterySensor?
  /// What measures the battery's temperature, a thermometer of the kernel's hwmon; `nil`: nothing.
  public var thermometer: SensorDevice?
  /// The receiver's type designation.
  public var receiverPart: String
  /// How its receiver is used unless a configuration says otherwise.
  public var receiverUse: ReceiverUse
  /// What the modem's radio takes around a transfer.
  public var radio: RadioFigures
  public var pins: Pins
  public var receiverPort: Port
  public var modemPort: Port
  /// The clock whose alarm wakes the halted computer, as the kernel names it: `rtc0`. `nil`: none
  /// can.
  public var wakeClock: String?
  /// Whether the tracker's button (`pins.button`) starts the halted computer, too.
  public var wakesByButton = false
  /// Of a controller: where its flash has the settings of its firmware. `nil`: it runs Linux.
  public var firmwareSettings: UInt32?
  /// Where the technician's cable goes; `nil`: there is no place for it.
  public var consolePort: Port?
  /// Every number of the file with its source, in reading order.
  public var figures: [Figure]
  /// The parts, and what each uses of the computer.
  public var assembly: BoardAssembly

  /// The battery's voltage at which a controller's converter would show more than it can,
  /// millivolts; 0: it does not measure the battery.
  public var batteryRange: Int32 {
    guard case .adc(let reference, let divider) = batterySensor else { return 0 }
    return Int32(clamping: Int64(reference) * Int64(divider.numerator) / Int64(divider.denominator))
  }
}

extension BoardDescription {
  /// Reads what the parts are together.
  init(_ combination: Combination) throws(FileError) {
    let root = combination.root
    var reader = FigureReader()
    let supply: Int32 = try reader.quantity(root, "supply", .voltage, in: 1000...60_000)
    let loadNode = try root.required("loads", like: "{ … }")
    let loads = try reader.loads(loadNode)
    let battery = try reader.battery(try root.required("battery", like: "{ … }"))
    let modemNode = try root.required("modem", like: "{ … }")
    var modem = try reader.modem(modemNode)
    let radio = try reader.radio(modemNode, loadNode)
    let receiver = try reader.receiver(try root.required("receiver", like: "{ … }"))
    let pins = try reader.pins(try root.required("pins", like: "{ … }"))
    modem.hasPowerKey = pins.modemPowerKey != nil
    modem.hasStatus = pins.modemStatus != nil
    modem.hasFlightMode = pins.flightMode != nil
    try Self.checkRest(root, modem, receiver.board)
    let ports = try reader.ports(try root.required("ports", like: "{ … }"))
    let halt = try root.optional("halt").map { node throws(FileError) in try reader.halt(node) }
    let settings = try root.optional("firmware").map { node throws(FileError) in
      try reader.firmware(node)
    }
    if case .adc? = battery.sensor, settings == nil {
      throw try root.required("battery", like: "{ … }").required("sensor", like: "{ … }").error(
        "the kind \"adc\" is the converter of a controller, and this board has no firmware; a "
          + "computer measures by \"iio\", \"hwmon\" or \"powerSupply\"")
    }
    self.init(
      identifier: combination.identifier, name: combination.name, support: combination.support,
      board: Board(
        supplyMillivolts: supply, loads: loads, battery: battery.board, modem: modem,
        receiver: receiver.board, hasLight: pins.statusLight != nil),
      chemistry: battery.chemistry, batterySensor: battery.sensor,
      thermometer: battery.thermometer, receiverPart: receiver.part,
      receiverUse: receiver.use, radio: radio, pins: pins, receiverPort: ports.receiver,
      modemPort: ports.modem, wakeClock: halt?.clock, consolePort: ports.console,
      figures: reader.figures + combination.figures, assembly: BoardAssembly(combination))
    self.board.halting = halt?.board
    self.board.hasEmergencyButton = pins.emergency != nil
    wakesByButton = halt?.wakesByButton ?? false
    firmwareSettings = settings
  }

  /// A modem that is needed between contacts, or cannot be switched on again, must not be switched
  /// off.
  private static func checkRest(
    _ root: FileNode, _ modem: ModemBoard, _ receiver: ReceiverBoard
  ) throws(FileError) {
    guard let node = root.optional("modem") else { return }
    let place = node.optional("rest") ?? node
    if !modem.hasPowerKey && modem.rest == .off {
      throw place.error(
        "a modem without pins.modemPowerKey cannot be switched on again; write rest: \"radioOff\"")
    }
    guard receiver.dialect == .modemGPS else { return }
    if modem.rest == .off {
      throw place.error(
        "the receiver inside the modem needs it switched on; write rest: \"radioOff\"")
    }
    guard modem.family.words.receiverOn.utf8CodeUnitCount > 0 else {
      throw node.error(
        "the family \(quoted(modem.family.name)) has no receiver; correct receiver.dialect")
    }
  }
}

/// What a board file describes: a whole board, or one part of a combination.
public enum BoardKind: String, Sendable, Equatable, CaseIterable {
  /// Everything that a tracker needs.
  case board
  /// A computer, without modem, receiver and battery.
  case base
  case modem
  case receiver
  /// A pack with its converter: bare, or on a UPS board.
  case battery
  /// What measures another part's battery.
  case sensor
  /// What measures the temperature of another part's battery.
  case thermometer
  /// A place for the technician's cable.
  case console
  /// A button, a light.
  case panel
  /// A clock whose alarm starts the halted computer.
  case clock

  /// The keys that a file of this kind may have, beside those of every file. A `*` stands for the
  /// rest of a name.
  var ownedKeys: [String] {
    switch self {
    case .board: ["*"]
    case .base:
      ["supply", "loads.board", "pins.*", "ports.console", "interfaces", "halt", "firmware"]
    case .modem: ["modem", "loads.modem*", "loads.part", "ports.modem", "builtInReceiver"] + lines
    case .receiver: ["receiver", "loads.receiver*", "loads.part", "ports.receiver"] + lines
    case .battery: ["battery.*", "supply", "replaces", "loads.part", "halt"] + lines
    case .sensor: ["battery.sensor", "loads.part"]
    case .thermometer: ["battery.thermometer", "loads.part"]
    case .console: ["ports.console", "loads.part"] + lines
    case .panel: ["loads.part"] + lines
    case .clock: ["loads.part", "halt"]
    }
  }

  /// Whether it only adds to another part's battery.
  var isOnBattery: Bool { self == .sensor || self == .thermometer }

  private var lines: [String] {
    [
      "modemPowerKey", "modemStatus", "powerGood", "button", "emergency", "statusLight",
      "flightMode",
    ].map { "pins.\($0)" }
  }

  /// The keys that a file of this kind must have. A whole board's are checked when it is read.
  var requiredKeys: [String] {
    switch self {
    case .board: []
    case .base: ["supply", "loads.board", "pins.chip", "interfaces"]
    case .modem:
      ["modem", "ports.modem"]
        + ["Off", "Starting", "Searching", "Idle", "Transmitting"].map { "loads.modem\($0)" }
    case .receiver:
      ["receiver", "ports.receiver"]
        + ["Standby", "Acquiring", "Tracking"].map { "loads.receiver\($0)" }
    case .battery: ["battery"]
    case .sensor: ["battery.sensor"]
    case .thermometer: ["battery.thermometer"]
    case .console: ["ports.console"]
    case .panel: ["pins"]
    case .clock: ["halt"]
    }
  }
}

extension Chemistry {
  /// The values of `battery.cellType`.
  static let words: [(word: String, choice: Chemistry)] = [
    ("other", .other), ("alkaline", .alkaline), ("lithium", .lithium),
    ("NiMH", .nickelMetalHydride), ("Li-ion", .lithiumIon), ("LiFePO4", .lithiumIronPhosphate),
  ]

  /// Finds the chemistry in a description such as `alkaline AA`; `other` if it names none.
  init(describedAs text: String) {
    let text = text.lowercased()
    // LiFePO4 and Li-ion before the bare word for primary cells.
    let marks: [(Chemistry, [String])] = [
      (.lithiumIronPhosphate, ["lifepo", "lfp", "iron phosphate"]),
      (.lithiumIon, ["li-ion", "liion", "lithium-ion", "lithium ion", "lipo", "li-po"]),
      (.nickelMetalHydride, ["nimh", "ni-mh", "nickel"]),
      (.alkaline, ["alkaline"]),
      (.lithium, ["lithium", "l91"]),
    ]
    self = marks.first { $0.1.contains { text.has($0) } }?.0 ?? .other
  }
}

extension ReceiverUse {
  /// The values of `receiver` in a configuration, and of `receiver.use` in a board file.
  static let words: [(word: String, choice: ReceiverUse)] = [
    ("always", .always), ("dutyCycle", .dutyCycle),
  ]
}
